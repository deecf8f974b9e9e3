/** Exit status of every command but `run`: a contract, see `curfew --help`. */
export const exitStatus = {
  /** Done, also when nothing was found. */
  done: 0,
  /** Something requested could not be done: a survivor, an unreachable host. */
  notDone: 1,
  wrongCall: 2,
  /** Curfew itself failed. */
  failed: 3,
} as const;

/** One of the four. */
export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus];

/** The call was wrong: one line says what, and what is allowed. Exit status 2. */
export class WrongCall extends Error {
  override readonly name = 'WrongCall';
}

/** The request can't be done now; the message says why and what to do. Exit status 1. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}
