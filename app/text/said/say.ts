import type { germanForms } from '../de/said/index.ts';

/**
 * A sentence of the engine that every language has. As with gettext, the English form is the key
 * of the others: what has no German form does not compile.
 */
export type Sentence = string & { readonly sentence: true };

/** The English forms, with figures as `{name}`. */
export type Form = keyof typeof germanForms;

type FiguresIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | FiguresIn<Rest> : never;

type Given<Text> = [FiguresIn<Text>] extends [never]
  ? readonly []
  : readonly [figures: Readonly<Record<FiguresIn<Text>, string | number>>];

/** Returns an English sentence: its form with these figures. */
export const say = <Text extends Form>(form: Text, ...[figures]: Given<Text>): Sentence =>
  form.replace(/\{(\w+)\}/gu, (_whole, name: string) =>
    String((figures as Readonly<Record<string, string | number>>)[name]),
  ) as Sentence;

/** Returns whole sentences behind each other. */
export const joined = (...sentences: readonly Sentence[]): Sentence => sentences.join(' ') as Sentence;

/** What a system or another program said, in its own words: no language has another form of it. */
export const verbatim = (text: string): Sentence => text as Sentence;
