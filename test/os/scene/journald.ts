import { existsSync } from 'node:fs';
import type { Scene } from './scene.ts';

const journald = '/lib/systemd/systemd-journald';
const root = { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }, cwd: '/' };

/** What of Debian's journald this machine lacks; empty: nothing. */
export const missingJournald = [journald, '/usr/bin/journalctl'].filter((file) => !existsSync(file)).join(', ');

/** Starts a journald of the scene's own. It keeps its records in a /run of the scene. */
export const startJournald = async (stage: Scene): Promise<void> => {
  const script =
    'mount -t tmpfs run /run && mkdir -p /run/systemd/journal /run/log/journal /run/systemd/journald.conf.d && printf "[Journal]\\nReadKMsg=no\\nRuntimeMaxUse=20M\\n" >/run/systemd/journald.conf.d/test.conf';
  const mounted = await stage.first.start({ ...root, file: '/bin/sh', argv: ['sh', '-c', script] });
  const { code } = await stage.first.ended(mounted);
  if (code !== 0) throw new Error(`no /run of its own could be made: ${code}`);
  await stage.first.start({ ...root, file: journald, argv: [journald], setsid: true });
  await stage.until('journald listens', () => stage.has('/run/systemd/journal/socket'));
};

/** Reads Curfew's records of the scene's journal that match all of these fields. */
export const readJournal = async (
  stage: Scene,
  ...match: readonly string[]
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  stage.write('/tmp/read.out', '', 0o666);
  const argv = ['journalctl', '-D', '/run/log/journal', '--all', '-o', 'json', '-t', 'curfew', ...match];
  const reading = await stage.first.start({ ...root, file: '/usr/bin/journalctl', argv, fds: { 1: '/tmp/read.out' } });
  await stage.first.ended(reading);
  return stage
    .read('/tmp/read.out')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
};
