import type { Snapshot, SnapshotJob } from '../../app/contract/views/snapshot.ts';
import { moment } from '../../app/format/moment.ts';
import { safeName } from '../../app/format/secrets/safe-view.ts';

/**
 * Agent, project and session, command, age in minutes, megabytes, port, and minutes since the
 * session was closed; null: only marks name an agent.
 */
type Made = readonly [string, string, string, number, number, number | null, number | null];

const made: readonly Made[] = [
  ['claude-code', 'shop', 'npm run dev', 190, 480, 5173, 8],
  ['claude-code', 'shop', 'npx tsc --watch --noEmit', 185, 690, null, 8],
  ['codex', 'api', 'pytest -n 8 tests/integration', 51, 1100, null, 2],
  ['gemini', 'docs', 'node scripts/proxy.js --port 9229', 12, 120, 9229, null],
];

/** They look like pids, and no process has them: Linux counts to 4,194,304. */
const firstPid = 9_000_001;

const jobOf = (one: Made, index: number, nowMs: number): SnapshotJob => {
  const [agent, project, line, minutes, megabytes, port, closed] = one;
  const ago = (length: number): string => moment(nowMs - length * 60_000);
  const startedAt = ago(minutes);
  const command = safeName(line);
  const pid = firstPid + index;
  const process = { pid, ppid: 1, pgid: pid, sid: pid, args: command, startedAt };
  const rssBytes = megabytes * 1_000_000;
  const ports = port === null ? [] : [port];
  const endsAt = closed === null ? null : ago(closed - 10);
  return {
    id: `e${index}`,
    host: 'local',
    agent,
    rule: 'example',
    command,
    project: safeName(`/example/${project}`),
    session: project,
    task: null,
    output: null,
    root: process,
    members: [{ ...process, state: 'S', by: ['group'], rssBytes, cpuPercent: 0 }],
    owner: closed === null ? 'unknown' : 'gone',
    ownerEvidence: safeName(''),
    proof: closed === null ? 'claimed' : 'look',
    silentSince: null,
    goneSince: closed === null ? null : ago(closed),
    kind: port === null ? 'task' : 'service',
    diagnoses: [],
    diagnosed: [],
    holds: { rssBytes, cpuPercent: 0, fds: 9, ports, locks: [], sockets: 0, outputBytes: null },
    verdict: { state: closed === null ? 'probable' : 'orphaned', action: 'none', at: endsAt, endsAt, reasons: [] },
    vetoes: [],
    startedAt,
    keptUntil: null,
    noticedAt: null,
    evidence: [],
  };
};

/** Returns what this machine shows, with made-up jobs in place of its own. */
export const exampleSnapshot = (real: Snapshot, nowMs: number): Snapshot => ({
  ...real,
  revision: 1,
  at: moment(nowMs),
  platform: { ...real.platform, canReap: true },
  mode: 'enforce',
  modeChosen: true,
  pausedUntil: null,
  health: { ...real.health, lastLookAt: moment(nowMs), journalWritable: true, problems: [] },
  agents: [],
  leftOpen: [],
  jobs: made.map((one, index) => jobOf(one, index, nowMs)),
  reapings: [],
  freedThisWeek: { processes: 0, rssBytes: 0, since: null },
  incidents: [],
});
