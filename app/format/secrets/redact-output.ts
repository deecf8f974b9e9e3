import { redactCommand } from './redact.ts';
import { hidden } from './secret-shapes.ts';

const keyBegins = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/u;
const keyEnds = /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/u;
/** A line of an encoded key, also within the quotes or the margin of a list. */
const encoded = /^[\s"'|>]*[A-Za-z\d+/]{1,76}={0,2}[\s"',]*$/u;
/** Such a line as nothing else has it: long, and of letters of both cases and digits. */
const surelyEncoded = /^[\s"'|>]*(?![\s"'|>])(?=\S*[A-Z])(?=\S*[a-z])(?=\S*\d)[A-Za-z\d+/]{44,76}={0,2}[\s"',]*$/u;

/** The lines of private keys; a text may begin or end in the middle of one. */
const linesOfKeys = (lines: readonly string[]): ReadonlySet<number> => {
  const found = new Set<number>();
  let isInside = false;
  for (const [at, line] of lines.entries()) {
    if (keyBegins.test(line)) isInside = true;
    if (isInside || surelyEncoded.test(line)) found.add(at);
    if (!keyEnds.test(line)) continue;
    const above = isInside ? [] : lines.slice(0, at);
    const first = above.findLastIndex((one) => !encoded.test(one)) + 1;
    for (const [index] of above.entries()) if (index >= first) found.add(index);
    isInside = false;
  }
  return found;
};

/**
 * Returns a part of an output without its secrets, line by line, keeping line ends: a stray quote
 * in one line must not hide the next. Private keys take many lines, and all of them are hidden,
 * also where the part begins or ends within one.
 */
export const redactOutput = (text: string): string => {
  const lines = text.split(/(?<=[\n\r])/u);
  const contents = lines.map((line) => line.replace(/[\n\r]$/u, ''));
  const keys = linesOfKeys(contents);
  return lines
    .map((line, at) => {
      const content = contents[at] ?? '';
      return (keys.has(at) ? hidden : redactCommand(content)) + line.slice(content.length);
    })
    .join('');
};
