import { parse, stringify, TomlError } from 'smol-toml';

/** Parses a TOML document. Throws for nothing that stands in it. */
export const parseTomlText = (
  text: string,
):
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly why: string } => {
  try {
    return { ok: true, value: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { ok: false, why: error.message.split('\n')[0] ?? '' };
  }
};

/** A value as text, equal for equal values: whatever the order of properties or form of tables. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) && !(one instanceof Date)
      ? Object.fromEntries(Object.entries(one).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : typeof one === 'bigint'
        ? String(one)
        : one,
  );

/** Tables as what ends a document: whatever went before, a header begins a new table. */
export const tomlAtEnd = (text: string, tables: unknown): string => {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' ? '' : text.endsWith('\n') ? lineBreak : lineBreak + lineBreak;
  return `${gap}${stringify(tables).trimEnd().replaceAll('\n', lineBreak)}${lineBreak}`;
};
