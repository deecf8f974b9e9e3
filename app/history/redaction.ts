import { type Said, withTexts } from '../format/said.ts';
import type { SafeText } from '../format/secrets/safe-text.ts';
import type { Objection } from '../judge/stop-reason.ts';
import type { Reason } from '../judge/verdict.ts';
import type { IncidentEvent, Intent, RecordedProcess } from './incident.ts';

/** Replaces secrets in a text. `app/format` provides it; it is idempotent. */
export type Redact = (text: string) => SafeText;

/**
 * Maximum lengths of texts in the record, in UTF-16 units. Agents pass whole scripts in argv (up to
 * 128 KiB an argument on Linux, see execve(2)), and the record of 500 jobs has to stay small.
 */
const maxLengths = { command: 16_000, args: 4_000, sentence: 1_000, outputTail: 8_000 } as const;

/** A job with more processes is recorded with the first ones; the figures count all. */
const maxProcesses = 1_000;

const bounded = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 2).toWellFormed()} …`;

/** Redacts before cutting: half a secret is still one and is no longer recognised. */
const kept = (text: string, length: number, redact: Redact): SafeText => bounded(redact(text), length) as SafeText;

/** A folder, a name or a sentence. */
const keptOrNull = (text: string | null, redact: Redact): SafeText | null =>
  text === null ? null : kept(text, maxLengths.sentence, redact);

/** Returns an output's telling end, from a word boundary: a cut word could be half a secret. */
const endOf = (text: string): string => {
  if (text.length <= maxLengths.outputTail) return text;
  const tail = text.slice(-maxLengths.outputTail).toWellFormed();
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
      typeof value === 'string' ? kept(value, maxLengths.sentence, redact) : value,
    ]),
  );

const stated = <Statement extends Reason | Objection>(statement: Statement, redact: Redact): Statement => ({
  ...statement,
  figures: figures(statement.figures, redact),
});

const processes = (list: readonly RecordedProcess[], redact: Redact): readonly RecordedProcess[] =>
  list.slice(0, maxProcesses).map((process) => ({ ...process, args: kept(process.args, maxLengths.args, redact) }));

const keptTexts = (said: Said, redact: Redact): Said =>
  withTexts(said, (text) => kept(text, maxLengths.sentence, redact));

/** Redacts an intent for the disk: the engine does so too; this covers every path here. */
export const recordableIntent = (intent: Intent, redact: Redact): Intent => ({
  ...intent,
  command: kept(intent.command, maxLengths.command, redact),
  project: keptOrNull(intent.project, redact),
  task: keptOrNull(intent.task, redact),
  output: keptOrNull(intent.output, redact),
  ownerEvidence: kept(intent.ownerEvidence, maxLengths.sentence, redact),
  ...(intent.ownerSaid === undefined ? {} : { ownerSaid: keptTexts(intent.ownerSaid, redact) }),
  reasons: intent.reasons.map((reason) => stated(reason, redact)),
  evidence: intent.evidence.slice(0, maxProcesses).map((sentence) => kept(sentence, maxLengths.sentence, redact)),
  ...(intent.evidenceSaid === undefined
    ? {}
    : { evidenceSaid: intent.evidenceSaid.slice(0, maxProcesses).map((one) => keptTexts(one, redact)) }),
  processes: processes(intent.processes, redact),
});

const keptSaid = ({ said }: { readonly said?: Said }, redact: Redact): { readonly said?: Said } =>
  said === undefined ? {} : { said: keptTexts(said, redact) };

/** Redacts a later event for the disk. */
export const recordableEvent = (event: IncidentEvent, redact: Redact): IncidentEvent => {
  switch (event.kind) {
    case 'signal': {
      const { note } = event.signal;
      return {
        kind: 'signal',
        signal: { ...event.signal, note: keptOrNull(note, redact), ...keptSaid(event.signal, redact) },
      };
    }
    case 'veto':
      return { ...event, vetoes: event.vetoes.map((veto) => stated(veto, redact)) };
    case 'died':
      return event;
    case 'note':
      return {
        ...event,
        text: kept(event.text, maxLengths.sentence, redact),
        ...keptSaid(event, redact),
      };
    case 'ended':
      return {
        ...event,
        survivors: processes(event.survivors, redact),
        freed: { ...event.freed, locks: event.freed.locks.map((path) => kept(path, maxLengths.sentence, redact)) },
        outputTail: event.outputTail === null ? null : redact(endOf(event.outputTail)),
      };
  }
};
