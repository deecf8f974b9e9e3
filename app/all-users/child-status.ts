import type { ChildEnd } from './turn.ts';

/** Exit status of `curfew watch --unattended`, by why it ended. 3 and all others are failures. */
export const childStatus = { rested: 0, 'stood-back': 1, 'no-home': 4 } as const satisfies Readonly<
  Record<Exclude<ChildEnd, 'failed'>, number>
>;

/** Returns why a child has ended, by its exit status; null: a signal ended it. */
export const childEndOf = (status: number | null): ChildEnd => {
  switch (status) {
    case childStatus.rested:
      return 'rested';
    case childStatus['stood-back']:
      return 'stood-back';
    case childStatus['no-home']:
      return 'no-home';
    default:
      return 'failed';
  }
};
