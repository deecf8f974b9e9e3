import { type JudgedJob, jobView } from '../documents/job.ts';
import type { Incident } from '../history/incident.ts';
import { moment, momentOrNull } from '../format/moment.ts';
import { redactCommand } from '../format/secrets/redact.ts';
import { visibleLines, visibleText } from '../format/visible.ts';
import { nameOf } from '../agents/names.ts';
import { devServerLocks } from '../locks/git-folder.ts';
import type { ProcessTable } from '../process/table.ts';
import { sayReason } from '../text/reasons.ts';
import type { Proof } from './proof.ts';
import type { PortView } from '../contract/views/port-view.ts';
import type { ToolOutput } from './tools.ts';

const maxTextLength = 300;

/** A program's text for a model: no secrets, one line, all visible, at most 300 characters. */
export const toldText = (text: string): string => {
  const visible = visibleText(redactCommand(text));
  return visible.length <= maxTextLength ? visible : `${visible.slice(0, maxTextLength - 1).toWellFormed()}…`;
};

/** What is proved, as every listing says it. */
export const proofView = (proof: Proof): ToolOutput<'list_my_background_work'>['proof'] => {
  const own = proof.kind === 'none' ? null : proof.own;
  const [id = null] = own?.ids ?? [];
  return {
    proved: proof.kind === 'session',
    why: proof.kind === 'session' ? null : toldText(proof.why),
    agent: own === null ? null : nameOf(own.agent),
    session: id === null ? null : toldText(id),
    pid: own?.pid ?? null,
  };
};

/**
 * One job as its session is told of it.
 * @param keptBecause the reason that the session gave when it kept it; null for none
 */
export const workView = (
  judged: Omit<JudgedJob, 'table'>,
  table: ProcessTable,
  keptBecause: string | null,
): ToolOutput<'list_my_background_work'>['work'][number] => {
  const { job } = judged;
  const { verdict, diagnosed, vetoes } = jobView({ ...judged, table });
  return {
    job: job.id,
    kind: job.kind,
    command: toldText(job.command),
    name: job.name === undefined ? null : toldText(job.name),
    task: job.task === null ? null : toldText(job.task),
    ageSeconds: Math.floor(job.ageSeconds),
    silentSeconds: Math.floor(job.silentSeconds),
    memoryBytes: job.holds.rssBytes,
    processes: job.members.length,
    ports: [...job.holds.ports],
    state: verdict.state,
    endsAt: verdict.endsAt,
    why: [...verdict.reasons, ...vetoes].map(({ text }) => toldText(text)),
    diagnoses: diagnosed.map(({ text }) => toldText(text)),
    keptUntil: momentOrNull(job.keptUntilMs),
    keptBecause: keptBecause === null ? null : toldText(keptBecause),
    hasOutput: job.output !== null,
  };
};

/** Returns the last lines of a text, within both limits, and whether more was there. */
export const lastLines = (
  text: string,
  maxLines: number,
  maxCharacters: number,
): { readonly text: string; readonly lines: number; readonly cut: boolean } => {
  const all = visibleLines(text).split('\n');
  if (all.at(-1) === '') all.pop();
  const lines = all.slice(-maxLines);
  let joined = lines.join('\n');
  const tooLong = joined.length > maxCharacters;
  if (tooLong) joined = joined.slice(-maxCharacters).toWellFormed();
  return {
    text: joined,
    lines: joined === '' ? 0 : joined.split('\n').length,
    cut: tooLong || lines.length < all.length,
  };
};

/** One end on record, as its session is told of it. */
export const incidentToldOf = (incident: Incident): ToolOutput<'why_was_it_ended'>['incidents'][number] => ({
  incident: incident.id,
  job: incident.job,
  command: toldText(incident.command),
  at: moment(incident.atMs),
  outcome: incident.outcome,
  decidedBy: incident.decidedBy,
  why: incident.reasons.map((reason) => toldText(sayReason(reason))),
  freedProcesses: incident.freed.processes,
  freedBytes: incident.freed.rssBytes,
});

/** A text of a view, for a model. */
const toldOrNull = (text: string | null): string | null => (text === null ? null : toldText(text));

const withSlashes = (path: string): string => path.replaceAll('\\', '/');

/** Returns whether a path is that of a lock that a development server in this folder takes. */
const isLockIn = (folder: string | null, path: string): boolean =>
  folder !== null &&
  devServerLocks.some((lock) => withSlashes(path) === `${withSlashes(folder).replace(/\/$/u, '')}/${lock}`);

/**
 * What is known of a port, for the session that asks. Of another session's job its place is told,
 * so that the model can say whose it is; of the user's own programs the name. Commands and ids of
 * sessions are told of the session's own jobs alone, locks of no folder of the user's own programs.
 */
export const toldPort = (view: PortView, ownJobs: ReadonlySet<string>): ToolOutput<'who_holds_port'> => ({
  ...view,
  holders: view.holders.map((holder) => {
    const { job, worktree } = holder;
    const own = job !== null && ownJobs.has(job.id);
    return {
      ...holder,
      own,
      name: toldText(holder.name),
      command: own ? toldText(holder.command) : null,
      // A command that is cut would be another one.
      again: own && holder.again !== null ? visibleText(holder.again) : null,
      folder: job === null ? null : toldOrNull(holder.folder),
      worktree:
        job === null || worktree === null
          ? null
          : { ...worktree, folder: toldText(worktree.folder), branch: toldOrNull(worktree.branch) },
      job:
        job === null
          ? null
          : {
              ...job,
              session: own ? job.session : null,
              command: own ? toldText(job.command) : '',
              text: job.text.map(toldText),
            },
    };
  }),
  clients: view.clients.map((client) => ({ ...client, name: toldOrNull(client.name) })),
  locks: view.holders.some(({ job }) => job !== null)
    ? view.locks
        .filter(({ path }) => !view.holders.some(({ job, folder }) => job === null && isLockIn(folder, path)))
        .map((one) => ({ ...one, path: toldText(one.path) }))
    : [],
});
