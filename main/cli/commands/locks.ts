import { lockView } from '../../../app/documents/files.ts';
import { isAbsolute, resolve } from 'node:path';
import { sayLock } from '../../../app/text/abandoned/locks.ts';
import { say } from '../../../app/text/say.ts';
import { withEngine } from '../../engine/engine.ts';
import { findLocks, type JudgedLock, lockProblem, removeLocks } from '../../sweep/locks.ts';
import type { Removal } from '../../os/files/remove-file.ts';
import { type ExitStatus, exitStatus } from '../common/exit-status.ts';
import { words } from '../common/words.ts';
import { isAgreed, type RemovalOptions, sayRemoval, shownPath } from '../common/removal.ts';
import { type Output, paint, writeJson } from '../common/output.ts';

const styles = { stale: 'yellow', held: 'green', unknown: 'dim' } as const;

const lockLines = ({ lock, verdict }: JudgedLock, nowMs: number, output: Output): readonly string[] => [
  paint(output, styles[verdict.state], shownPath(lock.path)),
  `    ${words(sayLock(lock, verdict, nowMs))}`,
];

const documentOf = (found: readonly JudgedLock[], results: ReadonlyMap<string, Removal>) => ({
  schema: 1,
  host: 'local',
  locks: found.map((one) => {
    const result = results.get(one.lock.path);
    return lockView(one, result === undefined ? undefined : lockProblem(result));
  }),
});

/**
 * `curfew locks`: lists locks and what is proved of their holders, and removes those of the dead
 * with `--remove`. Status 1 when one could not be removed.
 */
export const locks = async (folders: readonly string[], options: RemovalOptions, output: Output): Promise<ExitStatus> =>
  withEngine({ uid: null, warn: output.warn }, async (engine) => {
    await engine.source.refresh?.();
    const asked = folders.map((folder) => (isAbsolute(folder) ? folder : resolve(folder)));
    const look = engine.observer.look();
    const found = findLocks(engine, asked.length === 0 ? null : asked, look);
    const stale = found.filter(({ verdict }) => verdict.state === 'stale');
    if (!options.json) {
      const none =
        asked.length === 0
          ? say('No lock was found in the folders that Curfew knows.')
          : say('No lock was found there.');
      const lines = found.flatMap((one) => lockLines(one, look.table.takenAtMs, output));
      await output.write(`${found.length === 0 ? words(none) : lines.join('\n')}\n`);
    }
    const texts = {
      question: say('Remove {count} stale locks? [y/N] ', { count: stale.length }),
      unasked: say('nothing was removed; `curfew locks --remove --yes` removes without asking'),
    };
    const agreed = await isAgreed(options, stale.length, texts, output);
    const done = agreed ? removeLocks(engine, stale, 'command') : [];
    const results = new Map(done.map(({ lock, result }) => [lock.lock.path, result]));
    if (options.json) await writeJson(output, documentOf(found, results));
    else
      for (const { lock, result } of done) await output.write(`${sayRemoval(lock.lock.path, lockProblem(result))}\n`);
    return done.some(({ result }) => result.kind !== 'deleted') ? exitStatus.notDone : exitStatus.done;
  });
