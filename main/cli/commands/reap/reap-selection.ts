import { isWitnessed } from '../../../../app/model/proof.ts';
import { worded } from '../../common/words.ts';
import { several } from '../../../../app/text/form.ts';
import { say, saidOf } from '../../../../app/text/say.ts';
import type { Said } from '../../../../app/format/said.ts';
import type { EndRefusal } from '../../../../app/ending/refusal.ts';
import type { Terms } from '../../../../app/judge/context.ts';
import { worstFirst } from '../../../../app/judge/worst-first.ts';
import { endableRoots } from '../../../../app/jobs/servers/older-sets.ts';
import type { JobKind } from '../../../../app/model/job.ts';
import type { FirstSignalName } from '../../../../app/process/signal.ts';
import type { Settings } from '../../../../app/settings/settings.ts';
import { usedSaid } from '../../../../app/text/reach.ts';
import { sayRefusal } from '../../../../app/text/refusals.ts';
import { endsOfOneLook } from '../../../ending/end.ts';
import { askedJob, type Asked, betweenLooksMs, seeAllTwice, seeTwice } from '../../../ending/two-looks.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
import type { RunningAgent } from '../../../../app/model/running-agent.ts';
import { planFor } from '../../../reaping/plan.ts';
import type { ReapingOrder } from '../../../reaping/reaping.ts';
import { agrees } from '../../common/agrees.ts';
import { wrongCall, NotDone } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { scanTable } from '../../common/scan-table.ts';

/**
 * Milliseconds between two looks where a server is due that was not measured before: what works now
 * and then is told by the bytes that it moves in between.
 */
const betweenMeasuresMs = 3000;

/** Options of `curfew reap`, checked. */
export interface ReapOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly maxAgeSeconds: number | null;
  readonly jobs: readonly string[];
  readonly session: string | null;
  /** A shell snapshot's name: the tool shells that sourced it. */
  readonly snapshot: string | null;
  /** An agent itself that no user can reach, by its process; null: none was asked for. */
  readonly agentPid: number | null;
  /** The process of a host whose older sets of servers are to end; null: none was asked for. */
  readonly olderSets: number | null;
  /** Only jobs of these kinds; empty: of all. */
  readonly kinds: readonly JobKind[];
  /** What is only probably left over is ended, too. */
  readonly probable: boolean;
  /** Without asking for that. */
  readonly yes: boolean;
  readonly graceSeconds: number | null;
  readonly signal: FirstSignalName | null;
  readonly uid: number | null;
  /** Another machine; null: this one. */
  readonly host: string | null;
}

/** `curfew reap` without an option. */
export const noReapOptions: ReapOptions = {
  json: false,
  dryRun: false,
  maxAgeSeconds: null,
  jobs: [],
  session: null,
  snapshot: null,
  agentPid: null,
  olderSets: null,
  kinds: [],
  probable: false,
  yes: false,
  graceSeconds: null,
  signal: null,
  uid: null,
  host: null,
};

/** True when jobs were selected by hand. */
export const byHand = (options: ReapOptions): boolean =>
  options.jobs.length > 0 ||
  options.session !== null ||
  options.snapshot !== null ||
  options.agentPid !== null ||
  options.olderSets !== null;

/** What a shell reads first; a snapshot that it only names later is another one's. */
const sourced = /\bsource (?:'[^'\n]*|[^\s'"]*)\/shell-snapshots\/([^\s'"/]+)/u;

/** By its whole name: the beginning of one, or an empty one, would be that of many sessions. */
const sourcesSnapshot = (judged: JudgedJob, name: string): boolean =>
  judged.job.members.some(({ row }) =>
    row.argv.some((argument) => {
      const used = sourced.exec(argument)?.[1];
      return used !== undefined && (used === name || used === `${name}.sh`);
    }),
  );

/**
 * Orphans that are old enough, what is past the hard cap, and with `--probable` what is probably
 * left over; observing, the same is shown.
 */
const isDue = ({ verdict }: JudgedJob): boolean =>
  verdict.state === 'probable'
    ? verdict.action === 'reap'
    : (verdict.state === 'orphaned' || verdict.state === 'past-cap') &&
      (verdict.action === 'reap' || verdict.reasons.some(({ code }) => code === 'observe-mode'));

const chosen = (look: Look, options: ReapOptions): readonly JudgedJob[] => {
  const { olderSets } = options;
  const roots = olderSets === null ? null : endableRoots(look.table, look.servers ?? [], olderSets);
  const all = roots === null ? look.jobs : new Map([...look.jobs, ...(look.agentJobs ?? [])]);
  return worstFirst(all.values()).filter((judged) => {
    if (roots !== null) return judged.job.server?.standing === 'living' && roots.has(judged.job.root.pid);
    // Agents are ended by name or by the supervisor.
    if (judged.job.reach !== undefined) return options.jobs.includes(judged.job.id);
    if (options.kinds.length > 0 && !options.kinds.includes(judged.job.kind)) return false;
    if (!byHand(options)) {
      // What was started with `curfew run` is ended by that, at its own limits.
      return judged.job.run === undefined && isDue(judged);
    }
    return (
      options.jobs.includes(judged.job.id) ||
      (options.session !== null && judged.job.session === options.session) ||
      (options.snapshot !== null && sourcesSnapshot(judged, options.snapshot))
    );
  });
};

/** Throws WrongCall where a job that is named is unknown. */
const requireKnown = (look: Look, { jobs }: ReapOptions): void => {
  const known = new Set<string>(look.jobs.keys());
  const missing = jobs.filter((id) => !known.has(id));
  if (missing.length === 0) return;
  throw wrongCall('no job {ids}; run `curfew scan` to list jobs', {
    ids: missing.map((id) => JSON.stringify(id)).join(', '),
  });
};

/** What two looks found to be ended. */
export interface Confirmed {
  readonly look: Look;
  readonly due: readonly JudgedJob[];
}

/**
 * Jobs that two looks, a pause apart, found with the same process as their root; by hand and by
 * rule alike. By rule at most as many as one look may end; the next call ends the rest.
 */
export const confirmDue = async (lookNow: () => Look | Promise<Look>, options: ReapOptions): Promise<Confirmed> => {
  let isFirst = true;
  const { look, due } = await seeAllTwice(
    lookNow,
    (seen) => {
      if (isFirst) requireKnown(seen, options);
      isFirst = false;
      return chosen(seen, options);
    },
    (candidates) => {
      const unmeasured = candidates.some(({ entry }) => entry.server !== undefined && entry.server.looks < 2);
      return unmeasured && !byHand(options) ? betweenMeasuresMs : betweenLooksMs;
    },
  );
  // What the user named is no mistake of a rule.
  if (options.dryRun || byHand(options)) return { look, due };
  return { look, due: endsOfOneLook(due, options.host === null ? 'here' : 'elsewhere') };
};

/** What holds for such a pass instead of grace and notice. */
export const termsOf = ({ maxAgeSeconds, kinds, probable }: ReapOptions): Extract<Terms, { kind: 'command' }> => ({
  kind: 'command',
  minAgeSeconds: maxAgeSeconds,
  ...(kinds.includes('server') ? { endsServers: true } : {}),
  ...(probable ? { endsProbable: true } : {}),
});

/** The order by which a job is ended: as was asked, else by the settings. */
export const orderOf =
  (settings: Settings, options: ReapOptions) =>
  ({ job }: JudgedJob): ReapingOrder => ({
    job: job.id,
    decidedBy: 'command',
    plan: planFor(job, settings, {
      ...(options.signal === null ? {} : { signal: options.signal }),
      ...(options.graceSeconds === null ? {} : { graceSeconds: options.graceSeconds }),
    }),
  });

/** Why something is not ended, as what ends the command: exit status 1. */
export const refused = (refusal: EndRefusal, what: Said | null = null): NotDone => {
  const why = refusal.kind === 'unrecordable' ? saidOf(refusal.problem) : sayRefusal(refusal);
  return new NotDone(what === null ? why : say('{what}: {why}', { what, why }));
};

/**
 * Returns the agent that this process is a part of.
 * @throws WrongCall where there is none
 */
export const agentOf = (look: Look, pid: number): RunningAgent => {
  const found = look.agents?.find(({ parts }) => parts.some((part) => Number(part.pid) === pid));
  if (found === undefined)
    throw wrongCall('process {pid} is no running agent of this user; `curfew scan` lists those out of reach', { pid });
  return found;
};

/**
 * The agent with this process, where two looks find that no user can reach it.
 * @throws WrongCall where there is no such agent, NotDone where it may not be ended
 */
export const confirmAgent = async ({ observer }: Pick<Engine, 'observer'>, pid: number): Promise<Confirmed> => {
  const seen = await seeTwice((): Asked<JudgedJob> => {
    const look = observer.look();
    const agent = agentOf(look, pid);
    const { job, reach } = agent;
    const judged = job === null ? undefined : look.agentJobs?.get(job);
    if (judged !== undefined) return askedJob(look, judged);
    const use = usedSaid(agent, look.table.takenAtMs);
    return { kind: 'within-reach', reach, ...(use === null ? {} : { use }) };
  });
  if (seen.kind !== 'confirmed') throw refused(seen, say('process {pid}', { pid }));
  return { look: seen.look, due: [seen.thing] };
};

const isProbable = ({ verdict }: JudgedJob): boolean => verdict.state === 'probable';

/** What a pass ends, and what it leaves because only marks name it. */
export interface Agreed {
  readonly due: readonly JudgedJob[];
  readonly left: readonly JudgedJob[];
}

const asks = (options: ReapOptions, output: Output): boolean =>
  !options.json && output.isTerminal && process.stdin.isTTY;

/** A session and a snapshot name only what marks say is theirs: a `.env` can hold such marks. */
const isNamedByMarks = ({ job }: JudgedJob, { jobs, session, snapshot }: ReapOptions): boolean =>
  (session !== null || snapshot !== null) && !jobs.includes(job.id) && !isWitnessed(job.proof);

/**
 * Returns what of the due jobs may be ended: what only marks name by `--probable` alone, with the
 * user's yes on a terminal, elsewhere with `--yes`. A job that was named itself is ended.
 */
export const agreedOn = async (
  look: Look,
  due: readonly JudgedJob[],
  options: ReapOptions,
  output: Output,
): Promise<Agreed> => {
  const hand = byHand(options);
  const byMarks = (one: JudgedJob): boolean => (hand ? isNamedByMarks(one, options) : isProbable(one));
  const probable = due.filter(byMarks);
  if (probable.length === 0) return { due, left: hand ? [] : [...look.jobs.values()].filter(isProbable) };
  const proved = { due: due.filter((one) => !byMarks(one)), left: probable };
  if (hand && !options.probable) return proved;
  if (options.yes || options.dryRun) return { due, left: [] };
  if (!asks(options, output)) {
    output.warn(
      worded('curfew: {jobs} probably left over: `--probable` needs `--yes` here', {
        jobs: several(probable.length, 'job'),
      }),
    );
    return proved;
  }
  const only: Look = { ...look, jobs: new Map(probable.map((judged) => [judged.job.id, judged])) };
  await output.write(scanTable(only, output, { explain: false, all: true }));
  const question = worded(
    probable.length === 1
      ? 'Only marks say that an agent started it. End {jobs}? [y/N] '
      : 'Only marks say that an agent started them. End {jobs}? [y/N] ',
    { jobs: several(probable.length, 'job') },
  );
  return (await agrees(question)) ? { due, left: [] } : proved;
};
