/** A key of the catalogue of texts, and what stands in its message. */
export interface SaidByKey {
  readonly key: string;
  readonly figures: Readonly<Record<string, number | Said>>;
}

/**
 * What is said to people, in any language. A text stands for itself: words of another program, or
 * of a Curfew that kept no keys.
 */
export type Said = string | SaidByKey;

/** Returns what has no figures; a language that has no other words for it shows the key. */
export const byKey = (key: string): SaidByKey => ({ key, figures: {} });

/** Returns a form with its figures in place of `{name}`, each as `shown` says it. */
export const filled = (form: string, figures: SaidByKey['figures'], shown: (figure: Said) => string): string =>
  form.replace(/\{(\w+)\}/gu, (whole, name: string) => {
    const figure = Object.hasOwn(figures, name) ? figures[name] : undefined;
    return figure === undefined ? whole : shown(typeof figure === 'number' ? String(figure) : figure);
  });

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
