import { messageOf } from '../format/error-message.ts';
import { formatBytes } from '../format/bytes.ts';
import { filled, type Said, type SaidByKey } from '../format/said.ts';
import type { Objection } from '../judge/stop-reason.ts';
import { vetoSaid } from './vetoes.ts';

export { type Form, joined, listed, say, warned } from './form.ts';

/** Says why a process may not be signalled, as records keep it: the sentence is made when shown. */
export const sayObjection = ({ code, figures }: Pick<Objection, 'code' | 'figures'>): SaidByKey => ({
  key: 'veto',
  figures: { ...figures, code },
});

/** How a language writes what is no sentence. */
export interface Writing {
  /** Returns an amount of bytes. */
  readonly size: (bytes: number) => string;
  /** Returns a moment in epoch milliseconds, with its day. */
  readonly moment: (atMs: number) => string;
  /** Returns the words for a key: a form with figures as `{name}`. */
  readonly form: (key: string) => string;
  /** Returns a text that has no key. */
  readonly text: (text: string) => string;
}

/** Returns what is said, in the words of a language. */
export const inWords = (said: Said, writing: Writing): string => {
  if (typeof said === 'string') return writing.text(said);
  const { key, figures } = said;
  if (key === 'size') return writing.size(Number(figures['bytes']));
  if (key === 'moment') return writing.moment(Number(figures['atMs']));
  if (key === 'veto') {
    const { code, ...others } = figures as Objection['figures'];
    return inWords(vetoSaid({ code: String(code) as Objection['code'], figures: others }), writing);
  }
  return filled(writing.form(key), figures, (one) => inWords(one, writing));
};

/** What a date can be; a record that was edited by hand may hold any number. */
export const isMoment = (atMs: number): boolean => Math.abs(atMs) <= 8.64e15;

const asWritten = (text: string): string => text;

/** English of documents, records and the command line. */
export const plainEnglish: Writing = {
  size: formatBytes,
  moment: (atMs) =>
    isMoment(atMs) ? `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' at ')} UTC` : 'an unknown time',
  form: asWritten,
  text: asWritten,
};

/** Returns the English text of what is said. */
export const inEnglish = (said: Said): string => inWords(said, plainEnglish);

/** Says in English why a process may not be signalled, see `vetoSaid`. */
export const sayVeto = (veto: Pick<Objection, 'code' | 'figures'>): string => inEnglish(vetoSaid(veto));

/** An error whose message is for people, in any language. */
export class SaidError extends Error {
  readonly said: Said;

  constructor(said: Said, options?: ErrorOptions) {
    super(inEnglish(said), options);
    this.said = said;
  }
}

/** Returns what an error says to people. */
export const saidOf = (error: unknown): Said => (error instanceof SaidError ? error.said : messageOf(error));
