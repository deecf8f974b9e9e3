import type { Word } from './script.ts';

/** Option syntax of a program. If it is wrong, it counts an operand too many, never one too few. */
export interface OptionForm {
  /** Short options with a value: `n` for `head -n 5`. */
  readonly valued: string;
  /** Long options whose value is the next word. */
  readonly longValued?: readonly string[];
}

/** A program's arguments, parsed. */
export interface Arguments {
  /** Short options by letter, long ones by name with dashes; of `--name=value` the name. */
  readonly options: ReadonlySet<string>;
  readonly operands: readonly Word[];
}

/**
 * True if a word of unknown value is certainly an operand: `~/log`, `logs/*.log`, `"$DIR/log"`. Not
 * a bare variable, which may hold options, nor an unquoted one, which may become several words.
 */
const isSurelyOperand = ({ text }: Word): boolean =>
  /^[\w~./][^$`]*$/u.test(text) || /^"(?:[\w./]|\$\{?\w+\}?[/.:])[^`]*"$/u.test(text);

/** Parses arguments as getopt_long does; null if the value of a word is unknown. */
export const argumentsOf = (words: readonly Word[], form: OptionForm): Arguments | null => {
  const options = new Set<string>();
  const operands: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    const value = word?.value;
    if (word === undefined || (value == null && !isSurelyOperand(word))) return null;
    if (value === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (value == null) operands.push(word);
    else if (value.startsWith('--')) {
      const [name = ''] = value.split('=', 1);
      options.add(name);
      if (name === value && form.longValued?.includes(name) === true) index += 1;
    } else if (value.startsWith('-') && value !== '-') {
      const letters = value.slice(1).split('');
      const at = letters.findIndex((letter) => form.valued.includes(letter));
      for (const letter of at === -1 ? letters : letters.slice(0, at + 1)) options.add(letter);
      if (at !== -1 && at === letters.length - 1) index += 1;
    } else operands.push(word);
  }
  return { options, operands };
};

/** True if an option was given, by letter or by name. */
export const hasOption = ({ options }: Arguments, ...names: readonly string[]): boolean =>
  names.some((name) => options.has(name));
