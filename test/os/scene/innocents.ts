import { expect } from 'vitest';
import type { Identity } from './processes.ts';
import { type Habits, preambleOf } from './habits.ts';
import type { Role, Scene } from './scene.ts';

/** A process that must not be signalled, with a diary of the signals that it got. */
export interface Innocent {
  readonly what: string;
  readonly identity: Identity;
  /** Path of its diary; null for real programs, which only show that they run. */
  readonly diary: string | null;
}

let diaries = 0;

/** Starts one and waits until it would record signals. */
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
 * Writes a program that other processes start by this path and that keeps a diary. `ready` returns
 * it as an innocent once it runs.
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
 * Fails unless each of them runs, as the same process, and never got a signal. A failure begins
 * with `touched: `, which `npm test` counts even if another try passes (build/scripts/failures.ts).
 */
export const expectUntouched = (stage: Scene, innocents: readonly Innocent[]): void => {
  for (const { what, identity, diary } of innocents) {
    expect(stage.lives(identity), `touched: ${what} (${identity.pid}) lives`).toBe(true);
    if (diary !== null) expect(stage.read(diary), `touched: the diary of ${what}`).toBe('alive\n');
  }
};

/** Fails unless each of them is gone; a zombie is gone. */
export const expectGone = (stage: Scene, identities: readonly Identity[]): void => {
  for (const identity of identities) {
    const row = stage.row(identity.pid);
    expect(stage.lives(identity), `${identity.pid} ${row?.argv.join(' ')} is gone`).toBe(false);
  }
};
