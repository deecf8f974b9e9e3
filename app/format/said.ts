/** A key of the catalogue of texts, and what stands in its message. */
export interface SaidByKey {
  readonly key: string;
  readonly figures: Readonly<Record<string, number | Said>>;
}

/** What is said, in any language. A text is another program's, or of a Curfew without keys. */
export type Said = string | SaidByKey;

/** The names of the figures of a form. */
export type FiguresIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | FiguresIn<Rest> : never;

/** What goes into a form: nothing, or its figures. */
export type Given<Text> = [FiguresIn<Text>] extends [never]
  ? readonly []
  : readonly [figures: Readonly<Record<FiguresIn<Text>, number | Said>>];

/** Returns what has no figures; a language that has no other words for it shows the key. */
export const byKey = (key: string): SaidByKey => ({ key, figures: {} });

/** Forms that were cut before: a sentence is said at every look. */
const cut = new Map<string, readonly string[]>();
const maxCut = 2_000;

/** Returns a form cut at its figures: text, name of a figure, text, name, … */
export const piecesOf = (form: string): readonly string[] => {
  const before = cut.get(form);
  if (before !== undefined) return before;
  const pieces = form.split(/\{(\w+)\}/u);
  if (cut.size < maxCut) cut.set(form, pieces);
  return pieces;
};

/** Returns a form with its figures in place of `{name}`, each as `shown` says it. */
export const filled = (form: string, figures: SaidByKey['figures'], shown: (figure: Said) => string): string =>
  piecesOf(form).reduce((text, piece, at) => {
    if (at % 2 === 0) return text + piece;
    const figure = Object.hasOwn(figures, piece) ? figures[piece] : undefined;
    if (figure === undefined) return `${text}{${piece}}`;
    return text + shown(typeof figure === 'number' ? String(figure) : figure);
  }, '');

/** Returns how the state of a session is known, by key and with other texts; else nothing. */
export const ownerSaid = (evidence: Said, text: (text: string) => string): { readonly ownerSaid?: Said } =>
  typeof evidence === 'string' ? {} : { ownerSaid: withTexts(evidence, text) };

/** Returns what is said in the words of its keys, which are English. */
export const inWordsOfKeys = (said: Said): string =>
  typeof said === 'string' ? said : filled(said.key, said.figures, inWordsOfKeys);

/** Returns the same with other texts in it, such as those without secrets. */
export const withTexts = (said: Said, text: (text: string) => string): Said =>
  typeof said === 'string'
    ? text(said)
    : {
        key: said.key,
        figures: Object.fromEntries(
          Object.entries(said.figures).map(([name, one]) => [
            name,
            typeof one === 'number' ? one : withTexts(one, text),
          ]),
        ),
      };
