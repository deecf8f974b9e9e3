import { messageOf } from '../format/error-message.ts';
import { filled, type Given, type Said, type SaidByKey } from '../format/said.ts';
import type { Objection } from '../judge/stop-reason.ts';
import { sayVeto } from './vetoes.ts';
import type { germanForms } from './catalogue/index.ts';

/**
 * The English forms, with figures as `{name}`. As with gettext, the English form is the key of the
 * others: what has no German form does not compile.
 */
export type Form = keyof typeof germanForms;

/** Returns a sentence of the catalogue with these figures. */
export const say = <Text extends Form>(form: Text, ...[figures]: Given<Text>): SaidByKey => ({
  key: form,
  figures: figures ?? {},
});

/** Returns several in one, with this between them. */
export const listed = (parts: readonly Said[], between: string): Said => ({
  key: parts.map((_, index) => `{${index}}`).join(between),
  figures: Object.fromEntries(parts.entries()),
});

/** Returns whole sentences behind each other. */
export const joined = (...sentences: readonly Said[]): Said => listed(sentences, ' ');

/** Says why a process may not be signalled; the one key whose sentence depends on its figures. */
export const sayObjection = ({ code, figures }: Pick<Objection, 'code' | 'figures'>): SaidByKey => ({
  key: 'veto',
  figures: { ...figures, code },
});

/** Returns the code and the figures of an objection; null where something else is said. */
export const objectionIn = ({ key, figures }: SaidByKey): Pick<Objection, 'code' | 'figures'> | null => {
  const { code, ...others } = figures as Objection['figures'];
  return key === 'veto' ? { code: String(code) as Objection['code'], figures: others } : null;
};

/** Returns the English text of what is said. */
export const inEnglish = (said: Said): string => {
  if (typeof said === 'string') return said;
  const objection = objectionIn(said);
  return objection === null ? filled(said.key, said.figures, inEnglish) : sayVeto(objection);
};

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
