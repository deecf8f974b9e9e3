import { knownBy } from '../../../app/model/owner-sign.ts';
import type { SnapshotJob, SnapshotMember } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import { asSafe, safe } from './safe.ts';

/** The properties that define a job of a scene; the others are derived. */
export interface JobSketch {
  readonly id: string;
  readonly agent?: string;
  readonly command: string;
  readonly project?: string | null;
  readonly session?: string;
  readonly ageSeconds: number;
  readonly silentSeconds?: number;
  readonly owner?: SnapshotJob['owner'];
  readonly sinceSeconds?: number;
  readonly state?: SnapshotJob['verdict']['state'];
  readonly action?: SnapshotJob['verdict']['action'];
  readonly inSeconds?: number;
  readonly ports?: readonly number[];
  readonly locks?: readonly string[];
  readonly rssBytes?: number;
  readonly cpuPercent?: number;
  readonly diagnoses?: readonly { readonly code: string; readonly text: string }[];
  readonly reasons?: readonly { readonly code: string; readonly text: string }[];
  readonly vetoes?: readonly { readonly code: string; readonly text: string; readonly pid: number }[];
  readonly processes?: readonly string[];
  readonly host?: string;
  readonly output?: string | null;
  readonly keptUntilSeconds?: number;
  readonly container?: SnapshotJob['container'];
}

/** How the state of a session is known, by the key of other languages. */
const ownerSaid = {
  live: knownBy('agent process {pid} is running', { pid: 4711 }),
  gone: knownBy('agent process {pid} is gone', { pid: 4711 }),
  unknown: knownBy('nothing tells which session it belongs to'),
};

const evidence: Readonly<Record<SnapshotJob['owner'], string>> = {
  live: 'its session 43c8e917 runs as process 4711',
  gone: 'process 4711 of its session has ended, and ~/.claude/sessions has no entry for it',
  unknown: 'this agent keeps no list of its sessions',
};

const membersOf = (sketch: JobSketch, pid: number, nowMs: number): SnapshotMember[] =>
  (sketch.processes ?? [sketch.command]).map((line, index, all) => {
    const depth = line.length - line.trimStart().length;
    const parent = all.slice(0, index).findLastIndex((other) => other.length - other.trimStart().length < depth);
    return {
      pid: pid + index,
      ppid: parent === -1 ? 1 : pid + parent,
      pgid: pid,
      sid: pid,
      state: 'S',
      args: safe(line.trimStart()),
      by: index === 0 ? ['group', 'env'] : depth > 0 ? ['group', 'tree'] : ['ledger', 'env'],
      startedAt: moment(nowMs - Math.max(0, sketch.ageSeconds - index) * 1000),
      rssBytes: Math.round((sketch.rssBytes ?? 24_000_000) / all.length),
      // The last one works: a test runner, a build.
      cpuPercent: index === all.length - 1 ? Math.round(sketch.cpuPercent ?? 0) : 0,
    };
  });

/** Builds a whole job from its sketch, as of `nowMs`. */
export const sceneJob = (sketch: JobSketch, nowMs: number): SnapshotJob => {
  const pid = 4000 + (Number.parseInt(sketch.id.slice(0, 4), 16) % 20_000);
  const owner = sketch.owner ?? 'live';
  const members = membersOf(sketch, pid, nowMs);
  const startedAt = moment(nowMs - sketch.ageSeconds * 1000);
  const ownerReason =
    owner === 'gone'
      ? {
          code: 'owner-gone',
          text: `its session has ended: ${evidence.gone}`,
          figures: sketch.sinceSeconds === undefined ? {} : { sinceSeconds: sketch.sinceSeconds },
        }
      : { code: `owner-${owner}`, text: `its session is ${owner}: ${evidence[owner]}`, figures: {} };
  const project = sketch.project === undefined ? '/home/mara/work/shop-frontend' : sketch.project;
  const diagnosed = (sketch.diagnoses ?? []).map((diagnosis) => ({ ...diagnosis, figures: {} }));
  return asSafe<SnapshotJob>({
    id: sketch.id,
    host: sketch.host ?? 'local',
    agent: sketch.agent ?? 'claude-code',
    rule: 'claude-shell',
    command: safe(sketch.command),
    project: safe(project),
    session: sketch.session ?? '43c8e917-2f0b-4c0e-9f39-5f4b1f0c7a10',
    task: safe('b83bdcc'),
    output: safe(
      sketch.output === undefined ? '/tmp/claude-1000/-home-mara/43c8e917/tasks/b83bdcc.output' : sketch.output,
    ),
    root: { pid, startedAt, ppid: 1, pgid: pid, sid: pid, args: members[0]?.args ?? safe('') },
    members,
    owner,
    ownerEvidence: safe(evidence[owner]),
    ownerSaid: ownerSaid[owner],
    proof: sketch.state === 'probable' ? 'claimed' : 'look',
    silentSince: (sketch.silentSeconds ?? 0) < 60 ? null : moment(nowMs - (sketch.silentSeconds ?? 0) * 1000),
    goneSince: sketch.sinceSeconds === undefined ? null : moment(nowMs - sketch.sinceSeconds * 1000),
    kind: (sketch.ports ?? []).length > 0 ? 'service' : 'task',
    diagnoses: diagnosed.map((diagnosis) => diagnosis.code).map(safe),
    diagnosed,
    holds: {
      rssBytes: sketch.rssBytes ?? 24_000_000,
      cpuPercent: sketch.cpuPercent ?? 0,
      fds: 12,
      ports: [...(sketch.ports ?? [])],
      locks: [...(sketch.locks ?? [])].map(safe),
      sockets: 2,
      outputBytes: 2048,
    },
    verdict: {
      state: sketch.state ?? 'within',
      action: sketch.action ?? 'none',
      at: sketch.inSeconds === undefined ? null : moment(nowMs + sketch.inSeconds * 1000),
      endsAt: sketch.inSeconds === undefined ? null : moment(nowMs + sketch.inSeconds * 1000),
      reasons: [...(sketch.reasons ?? []).map((reason) => ({ ...reason, figures: {} })), ownerReason],
    },
    vetoes: (sketch.vetoes ?? []).map((veto) => ({ ...veto, figures: {} })),
    startedAt,
    keptUntil: sketch.keptUntilSeconds === undefined ? null : moment(nowMs + sketch.keptUntilSeconds * 1000),
    noticedAt: null,
    ...(sketch.container === undefined ? {} : { container: sketch.container }),
    evidence: [
      sketch.state === 'probable'
        ? { code: 'proof-claimed', text: 'not proved: only marks say that an agent started it', figures: {} }
        : {
            code: 'proof-look',
            text: 'proved: seen below Claude Code 4711 on 2026-11-14 at 14:02 UTC',
            figures: { agent: 'claude-code', pid: 4711, atMs: Date.UTC(2026, 10, 14, 14, 2) },
          },
      { code: 'wrapper', text: safe('Claude Code’s shell tool started it'), figures: {} },
      { code: 'marker', text: safe('it has Claude Code’s environment marker'), figures: {} },
    ],
  });
};
