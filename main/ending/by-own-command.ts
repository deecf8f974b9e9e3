import { noted, notedEvidence } from '../../app/text/noted.ts';
import { inEnglish, say } from '../../app/text/say.ts';
import { ownerSaid, type Said } from '../../app/format/said.ts';
import type { Found } from '../../app/format/secrets/safe-text.ts';
import { safeName, safeView } from '../../app/format/secrets/safe-view.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { foldIncident } from '../../app/history/fold.ts';
import { incidentId, incidentRandomRange } from '../../app/history/incident-id.ts';
import type { EndRefusal } from '../../app/ending/refusal.ts';
import type { Decider, Incident, IncidentEvent, Intent, Outcome } from '../../app/history/incident.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import { type ProcessRow, isSameLivingProcess } from '../../app/process/row.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { localHost } from '../../app/remote/host-list.ts';
import { commandText } from '../../app/text/left-open.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { rejectConcurrentReaper } from '../reaping/admission.ts';
import { recordedProcess } from '../reaping/freed.ts';
import type { Journal } from '../reaping/journal.ts';
import { isRunningNow } from '../reaping/recovery.ts';
import { unrecordable } from './end.ts';
import { type EndByKeeper, runOwnCommand } from './own-command.ts';

/** Between two looks at how far it has ended, milliseconds. */
const pollMs = 100;

export interface KeeperTools {
  readonly source: Pick<ProcessSource, 'read'>;
  readonly journal: Journal;
  /** This Curfew process. */
  readonly writer: ProcessRef;
  /** Null when an incident can be recorded; else why not. */
  readonly journalProblem: () => Error | null;
}

/** Something that may be ended by the command of the program that keeps it. */
export interface OwnEndable {
  /** The command as a user would write it. */
  readonly shown: readonly string[];
  /** Returns what goes on disk before the command is run, or would. */
  readonly intent: (decidedBy: Decider, ending: KeeperTools) => Intent;
  /** Runs the command. Rejects with what the journal throws; then nothing was done. */
  readonly run: (ending: KeeperTools, intent: Intent) => Promise<Incident | EndRefusal>;
}

/** Ends by its own command what two looks confirmed. Rejects, nothing done, if the journal does. */
export const endByOwnCommand = async (
  ending: KeeperTools,
  { intent, run }: OwnEndable,
  decidedBy: Decider,
): Promise<Incident | EndRefusal> => unrecordable(ending) ?? run(ending, intent(decidedBy, ending));

/** What is said of the thing that is ended, for the record. */
export type OwnEndSubject = Pick<
  Found<Intent>,
  'job' | 'agent' | 'rule' | 'command' | 'project' | 'session' | 'owner' | 'decidedBy'
> & {
  /** How it is known whose it is, and what ends it. */
  readonly evidence: readonly [Said, Said];
  readonly startedAtMs: number;
  readonly rows: readonly ProcessRow[];
};

/** Returns what goes on disk before the command is run, or would. */
export const ownEndIntent = (
  { startedAtMs, rows, evidence, ...subject }: OwnEndSubject,
  end: Pick<EndByKeeper, 'signal' | 'patienceMs'>,
  { bootId }: Pick<ProcessTable, 'bootId'>,
  { writer }: Pick<KeeperTools, 'writer'>,
): Intent => {
  const nowMs = Date.now();
  return safeView<Intent>({
    ...subject,
    ownerEvidence: inEnglish(evidence[0]),
    ...ownerSaid(evidence[0], safeName),
    ...notedEvidence(evidence),
    id: incidentId(nowMs, Math.floor(Math.random() * incidentRandomRange)),
    atMs: nowMs,
    host: localHost,
    bootId,
    writer,
    task: null,
    output: null,
    ageSeconds: Math.max(0, Math.round((nowMs - startedAtMs) / 1000)),
    verdict: 'orphaned',
    reasons: [],
    processes: rows.map(recordedProcess),
    firstSignal: end.signal,
    graceSeconds: end.patienceMs / 1000,
  });
};

/** Waits until none of these processes lives, at most `patienceMs`; returns those that do. */
const survivorsOf = async (
  { source }: Pick<KeeperTools, 'source'>,
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
 * Ends something by the command of the program that keeps it, after it was confirmed. The intent is
 * on disk before, what came of it after. Curfew itself signals nothing.
 * @param rows the processes that are gone when it has ended
 * @param shown the command as a user would write it
 * @throws what the journal throws; then nothing was done
 */
export const runCommand = async (
  ending: KeeperTools,
  intent: Intent,
  end: EndByKeeper,
  rows: readonly ProcessRow[],
  shown: readonly string[],
): Promise<Incident> => {
  const { journal } = ending;
  const events: IncidentEvent[] = [];
  const append = (event: IncidentEvent): void => {
    events.push(event);
    journal.append(intent.id, event);
  };
  journal.begin(intent, rejectConcurrentReaper(intent, isRunningNow(ending.source)));
  const { text, problem } = await runOwnCommand(end);
  const refused = end.refused !== null && text.includes(end.refused);
  const left = refused ? rows : await survivorsOf(ending, rows, problem === null ? end.patienceMs : 0);
  const survivors = new Set(left.map(({ pid }) => pid));
  const dead = rows.filter(({ pid }) => !survivors.has(pid));
  const outcome: Outcome = refused ? 'spared' : left.length === 0 ? 'reaped' : 'survived';
  const said = refused
    ? say('it had changed in that moment, and its keeper did nothing')
    : (problem ?? say('its keeper took the command'));
  journal.together(() => {
    const atMs = Date.now();
    append(noted(atMs, say('Curfew ran `{command}`: {said}.', { command: commandText(shown), said })));
    if (dead.length > 0) append({ kind: 'died', atMs, pids: dead.map(({ pid }) => pid) });
    append({
      kind: 'ended',
      atMs,
      outcome,
      survivors: left.map(recordedProcess),
      freed: {
        processes: dead.length,
        rssBytes: dead.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
        cameAndWent: 0,
        ports: [],
        locks: [],
      },
      outputTail: null,
    });
  });
  return foldIncident(intent, events);
};
