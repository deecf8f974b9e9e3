import type { Objection } from '../judge/stop-reason.ts';
import type { Reason } from '../judge/verdict.ts';
import type { IncidentEvent, Intent, RecordedProcess } from './incident.ts';

/** Replaces secrets in a text. `app/text` has the one that knows them; applying it twice must change nothing. */
export type Redact = (text: string) => string;

/**
 * The longest texts that the record keeps, in UTF-16 units. Agents pass whole scripts in argv (up to 128 KiB an argument on
 * Linux, see execve(2)), and the record of 500 jobs has to stay a record.
 */
const longest = { command: 16_000, args: 4_000, sentence: 1_000, outputTail: 8_000 } as const;

/** A job with more processes than this is recorded with the first ones; the figures still count all. */
const maxProcesses = 1_000;

const bounded = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 2).toWellFormed()} …`;

/** Redacts first: half a secret is still one, and a cut one is no longer recognised. */
const kept = (text: string, length: number, redact: Redact): string => bounded(redact(text), length);

/** The end of an output, which tells the most, from the beginning of a word on: a word that is cut could be half a secret. */
const endOf = (text: string): string => {
  if (text.length <= longest.outputTail) return text;
  const tail = text.slice(-longest.outputTail).toWellFormed();
  const space = tail.search(/\s/u);
  return space === -1 ? '…' : `…${tail.slice(space)}`;
};

const figures = (
  values: Readonly<Record<string, number | string>>,
  redact: Redact,
): Readonly<Record<string, number | string>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? kept(value, longest.sentence, redact) : value,
    ]),
  );

const stated = <Statement extends Reason | Objection>(statement: Statement, redact: Redact): Statement => ({
  ...statement,
  figures: figures(statement.figures, redact),
});

const processes = (list: readonly RecordedProcess[], redact: Redact): readonly RecordedProcess[] =>
  list.slice(0, maxProcesses).map((process) => ({ ...process, args: kept(process.args, longest.args, redact) }));

/**
 * An intent as it may be written down. The engine redacts when it reads a command line; this is the last door before the disk,
 * so that no path into the record can forget it.
 */
export const recordableIntent = (intent: Intent, redact: Redact): Intent => ({
  ...intent,
  command: kept(intent.command, longest.command, redact),
  ownerEvidence: kept(intent.ownerEvidence, longest.sentence, redact),
  reasons: intent.reasons.map((reason) => stated(reason, redact)),
  evidence: intent.evidence.slice(0, maxProcesses).map((sentence) => kept(sentence, longest.sentence, redact)),
  processes: processes(intent.processes, redact),
});

/** The same for what happens afterwards. */
export const recordableEvent = (event: IncidentEvent, redact: Redact): IncidentEvent => {
  switch (event.kind) {
    case 'signal': {
      const { note } = event.signal;
      return {
        kind: 'signal',
        signal: { ...event.signal, note: note === null ? null : kept(note, longest.sentence, redact) },
      };
    }
    case 'veto':
      return { ...event, vetoes: event.vetoes.map((veto) => stated(veto, redact)) };
    case 'died':
      return event;
    case 'note':
      return { ...event, text: kept(event.text, longest.sentence, redact) };
    case 'ended':
      return {
        ...event,
        survivors: processes(event.survivors, redact),
        outputTail: event.outputTail === null ? null : redact(endOf(event.outputTail)),
      };
  }
};
