import { expect } from 'vitest';
import type { Identity } from './processes.ts';
import type { Role, Scene } from './scene.ts';

/** A process that nobody may touch, with the diary of what it was sent. */
export interface Innocent {
  readonly what: string;
  readonly identity: Identity;
  /** Path of its diary; null for real programs, which can only show that they live. */
  readonly diary: string | null;
}

/** What an innocent does besides living. */
export interface Habits {
  readonly port?: number;
  readonly lock?: string;
  readonly hold?: string;
  readonly spins?: boolean;
}

let diaries = 0;

/** The lines that fixtures/innocent.pl wants before it. */
export const habitsOf = (habits: Habits, diary: string): string =>
  [
    `our $DIARY = '${diary}';`,
    `our $PORT = ${habits.port ?? 0};`,
    `our $LOCK = '${habits.lock ?? ''}';`,
    `our $HOLD = '${habits.hold ?? ''}';`,
    `our $SPIN = ${habits.spins === true ? 1 : 0};`,
  ].join(' ');

/** Puts one on the stage and waits until it would notice signals. */
export const innocent = async (stage: Scene, role: Role, habits: Habits = {}): Promise<Innocent> => {
  const diary = stage.write(`/tmp/scene/diaries/${diaries++}`, '', 0o666);
  const pid = await stage.play(role, habitsOf(habits, diary), 'innocent.pl');
  await stage.until(`${role.argv.join(' ')} keeps its diary`, () => stage.read(diary) !== '');
  return { what: role.argv.join(' '), identity: stage.identity(pid), diary };
};

/** A real program of the machine as an innocent. */
export const bystander = (stage: Scene, what: string, pid: number): Innocent => ({
  what,
  identity: stage.identity(pid),
  diary: null,
});

/** Fails unless every one of them lives, as the same process, and was never sent a signal that it could hear. */
export const expectUntouched = (stage: Scene, innocents: readonly Innocent[]): void => {
  for (const { what, identity, diary } of innocents) {
    expect(stage.lives(identity), `${what} (${identity.pid}) lives`).toBe(true);
    if (diary !== null) expect(stage.read(diary), `the diary of ${what}`).toBe('alive\n');
  }
};

/** Fails unless every one of them is gone; a zombie is gone. */
export const expectGone = (stage: Scene, identities: readonly Identity[]): void => {
  for (const identity of identities) {
    const row = stage.row(identity.pid);
    expect(stage.lives(identity), `${identity.pid} ${row?.argv.join(' ')} is gone`).toBe(false);
  }
};
