import { setTimeout as pause } from 'node:timers/promises';
import { foldIncident } from '../../app/history/fold.ts';
import { incidentId, incidentRandomRange } from '../../app/history/incident-id.ts';
import type { Decider, Incident, IncidentEvent, Intent, Outcome } from '../../app/history/incident.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { LeftOpen } from '../../app/left-open/left-open.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { isSameLivingProcess } from '../../app/process/row.ts';
import { localHost } from '../../app/remote/host-name.ts';
import { commandText, leftOpenWord } from '../../app/text/left-open/left-open.ts';
import type { Look } from '../observing/look.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { rejectConcurrentReaper } from '../reaping/admission.ts';
import { recordedProcess } from '../reaping/freed.ts';
import type { Journal } from '../reaping/journal.ts';
import { isRunningNow } from '../reaping/recovery.ts';
import { askClient, type Found, type OwnEnd } from './found.ts';

/** Between two looks at how far it has ended, milliseconds. */
const pollMs = 100;
/** Between the two sightings, milliseconds. */
const betweenSightingsMs = 1_000;

/** What an end is carried out and recorded with. */
export interface LeftOpenEnding {
  readonly source: Pick<ProcessSource, 'read'>;
  readonly journal: Journal;
  readonly now: () => number;
  /** This Curfew process. */
  readonly writer: ProcessRef;
}

/** What came of an order to end something left open. */
export type LeftOpenEnd =
  | { readonly kind: 'not-found' }
  /** It may not be ended; `leftOpen` says why. */
  | { readonly kind: 'refused'; readonly leftOpen: LeftOpen }
  /** It is not what it was a moment ago. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'confirmed'; readonly found: Found & { readonly end: OwnEnd }; readonly look: Look };

/** The same process keeps it, and the same command ends it: that names server and session. */
const sameAs = (one: Found, other: Found): boolean =>
  one.leftOpen.kept.pid === other.leftOpen.kept.pid &&
  one.leftOpen.kept.startTicks === other.leftOpen.kept.startTicks &&
  commandText(one.end?.command ?? []) === commandText(other.end?.command ?? []);

/** Confirms over two looks, a second apart, that the user may end what has this id. */
export const confirmLeftOpen = async (
  id: string,
  survey: () => Promise<{ readonly look: Look; readonly found: readonly Found[] } | null>,
): Promise<LeftOpenEnd> => {
  const first = (await survey())?.found.find(({ leftOpen }) => leftOpen.id === id);
  if (first === undefined) return { kind: 'not-found' };
  if (first.end === null) return { kind: 'refused', leftOpen: first.leftOpen };
  await pause(betweenSightingsMs);
  const again = await survey();
  const second = again?.found.find(({ leftOpen }) => leftOpen.id === id);
  if (again === null || second === undefined) return { kind: 'not-found' };
  if (second.end === null) return { kind: 'refused', leftOpen: second.leftOpen };
  if (!sameAs(first, second)) return { kind: 'changed' };
  return { kind: 'confirmed', found: { leftOpen: second.leftOpen, end: second.end }, look: again.look };
};

/** What goes on disk before the command is run, or would. */
export const intentToEnd = (
  { leftOpen, end }: Found & { readonly end: OwnEnd },
  { table }: Look,
  decidedBy: Decider,
  { now, writer }: Pick<LeftOpenEnding, 'now' | 'writer'>,
): Intent => {
  const nowMs = now();
  return {
    id: incidentId(nowMs, Math.floor(Math.random() * incidentRandomRange)),
    atMs: nowMs,
    host: localHost,
    bootId: table.bootId,
    writer,
    job: leftOpen.id,
    agent: leftOpen.agent,
    rule: `left-open-${leftOpen.keeper}`,
    command: leftOpenWord(leftOpen),
    project: leftOpen.project,
    session: leftOpen.session,
    task: null,
    output: null,
    ageSeconds: Math.max(0, Math.round((nowMs - leftOpen.startedAtMs) / 1000)),
    owner: leftOpen.owner,
    ownerEvidence: leftOpen.evidence,
    decidedBy,
    verdict: 'orphaned',
    reasons: [],
    evidence: [leftOpen.evidence, `ended by the command of its keeper: ${commandText(leftOpen.endWith)}`],
    processes: leftOpen.inside.map(recordedProcess),
    firstSignal: end.signal,
    graceSeconds: end.patienceMs / 1000,
  };
};

/** Waits until none of these processes lives, for so long at most; returns those that do. */
const survivorsOf = async (
  { source }: Pick<LeftOpenEnding, 'source'>,
  rows: readonly ProcessRow[],
  patienceMs: number,
): Promise<readonly ProcessRow[]> => {
  const until = performance.now() + patienceMs;
  for (;;) {
    const living = rows.filter((row) => isSameLivingProcess(source.read(row.pid), row));
    if (living.length === 0 || performance.now() >= until) return living;
    await pause(pollMs);
  }
};

/**
 * Ends something left open by its keeper's own command, after it was confirmed. The intent is on
 * disk before, what came of it after. Curfew itself signals nothing: the keeper compares what it
 * ends in the same moment.
 * @throws what the journal throws; then nothing was done
 */
export const endLeftOpen = async (
  ending: LeftOpenEnding,
  { found, look }: Extract<LeftOpenEnd, { readonly kind: 'confirmed' }>,
  decidedBy: Decider,
): Promise<Incident> => {
  const { journal, now } = ending;
  const { leftOpen, end } = found;
  const intent = intentToEnd(found, look, decidedBy, ending);
  const events: IncidentEvent[] = [];
  const append = (event: IncidentEvent): void => {
    events.push(event);
    journal.append(intent.id, event);
  };
  journal.begin(intent, rejectConcurrentReaper(intent, isRunningNow(ending.source)));
  const { text, problem } = await askClient(end.command, end.environment, end.patienceMs + 5_000);
  const refused = end.refused !== null && text.includes(end.refused);
  const left = refused
    ? leftOpen.inside
    : await survivorsOf(ending, leftOpen.inside, problem === null ? end.patienceMs : 0);
  const survivors = new Set(left.map(({ pid }) => pid));
  const dead = leftOpen.inside.filter(({ pid }) => !survivors.has(pid));
  const outcome: Outcome = refused ? 'spared' : left.length === 0 ? 'reaped' : 'survived';
  const said = refused
    ? 'it had changed in that moment, and its keeper did nothing'
    : (problem ?? 'its keeper took the command');
  journal.together(() => {
    const atMs = now();
    append({ kind: 'note', atMs, text: `Curfew ran \`${commandText(leftOpen.endWith)}\`: ${said}.` });
    if (dead.length > 0) append({ kind: 'died', atMs, pids: dead.map(({ pid }) => pid) });
    append({
      kind: 'ended',
      atMs,
      outcome,
      survivors: left.map(recordedProcess),
      freed: {
        processes: dead.length,
        rssBytes: dead.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
        ports: [],
        locks: [],
      },
      outputTail: null,
    });
  });
  return foldIncident(intent, events);
};
