import { redactProcess } from '../format/secrets/redact.ts';
import { moment } from '../format/moment.ts';
import { shortCommand } from '../format/short-command.ts';
import type { Incident, Outcome, RecordedProcess } from '../history/incident.ts';
import type { Job } from '../model/job.ts';
import type { Verdict } from '../judge/verdict.ts';
import { endsAtMs } from '../documents/job.ts';
import { sayFreed, sayShortfall, outcomeWord } from '../text/outcomes.ts';
import { sayWhy } from '../text/job.ts';
import { commonFields, ownerField, type LineSource, type Severity, LineTexts } from './common.ts';
import type { LineOf } from './line.ts';

const severities: Readonly<Record<Outcome, Severity>> = {
  reaped: 'INFO',
  killed: 'INFO',
  vanished: 'INFO',
  spared: 'WARN',
  interrupted: 'WARN',
  survived: 'ERROR',
};

const maxCommandInSentence = 120;

/** Present fields only: what is not known is left out. */
const known = (texts: LineTexts, project: string | null, session: string | null) => ({
  ...(project === null ? {} : { 'curfew.project': texts.text(project, 'name') }),
  ...(session === null ? {} : { 'curfew.session.id': texts.text(session, 'name') }),
});

/**
 * Returns the line of a job that needs a look, or whose end is announced.
 * @param atMs wall clock, milliseconds
 */
export const noticedLine = (
  source: LineSource,
  {
    job,
    verdict,
    host,
    atMs,
  }: { readonly job: Job; readonly verdict: Verdict; readonly host: string; readonly atMs: number },
): LineOf<'curfew.job.noticed'> => {
  const texts = new LineTexts();
  const endMs = endsAtMs(verdict);
  const end = endMs === null ? 'needs a look' : `is ended at ${moment(endMs)} unless it is kept`;
  const why = sayWhy(verdict.reasons);
  const command = texts.text(job.command, 'command');
  const fields = {
    body: texts.text(`job ${job.id} (${shortCommand(command, maxCommandInSentence)}) ${end}: ${why}`, 'sentence'),
    'process.pid': Number(job.root.pid),
    'process.parent_pid': Number(job.root.ppid),
    'process.command_line': texts.text(redactProcess(job.root), 'command'),
    ...ownerField(source, host),
    'curfew.job.id': job.id,
    'curfew.agent': job.agent,
    'curfew.command': command,
    ...known(texts, job.project, job.session),
    'curfew.owner.state': job.owner.state,
    'curfew.verdict': verdict.state,
    'curfew.reasons': texts.listed(verdict.reasons.map(({ code }) => code)),
    'curfew.age_seconds': Math.max(0, job.ageSeconds),
    'curfew.processes': job.members.length,
    ...(endMs === null ? {} : { 'curfew.ends_at': moment(endMs) }),
    'curfew.memory_bytes': job.holds.rssBytes,
  };
  return {
    'event.name': 'curfew.job.noticed',
    ...commonFields(source, { atMs, severity: 'INFO', host }),
    ...fields,
    ...texts.cut,
  };
};

/** A record that was edited by hand may hold any number. */
const whole = (value: number): number => Math.max(0, Math.trunc(value)) || 0;

/** The process that stands for the job: its first, whose parent is none of its own. */
const rootOf = (processes: readonly RecordedProcess[]): RecordedProcess | null => {
  const own = new Set(processes.map(({ pid }) => pid));
  return processes.find(({ ppid }) => !own.has(ppid)) ?? processes[0] ?? null;
};

const rootFields = (texts: LineTexts, root: RecordedProcess | null) =>
  root === null
    ? {}
    : {
        'process.pid': whole(root.pid),
        'process.parent_pid': whole(root.ppid),
        'process.command_line': texts.text(root.args, 'command'),
      };

/** Returns the line of an incident; null while it has no outcome. */
export const endedLine = (source: LineSource, incident: Incident): LineOf<'curfew.job.ended'> | null => {
  const { outcome, host, freed } = incident;
  if (outcome === null) return null;
  const texts = new LineTexts();
  const tookMs = incident.tookMs ?? 0;
  const why = sayWhy(incident.reasons);
  const after = sayShortfall(incident) || `freed ${sayFreed(freed)}`;
  const command = texts.text(incident.command, 'command');
  const vetoes = incident.events.flatMap((event) => (event.kind === 'veto' ? event.vetoes : []));
  const results = incident.signals.map(({ result }) => result);
  const fields = {
    body: texts.text(
      `job ${incident.job} (${shortCommand(command, maxCommandInSentence)}) ${outcomeWord(outcome)}; ${why}; ${after}`,
      'sentence',
    ),
    ...rootFields(texts, rootOf(incident.processes)),
    ...ownerField(source, host),
    'curfew.job.id': incident.job,
    'curfew.agent': incident.agent,
    'curfew.command': command,
    ...known(texts, incident.project, incident.session),
    'curfew.owner.state': incident.owner,
    'curfew.verdict': texts.text(incident.verdict, 'name'),
    'curfew.reasons': texts.listed(incident.reasons.map(({ code }) => texts.text(code, 'name'))),
    'curfew.age_seconds': incident.ageSeconds,
    'curfew.processes': incident.processes.length,
    'curfew.incident.id': incident.id,
    'curfew.outcome': outcome,
    'curfew.decided_by': incident.decidedBy,
    'curfew.first_signal': incident.firstSignal,
    'curfew.grace_seconds': incident.graceSeconds,
    'curfew.took_seconds': tookMs / 1000,
    'curfew.signals.sent': results.filter((result) => result === 'sent').length,
    'curfew.signals.refused': results.filter((result) => result === 'refused').length,
    'curfew.vetoes': texts.listed([...new Set(vetoes.map(({ code }) => texts.text(code, 'name')))]),
    'curfew.survivors': texts.listed(incident.survivors.map(({ pid }) => whole(pid))),
    'curfew.freed.processes': whole(freed.processes),
    'curfew.freed.memory_bytes': whole(freed.rssBytes),
    'curfew.freed.ports': texts.listed(freed.ports.map(whole)),
    'curfew.freed.locks': freed.locks.length,
  };
  return {
    'event.name': 'curfew.job.ended',
    ...commonFields(source, { atMs: incident.atMs + tookMs, severity: severities[outcome], host }),
    ...fields,
    ...texts.cut,
  };
};
