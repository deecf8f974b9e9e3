import { spawnSync } from 'node:child_process';

/**
 * Returns the moment that a build of these sources bears, seconds since 1970: SOURCE_DATE_EPOCH
 * (https://reproducible-builds.org/docs/source-date-epoch/), else the time of the last commit, so
 * that two clones of one commit give the same bytes. Where there is no git: `nowMs`.
 */
export const buildEpoch = (root: string, environment: NodeJS.ProcessEnv, nowMs: number): number => {
  const given = environment['SOURCE_DATE_EPOCH'];
  if (given !== undefined) {
    if (!/^\d{1,10}$/u.test(given))
      throw new Error(`SOURCE_DATE_EPOCH is ${JSON.stringify(given)}, not seconds since 1970`);
    return Number(given);
  }
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return status === 0 && /^\d+\n$/u.test(stdout) ? Number(stdout) : Math.floor(nowMs / 1000);
};
