import { resolve } from 'node:path';
import { worktreeView } from '../../../app/documents/files.ts';
import type { Said } from '../../../app/format/said.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { say, sized } from '../../../app/text/form.ts';
import { sayWorktree } from '../../../app/text/abandoned/worktrees.ts';
import { withEngine } from '../../engine/engine.ts';
import { realPath } from '../../os/files/other-machine.ts';
import { findWorktrees, type JudgedWorktree, removeWorktrees, worktreeProblem } from '../../worktrees/worktrees.ts';
import { type ExitStatus, exitStatus, wrongCall } from '../common/exit-status.ts';
import { words } from '../common/words.ts';
import { isAgreed, type RemovalOptions, sayRemoval, shownPath } from '../common/removal.ts';
import { type Output, paint, writeJson } from '../common/output.ts';

const realOf = (path: string): string => {
  const real = realPath(resolve(path));
  if (real === null) throw wrongCall('there is no folder {path}', { path: visibleText(path) });
  return real;
};

const lines = ({ facts, keeps }: JudgedWorktree, nowMs: number, output: Output): readonly string[] => [
  paint(output, keeps.length === 0 ? 'yellow' : 'dim', shownPath(facts.path)),
  `    ${words(sayWorktree(facts, keeps, nowMs))}`,
];

type Outcomes = ReadonlyMap<string, Said | null>;

const documentOf = (found: readonly JudgedWorktree[], outcomes: Outcomes) => ({
  schema: 1,
  host: 'local',
  worktrees: found.map((one) => worktreeView(one, outcomes.get(one.facts.path))),
});

/**
 * `curfew worktrees`: lists the linked worktrees of known repositories and why each stays, and has
 * git remove those that nothing keeps with `--remove`. A worktree that is named itself is removed
 * though it is young, the user's own, or of a session that could go on. Status 1 when one that was
 * to go is still there.
 */
export const worktrees = async (
  folders: readonly string[],
  options: RemovalOptions,
  output: Output,
): Promise<ExitStatus> =>
  withEngine({ uid: null, warn: output.warn }, async (engine) => {
    await engine.source.refresh?.();
    const asked = folders.map(realOf);
    const picked = new Set(asked);
    const look = engine.observer.look();
    const all = findWorktrees(engine, asked.length === 0 ? null : asked, picked, look);
    const named = all.filter(({ facts }) => picked.has(facts.path));
    // Who names worktrees means these, and not the others of their repositories.
    const found = named.length > 0 ? named : all;
    const due = found.filter(({ keeps }) => keeps.length === 0);
    const size = sized(due.reduce((sum, { facts }) => sum + facts.bytes, 0));
    const count = due.length;
    if (!options.json) {
      const shown = found.flatMap((one) => lines(one, look.table.takenAtMs, output));
      const offer = [words(say('`curfew worktrees --remove` has git remove {count}, {size}.', { count, size }))];
      const text = [...shown, ...(options.remove || count === 0 ? [] : offer)];
      await output.write(
        `${found.length === 0 ? words(say('No worktree of an agent was found.')) : text.join('\n')}\n`,
      );
    }
    const texts = {
      question: say('Have git remove {count} worktrees ({size})? [y/N] ', { count, size }),
      unasked: say('nothing was removed; `curfew worktrees --remove --yes` removes without asking'),
    };
    const agreed = await isAgreed(options, count, texts, output);
    const done = agreed ? removeWorktrees(engine, due, picked, 'command') : [];
    const outcomes = new Map(done.map((one) => [one.facts.path, worktreeProblem(one)]));
    if (options.json) await writeJson(output, documentOf(found, outcomes));
    else for (const [path, why] of outcomes) await output.write(`${sayRemoval(path, why)}\n`);
    return [...outcomes.values()].some((why) => why !== null) ? exitStatus.notDone : exitStatus.done;
  });
