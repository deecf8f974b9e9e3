import { inWordsOfKeys, type Given, type Said } from '../../../app/format/said.ts';
import type { Form } from '../../../app/text/form.ts';

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

/** What ends a command, said in any language. */
class SaidEnd extends Error {
  readonly said: Said;

  constructor(said: Said, options?: ErrorOptions) {
    super(inWordsOfKeys(said), options);
    this.said = said;
  }
}

/** The call was wrong: one line says what, and what is allowed. Exit status 2. */
export class WrongCall extends SaidEnd {
  override readonly name = 'WrongCall';
}

/** The request can't be done now; the message says why and what to do. Exit status 1. */
export class NotDone extends SaidEnd {
  override readonly name = 'NotDone';
}

/** Returns a `WrongCall` with a sentence of the catalogue, without loading the texts. */
export const wrongCall = <Text extends Form>(form: Text, ...[figures]: Given<Text>): WrongCall =>
  new WrongCall({ key: form, figures: figures ?? {} });

/** The same of `NotDone`. */
export const notDone = <Text extends Form>(form: Text, ...[figures]: Given<Text>): NotDone =>
  new NotDone({ key: form, figures: figures ?? {} });
