/**
 * Bytes of a command line that are read. One argument of Linux is at most 128 KiB (MAX_ARG_STRLEN,
 * https://man7.org/linux/man-pages/man2/execve.2.html), so a whole `bash -c STRING` always fits; a
 * longer line is a long list of arguments.
 */
export const commandLineBytes = 262_144;

/** Marks the last argument of a command line that was cut. */
export const cutMark = '… (cut)';

/** Returns where the trailing NULs of a text start. */
const endOfText = (text: string): number => {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
  return end;
};

/**
 * Returns the arguments in the text of /proc/PID/cmdline, each ended by NUL. A process that wrote a
 * title into its argument area leaves one text and padding (NULs, sometimes spaces): then there is
 * one argument, without the padding. Never throws.
 * `cut` says that the text ends before the command line does; the last argument is then marked. So
 * is the last one of `maxArguments`, where there are more.
 */
export const argumentsOf = (text: string, cut: boolean, maxArguments = Number.POSITIVE_INFINITY): readonly string[] => {
  const end = endOfText(text);
  if (end === 0) return [];
  const title = text.slice(0, end);
  if (!title.includes('\0')) {
    if (cut) return [title + cutMark];
    return [text.length - end > 1 ? title.trimEnd() : title];
  }
  const list = (text.endsWith('\0') ? text.slice(0, -1) : text).split('\0');
  const more = list.length > maxArguments;
  if (more) list.length = maxArguments;
  if (cut || more) list[list.length - 1] += cutMark;
  return list;
};

/** A command line as read, once for all processes that have it. */
export interface CommandText {
  readonly text: string;
  readonly argv: readonly string[];
}

export interface TextLimit {
  readonly bytes: number;
  readonly maxArguments: number;
}

/** Up to a sum of costs in bytes, command lines that are read anew are kept this far. */
interface Tier extends TextLimit {
  readonly upTo: number;
}

const whole: TextLimit = { bytes: commandLineBytes, maxArguments: Number.POSITIVE_INFINITY };

/**
 * Of the candidates' own user: whole, or no tool shell would be recognised; but a user who runs
 * thousands of programs with huge command lines costs no more than this.
 */
const ownTiers: readonly Tier[] = [
  { ...whole, upTo: 64e6 },
  { bytes: 16_384, maxArguments: 512, upTo: 96e6 },
  { bytes: 1_024, maxArguments: 32, upTo: Number.POSITIVE_INFINITY },
];

/** Of other users: names, and what tells programs apart. None of them is a candidate. */
const foreignTiers: readonly Tier[] = [
  { bytes: 4_096, maxArguments: 256, upTo: 4e6 },
  { bytes: 1_024, maxArguments: 64, upTo: 16e6 },
  { bytes: 256, maxArguments: 16, upTo: Number.POSITIVE_INFINITY },
];

/** What V8 takes for a text and its arguments at most: two bytes a character, a slice for each. */
const costOf = ({ text, argv }: CommandText): number => 2 * text.length + 32 * argv.length;

class Side {
  readonly #tiers: readonly Tier[];
  readonly #whole = new Map<string, CommandText>();
  readonly #cut = new Map<string, CommandText>();
  #cost = 0;

  constructor(tiers: readonly Tier[]) {
    this.#tiers = tiers;
  }

  get size(): number {
    return this.#whole.size + this.#cut.size;
  }

  limit(): TextLimit {
    return this.#tiers.find(({ upTo }) => this.#cost < upTo) ?? whole;
  }

  once(text: string, cut: boolean, maxArguments: number): CommandText {
    const texts = cut ? this.#cut : this.#whole;
    const known = texts.get(text);
    if (known !== undefined) return known;
    const fresh = { text, argv: argumentsOf(text, cut, maxArguments) };
    texts.set(text, fresh);
    this.#cost += costOf(fresh);
    return fresh;
  }

  keepOnly(used: ReadonlySet<readonly string[]>): void {
    for (const texts of [this.#whole, this.#cut])
      for (const [text, one] of texts) {
        if (used.has(one.argv)) continue;
        texts.delete(text);
        this.#cost -= costOf(one);
      }
  }
}

/**
 * The command lines of a process table, each text once, with a bound on their sum: any user can
 * start thousands of processes with 240 kB of arguments each, and what the forks of one share costs
 * that user nothing.
 */
export class CommandTexts {
  readonly #uid: number;
  readonly #own = new Side(ownTiers);
  readonly #foreign = new Side(foreignTiers);

  /** @param uid the user whose processes are candidates */
  constructor(uid: number) {
    this.#uid = uid;
  }

  limit(uid: number | null): TextLimit {
    return this.#of(uid).limit();
  }

  /** Returns a text that was read to its limit; the same object for the same text. */
  once(uid: number | null, text: string, cut: boolean, { maxArguments }: TextLimit): CommandText {
    return this.#of(uid).once(text, cut, maxArguments);
  }

  /** Forgets texts that no row has any more; cheap until there are some. */
  keepOnly(rows: ReadonlyMap<unknown, { readonly argv: readonly string[] }>): void {
    const kept = this.#own.size + this.#foreign.size;
    if (kept <= rows.size + 64) return;
    const used = new Set([...rows.values()].map(({ argv }) => argv));
    for (const side of [this.#own, this.#foreign]) side.keepOnly(used);
  }

  #of(uid: number | null): Side {
    return uid === this.#uid ? this.#own : this.#foreign;
  }
}
