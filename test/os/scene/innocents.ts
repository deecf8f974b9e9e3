import { expect } from 'vitest';
import type { Identity } from './processes.ts';
import { type Habits, preambleOf } from './habits.ts';
import type { Role, Scene } from './scene.ts';

/** A process that nobody may touch, with the diary of what it was sent. */
export interface Innocent {
  readonly what: string;
  readonly identity: Identity;
  /** Path of its diary; null for real programs, which can only show that they live. */
  readonly diary: string | null;
}

let diaries = 0;

/** Puts one on the stage and waits until it would notice signals. */
export const innocent = async (stage: Scene, role: Role, habits: Habits = {}): Promise<Innocent> => {
  const diary = stage.write(`/tmp/scene/diaries/${diaries++}`, '', 0o666);
  const identity = await stage.play(role, preambleOf({ ...habits, diary }), 'resident.pl');
  await stage.until(`${role.argv.join(' ')} keeps its diary`, () => stage.read(diary) !== '');
  return { what: role.argv.join(' '), identity, diary };
};

/** A real program of the machine as an innocent. */
export const bystander = (stage: Scene, what: string, pid: number): Innocent => ({
  what,
  identity: stage.identity(pid),
  diary: null,
});

/**
 * Writes a program which other processes start by that path, and which keeps a diary. `ready` gives it as an innocent as
 * soon as it runs.
 */
export const innocentProgram = (
  stage: Scene,
  path: string,
  habits: Habits = {},
): { readonly diary: string; readonly ready: () => Promise<Innocent> } => {
  const diary = stage.write(`/tmp/scene/diaries/${diaries++}`, '', 0o666);
  stage.script(path, preambleOf({ ...habits, diary }), 'resident.pl');
  const ready = async (): Promise<Innocent> => {
    await stage.until(`${path} keeps its diary`, () => stage.read(diary) !== '');
    const name = path.slice(path.lastIndexOf('/') + 1);
    const row = await stage.find(path, ({ argv }) => argv[1] === path || argv[1] === name);
    return { what: path, identity: stage.identity(row.pid), diary };
  };
  return { diary, ready };
};

/**
 * Fails unless every one of them lives, as the same process, and was never sent a signal that it could hear. A failure begins with
 * `touched: `, by which `npm test` knows that it counts whatever happens at another try (build/scripts/failures.ts).
 */
export const expectUntouched = (stage: Scene, innocents: readonly Innocent[]): void => {
  for (const { what, identity, diary } of innocents) {
    expect(stage.lives(identity), `touched: ${what} (${identity.pid}) lives`).toBe(true);
    if (diary !== null) expect(stage.read(diary), `touched: the diary of ${what}`).toBe('alive\n');
  }
};

/** Fails unless every one of them is gone; a zombie is gone. */
export const expectGone = (stage: Scene, identities: readonly Identity[]): void => {
  for (const identity of identities) {
    const row = stage.row(identity.pid);
    expect(stage.lives(identity), `${identity.pid} ${row?.argv.join(' ')} is gone`).toBe(false);
  }
};
