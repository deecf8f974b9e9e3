// Refreshes app/format/secrets/token-forms.ts: the forms of tokens that begin with fixed
// characters, from the rules of gitleaks (MIT licence). `node build/scripts/token-forms.ts` fetches
// them; a path to a gitleaks.toml is read instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';

const version = 'v8.30.1';
const address = `https://raw.githubusercontent.com/gitleaks/gitleaks/${version}/config/gitleaks.toml`;
const target = join(import.meta.dirname, '../../app/format/secrets/token-forms.ts');

/** One way in which a pattern can go on: fixed text, then characters of a class. */
interface Way {
  readonly text: string;
  readonly classes: string;
  readonly min: number;
}

/** A pattern that is not made of what is read here. */
class Unread extends Error {}

const maxWays = 24;
const letters: Readonly<Record<string, string>> = { w: 'A-Za-z0-9_', d: '0-9', s: '\\s', S: '!-~' };

const plus = (before: Way, after: Way): Way =>
  before.min === 0 && before.classes === '' && after.classes === '' && after.min === 0
    ? { text: before.text + after.text, classes: '', min: 0 }
    : before.classes === '' && before.min === 0
      ? { text: before.text + after.text, classes: after.classes, min: after.min }
      : {
          text: before.text,
          classes: before.classes + escapedAll(after.text) + after.classes,
          min: before.min + after.text.length + after.min,
        };

const escapedAll = (text: string): string => text.replaceAll(/[\\\]^-]/gu, String.raw`\$&`);

/** Reads a pattern into the ways in which it can match; optional parts at the end are left out. */
const waysOf = (pattern: string): readonly Way[] => {
  let at = 0;
  const atom = (): readonly Way[] => {
    const unit = pattern.charAt(at);
    at += 1;
    if (unit === '(') {
      if (pattern.startsWith('?', at)) {
        const flags = /^\?(?:P<\w+>|[a-z-]*:|[a-z-]+\))/u.exec(pattern.slice(at))?.[0];
        if (flags === undefined) throw new Unread();
        at += flags.length;
        // From here on in any case: the classes of what follows are widened by the caller.
        if (flags.endsWith(')')) return [{ text: '', classes: '', min: 0 }];
      }
      const inner = alternatives();
      at += 1;
      return inner;
    }
    if (unit === '[') {
      const end = /^\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]/u.exec(pattern.slice(at))?.[0];
      if (end === undefined || end.startsWith('^')) throw new Unread();
      at += end.length;
      const body = end
        .slice(0, -1)
        .replaceAll('[:alnum:]', 'A-Za-z0-9')
        .replaceAll(/\\(?<letter>[wdsS])/gu, (_, letter: string) => letters[letter] ?? '')
        .replaceAll(/\\(?<sign>[^\w])/gu, (_, sign: string) => escapedAll(sign));
      return [{ text: '', classes: body.replace(/(?<!\\)-$/u, String.raw`\-`), min: 1 }];
    }
    if (unit === '\\') {
      const letter = pattern.charAt(at);
      at += 1;
      if (letter === 'b') return [{ text: '', classes: '', min: 0 }];
      const classes = letters[letter];
      if (classes !== undefined) return [{ text: '', classes, min: 1 }];
      if (/\w/u.test(letter)) throw new Unread();
      return [{ text: letter, classes: '', min: 0 }];
    }
    if ('.^$'.includes(unit)) throw new Unread();
    return [{ text: unit, classes: '', min: 0 }];
  };
  const repeated = (ways: readonly Way[]): readonly Way[] => {
    const count = /^(?:\{(?<min>\d+)(?:,\d*)?\}|[?*+])/u.exec(pattern.slice(at));
    if (count === null) return ways;
    at += count[0].length;
    if (pattern.charAt(at) === '?') at += 1;
    const min = Number(count.groups?.['min'] ?? (count[0] === '+' ? 1 : 0));
    return ways.map((way) => ({
      text: min === 1 && way.classes === '' ? way.text : '',
      classes: way.classes + (min === 1 && way.classes === '' ? '' : escapedAll(way.text)),
      min: (way.min + (way.classes === '' ? way.text.length : 0)) * min,
    }));
  };
  const sequence = (): readonly Way[] => {
    let ways: readonly Way[] = [{ text: '', classes: '', min: 0 }];
    while (at < pattern.length && !'|)'.includes(pattern.charAt(at))) {
      const next = repeated(atom());
      ways = ways.flatMap((before) => next.map((after) => plus(before, after)));
      if (ways.length > maxWays) throw new Unread();
    }
    return ways;
  };
  const alternatives = (): readonly Way[] => {
    const all = [...sequence()];
    while (pattern.charAt(at) === '|') {
      at += 1;
      all.push(...sequence());
    }
    return all;
  };
  return alternatives();
};

/** What gitleaks puts behind a token. */
const ends = [
  String.raw`(?:[\x60'"\s;]|\\[nr]|$)`,
  String.raw`(?:[\x60'"\s;]|\\[nr]|$|\b)`,
  String.raw`(?:[^\w-]|\z)`,
  String.raw`(?:[^a-zA-Z0-9+/]|\z)`,
];

const rules = z
  .object({ rules: z.array(z.object({ id: z.string(), regex: z.string().optional() })) })
  .parse(
    parse(process.argv[2] === undefined ? await (await fetch(address)).text() : readFileSync(process.argv[2], 'utf8')),
  ).rules;

/** Enough of a token to be sure of it; the count of its issuer where that is less. */
const enough = 20;
/** Fixed characters that are no word or number by themselves. */
const isTelling = (text: string): boolean =>
  /^[A-Za-z\d][\w.-]{3,}$|^\w\w[_.-]$/u.test(text) && !/^(?:[\da-f]+|[\d.v-]+)$/u.test(text);
/** Paths and names of files are made of these characters as well: all of a token is asked for. */
const isPathLike = (classes: string): boolean =>
  new RegExp(`[${classes}]`, 'u').test('/') || new RegExp(`[${classes}]`, 'u').test('.');

const forms = new Map<string, readonly [string, number]>();
for (const { regex } of rules) {
  if (regex === undefined) continue;
  const end = ends.find((one) => regex.endsWith(one)) ?? '';
  const pattern = regex.slice(0, regex.length - end.length);
  const anyCase = pattern.includes('(?i)') || pattern.includes('(?i:');
  try {
    for (const { text, classes, min } of waysOf(pattern)) {
      if (!isTelling(text) || classes === '' || min < 8) continue;
      const wide = anyCase ? `${classes}A-Za-z0-9` : classes;
      const before = forms.get(text);
      const least = isPathLike(wide) ? min : Math.min(enough, min);
      forms.set(text, [(before?.[0] ?? '') + wide, Math.min(least, before?.[1] ?? least)]);
    }
  } catch (error) {
    if (!(error instanceof Unread)) throw error;
  }
}

/** The same characters once, in order, as the inside of a class. */
const tidy = (classes: string): string => {
  const set = new RegExp(`^[${classes}]$`, 'u');
  const all = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter((one) => set.test(one));
  let text = '';
  for (let index = 0; index < all.length;) {
    let last = index;
    while (all[last + 1] === String.fromCharCode((all[last] ?? '').charCodeAt(0) + 1)) last += 1;
    const [first = '', end = ''] = [all[index], all[last]];
    text +=
      last - index > 1
        ? `${escapedAll(first)}-${escapedAll(end)}`
        : all
            .slice(index, last + 1)
            .map(escapedAll)
            .join('');
    index = last + 1;
  }
  return text;
};

const lines = [...forms]
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([text, [classes, min]]) => `  [${JSON.stringify(text)}, ${JSON.stringify(tidy(classes))}, ${min}],`);
writeFileSync(
  target,
  `/**
 * Forms of tokens by their first characters: what they begin with, the characters that follow (the
 * inside of a class), and how many at least. Made by build/scripts/token-forms.ts from the rules of
 * gitleaks ${version}, https://github.com/gitleaks/gitleaks, Copyright (c) 2019 Zachary Rice, MIT
 * licence. Not edited by hand.
 */
export const tokenForms: readonly (readonly [start: string, characters: string, min: number])[] = [
${lines.join('\n')}
];
`,
);
console.log(`${lines.length} forms of ${rules.length} rules`);
