/** English forms with their counterparts in another language; figures are `{name}` in both. */
export type Forms = Readonly<Record<string, string>>;

/** Says a sentence of the engine in another language; what has no form there stays as it is. */
export type Resay = (text: string) => string;

interface Matcher {
  readonly form: RegExp;
  readonly names: readonly string[];
  readonly other: string;
}

const figure = /\{(\w+)\}/gu;

/** The part of a form that is the same whatever the figures are. */
const fixedLength = (form: string): number => form.replace(figure, '').length;

const matcherOf = ([form, other]: readonly [string, string]): Matcher => ({
  form: new RegExp(
    `^${form
      .split(figure)
      .map((part, index) => (index % 2 === 0 ? part.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`) : '(.+?)'))
      .join('')}$`,
    'su',
  ),
  names: [...form.matchAll(figure)].map(([, name = '']) => name),
  other,
});

/** Between two sentences that stand behind each other. */
const sentenceEnd = /(?<=[.!?…]) (?=\S)/u;

/** A longer text stays as it is: the forms are tried in turn, and a long one would take long. */
const maxLength = 1200;

/** Sentences behind each other that are tried together at most, as a form may have several. */
const maxTogether = 6;

/**
 * Returns what says sentences of the engine in another language: the form with the most fixed text
 * that fits wins, a figure that is a sentence itself is said anew too, and of several sentences
 * behind each other each is said by itself.
 */
export const resayWith = (forms: Forms, otherFigure: (text: string) => string): Resay => {
  const matchers = Object.entries(forms)
    .toSorted(([one], [another]) => fixedLength(another) - fixedLength(one))
    .map(matcherOf);
  const whole = (text: string): string | null => {
    for (const { form, names, other } of matchers) {
      const found = form.exec(text);
      // A figure is no sentence end: several sentences are several forms.
      if (found === null || found.slice(1).some((part) => sentenceEnd.test(part))) continue;
      const figures = new Map(names.map((name, index) => [name, resay(found[index + 1] ?? '')]));
      return other.replace(figure, (_whole, name: string) => figures.get(name) ?? '');
    }
    return null;
  };
  const pieces = (text: string): string =>
    text.includes('; ')
      ? text
          .split('; ')
          .map((piece) => whole(piece) ?? otherFigure(piece))
          .join('; ')
      : otherFigure(text);
  const resay = (text: string): string => {
    if (text.length > maxLength) return text;
    const parts = text.split(sentenceEnd);
    const said: string[] = [];
    for (let from = 0; from < parts.length;) {
      let to = Math.min(parts.length, from + maxTogether);
      let other: string | null = null;
      for (; to > from && other === null; to -= 1) other = whole(parts.slice(from, to).join(' '));
      said.push(other ?? pieces(parts[from] ?? ''));
      from = other === null ? from + 1 : to + 1;
    }
    return said.join(' ');
  };
  return resay;
};
