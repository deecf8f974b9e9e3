import { setTimeout as pause } from 'node:timers/promises';
import type { JobKind } from '../../../../app/jobs/model/job.ts';
import type { ReapingPlan } from '../../../../app/reap/machine.ts';
import type { FirstSignalName } from '../../../../app/process/signal.ts';
import type { Terms } from '../../../../app/judge/context.ts';
import type { Settings } from '../../../../app/settings/settings.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
import { endsOfOneLook } from '../../../reaping/bound.ts';
import { apartShare, confirmTwice, sightingOf } from '../../../reaping/confirm-twice.ts';
import { planFor } from '../../../reaping/plan.ts';
import { WrongCall } from '../../common/exit-status.ts';
import { worstFirst } from '../../../../app/judge/worst-first.ts';

/** Between the two sightings, milliseconds. */
export const betweenSightingsMs = 1000;

/**
 * The same where a server is due that was not measured before: what works now and then is told by
 * the bytes that it moves in between.
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

/** True when jobs were selected by hand. */
export const byHand = (options: ReapOptions): boolean =>
  options.jobs.length > 0 || options.session !== null || options.snapshot !== null || options.agentPid !== null;

const sourcesSnapshot = (judged: JudgedJob, name: string): boolean =>
  judged.job.members.some(({ row }) => row.argv.some((argument) => argument.includes(`/shell-snapshots/${name}`)));

/**
 * Orphans that are old enough, what is past the hard cap, and with `--probable` what is probably
 * left over; observing, the same is shown.
 */
const isDue = ({ verdict }: JudgedJob): boolean =>
  verdict.state === 'probable'
    ? verdict.action === 'reap'
    : (verdict.state === 'orphaned' || verdict.state === 'past-cap') &&
      (verdict.action === 'reap' || verdict.reasons.some(({ code }) => code === 'observe-mode'));

const chosen = (look: Look, options: ReapOptions): readonly JudgedJob[] =>
  worstFirst(look.jobs.values()).filter((judged) => {
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

const unknownIds = (look: Look, options: ReapOptions): readonly string[] => {
  const known = new Set<string>(look.jobs.keys());
  return options.jobs.filter((id) => !known.has(id));
};

/**
 * Jobs that two looks, a pause apart, found with the same process as their root; by hand and by
 * rule alike. By rule at most as many as one look may end; the next call ends the rest.
 */
export const confirmDue = async (
  lookNow: () => Look | Promise<Look>,
  options: ReapOptions,
): Promise<{ readonly look: Look; readonly due: readonly JudgedJob[] }> => {
  const first = await lookNow();
  const missing = unknownIds(first, options);
  if (missing.length > 0)
    throw new WrongCall(
      `no job ${missing.map((id) => JSON.stringify(id)).join(', ')}; run \`curfew scan\` to list jobs`,
    );
  const candidates = chosen(first, options);
  const before = new Map(candidates.map((judged) => [judged.job.id, sightingOf(first, judged)]));
  if (before.size === 0) return { look: first, due: [] };
  const unmeasured = candidates.some(({ entry }) => entry.server !== undefined && entry.server.looks < 2);
  await pause(unmeasured && !byHand(options) ? betweenMeasuresMs : betweenSightingsMs);
  const look = await lookNow();
  const apartSeconds = (betweenSightingsMs / 1000) * apartShare;
  const due = chosen(look, options).filter((judged) =>
    confirmTwice(before.get(judged.job.id), look, judged, apartSeconds),
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

/** How a job is ended: as was asked, else by the settings. */
export const planOf = (settings: Settings, judged: JudgedJob, options: ReapOptions): ReapingPlan =>
  planFor(judged.job, settings, {
    ...(options.signal === null ? {} : { signal: options.signal }),
    ...(options.graceSeconds === null ? {} : { graceSeconds: options.graceSeconds }),
  });
