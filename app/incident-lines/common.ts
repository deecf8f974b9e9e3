import { moment } from '../format/moment.ts';
import { redactCommand } from '../format/secrets/redact.ts';
import { visibleText } from '../format/visible.ts';
import { localHost } from '../remote/host-list.ts';
import type { Line } from './line.ts';

export interface LineSource {
  readonly version: string;
  readonly hostName: string;
  /** The user whose processes are looked at here, where the system has a name for it. */
  readonly userName: string | null;
}

export type Severity = Line['severity_text'];

/** Numbers of the log data model: https://opentelemetry.io/docs/specs/otel/logs/data-model/ */
const numbers = { INFO: 9, WARN: 13, ERROR: 17 } as const satisfies Readonly<Record<Severity, number>>;

/** The parts of `user@host`; a domain user holds an @ itself. */
const partsOf = (host: string): { readonly user: string | null; readonly machine: string } => {
  const at = host.lastIndexOf('@');
  return at === -1 ? { user: null, machine: host } : { user: host.slice(0, at), machine: host.slice(at + 1) };
};

/**
 * Returns the fields of every line.
 * @param host `local`, or the name that ssh knows
 * @param atMs wall clock, milliseconds
 */
export const commonFields = (
  source: LineSource,
  { atMs, severity, host }: { readonly atMs: number; readonly severity: Severity; readonly host: string },
) => ({
  timestamp: moment(atMs),
  severity_text: severity,
  severity_number: numbers[severity],
  'service.name': 'curfew' as const,
  'service.version': source.version,
  'host.name': host === localHost ? source.hostName : partsOf(host).machine,
});

/** Returns the field that names the user; nothing where that is not known. */
export const ownerField = (source: LineSource, host: string): { readonly 'process.owner'?: string } => {
  const name = host === localHost ? source.userName : partsOf(host).user;
  return name === null ? {} : { 'process.owner': name };
};

/**
 * Maximum lengths of texts in a line, UTF-16 units. With all of them a line stays below the 48 KB
 * at which journald splits a line of a service (LineMax, journald.conf(5)), and far below the
 * largest datagram.
 */
const maxLengths = { command: 2_000, sentence: 1_000, name: 500 } as const;

/** Most numbers or codes in a list of a line. */
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
