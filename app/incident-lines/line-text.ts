import { redactCommand } from '../format/secrets/redact.ts';
import { visibleText } from '../format/visible.ts';

/**
 * Maximum lengths of texts in a line, UTF-16 units. With all of them a line stays below the 48 KB
 * at which journald splits a line of a service (LineMax, journald.conf(5)), and far below the
 * largest datagram.
 */
const maxLengths = { command: 2_000, sentence: 1_000, name: 500 } as const;

/** Lists of numbers and codes are cut after so many. */
const maxListed = 50;

/** Makes texts fit for a line, and notes whether one was cut. */
export class LineTexts {
  #cut = false;

  /** The field that says so; nothing where all is whole. */
  get cut(): { readonly 'curfew.cut'?: true } {
    return this.#cut ? { 'curfew.cut': true } : {};
  }

  /**
   * Without secrets, as one line without control characters. Redacts first: what ends a secret may
   * be a line break. Cuts last: half a secret is not recognised.
   */
  text(text: string, kind: keyof typeof maxLengths): string {
    const clean = visibleText(redactCommand(text));
    const max = maxLengths[kind];
    if (clean.length <= max) return clean;
    this.#cut = true;
    return `${clean.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
  }

  /** The first of a list. */
  listed<One>(list: readonly One[]): One[] {
    if (list.length > maxListed) this.#cut = true;
    return list.slice(0, maxListed);
  }
}
