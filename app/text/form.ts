import { formatAge } from '../format/age.ts';
import { type FiguresIn, type Given, piecesOf, type Said, type SaidByKey } from '../format/said.ts';
import type { commandLineForms } from './catalogue/command-line/index.ts';
import type { fileForms, germanForms } from './catalogue/index.ts';

/**
 * The English forms, with figures as `{name}`. As with gettext, the English form is the key of the
 * others: what has no German form does not compile.
 */
export type Form = keyof typeof germanForms | keyof typeof commandLineForms;

/** Returns a sentence of the catalogue with these figures. */
export const say = <Text extends Form>(form: Text, ...[figures]: Given<Text>): SaidByKey => ({
  key: form,
  figures: figures ?? {},
});

/** Those of files are said with their figures alone; with them the compiler gives up. */
type FormOfTable = Exclude<keyof typeof germanForms, keyof typeof fileForms>;

/** A form with no other figures than these. */
export type FormWith<Name extends string> = {
  readonly [Text in FormOfTable]: [FiguresIn<Text>] extends [Name] ? Text : never;
}[FormOfTable];

/** How each figure that a form may have is said of something. */
export type Parts<Name extends string, Subject> = Readonly<Record<Name, (of: Subject) => number | Said>>;

/** Returns a form, or one that depends on the subject, with those of these figures that it has. */
export const sayOf = <Name extends string, Subject>(
  form: FormWith<Name> | ((of: Subject) => FormWith<Name>),
  parts: Parts<Name, Subject>,
  of: Subject,
): SaidByKey => {
  const key = typeof form === 'string' ? form : form(of);
  const figures: Record<string, number | Said> = {};
  const pieces = piecesOf(key);
  for (let at = 1; at < pieces.length; at += 2) figures[pieces[at] ?? ''] = parts[pieces[at] as Name](of);
  return { key, figures };
};

/** Returns several in one, with this between them. */
export const listed = (parts: readonly Said[], between: string): Said => ({
  key: parts.map((_, index) => `{${index}}`).join(between),
  figures: Object.fromEntries(parts.entries()),
});

/** Returns whole sentences behind each other. */
export const joined = (...sentences: readonly Said[]): Said => listed(sentences, ' ');

/** Returns ` (…)` around what is said; nothing around nothing. */
export const bracketed = (said: Said): Said => (said === '' ? '' : { key: ' ({0})', figures: { 0: said } });

/** Returns a warning as it stands on standard error. */
export const warned = (said: Said): Said =>
  typeof said === 'string' ? `curfew: ${said}` : { key: 'curfew: {0}', figures: { 0: said } };

/** Returns an amount of bytes, which each language writes its own way. */
export const sized = (bytes: number): SaidByKey => ({ key: 'size', figures: { bytes } });

/** Returns a moment in epoch milliseconds, which each language writes its own way. */
export const dated = (atMs: number): SaidByKey => ({ key: 'moment', figures: { atMs } });

/** What is counted: its form for one, and for any other count. */
const nouns = {
  process: ['1 process', '{count} processes'],
  job: ['1 job', '{count} jobs'],
  leftover: ['1 leftover', '{count} leftovers'],
  lock: ['1 lock', '{count} locks'],
  session: ['1 session', '{count} sessions'],
  'closed session': ['1 closed session', '{count} closed sessions'],
  'running session': ['1 running session', '{count} running sessions'],
  server: ['1 server', '{count} servers'],
  copy: ['1 copy', '{count} copies'],
  file: ['1 file', '{count} files'],
  worktree: ['1 worktree', '{count} worktrees'],
  machine: ['1 machine', '{count} machines'],
  agent: ['1 agent out of reach', '{count} agents out of reach'],
  other: ['1 other process', '{count} other processes'],
} as const satisfies Readonly<Record<string, readonly [one: Form, several: Form]>>;

/** Returns a count with its noun: `1 process`, `3 processes`. */
export const several = (count: number, noun: keyof typeof nouns): SaidByKey => ({
  key: nouns[noun][count === 1 ? 0 : 1],
  figures: { count },
});

/** Returns `port 3000`, `ports 3000, 5173`. */
export const portsSaid = (ports: readonly (number | string)[]): SaidByKey => {
  const [only] = ports;
  return ports.length === 1 && only !== undefined
    ? say('port {port}', { port: only })
    : say('ports {ports}', { ports: ports.join(', ') });
};

/** Returns how long ago a moment was, or when it comes; both in epoch milliseconds. */
export const agoSaid = (atMs: number, nowMs: number): Said => {
  const seconds = (nowMs - atMs) / 1000;
  if (!Number.isFinite(seconds)) return say('at an unknown time');
  if (seconds >= 1) return say('{age} ago', { age: formatAge(seconds) });
  return seconds <= -1 ? say('in {age}', { age: formatAge(-seconds) }) : say('just now');
};
