import * as fc from 'fast-check';
import type { GuardSettings } from '../../app/guard/settings.ts';
import { boundingModes, guardModes } from '../../app/guard/settings.ts';
import { agentIds, asAgentSessionId } from '../../app/agents/common/agent-id.ts';
import { asJobId, type Diagnosis, type Job, type Member, type Owner, type Provenance } from '../../app/model/job.ts';
import { claimed, witnessKinds, type Proof } from '../../app/model/proof.ts';
import type { Veto, VetoCode } from '../../app/judge/verdict.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import { asGroupId, asKernelSessionId, asPid } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { firstSignalNames } from '../../app/process/signal.ts';
import type { Exemption, Settings } from '../../app/settings/settings.ts';
import { safe } from '../unit/safe-text.ts';

/** Wall clock around which arbitrary moments lie, milliseconds. */
export const aroundMs = Date.UTC(2026, 10, 21, 2);

const pid = fc.integer({ min: 1, max: 32_768 });
const name = fc.constantFrom('bash', 'sleep', 'node', 'tmux: server', 'vim', '-zsh', 'chrome', 'git', 'a) R 1 (b', '');
const argv = fc.array(fc.oneof(name, fc.string({ maxLength: 12, unit: 'binary' })), { maxLength: 4 });

/** Any row that a process table can hold, hostile names included. */
export const row: fc.Arbitrary<ProcessRow> = fc.record({
  pid: pid.map(asPid),
  ppid: pid.map(asPid),
  pgid: pid.map(asGroupId),
  sid: pid.map(asKernelSessionId),
  tty: fc.constantFrom(0, 34_816),
  state: fc.constantFrom('R', 'S', 'D', 'T', 't', 'Z', 'X', 'I', '?'),
  startTicks: fc.nat(),
  cpuMs: fc.nat(),
  rssBytes: fc.nat(),
  uid: fc.constantFrom(0, 1000, null),
  comm: fc.oneof(name, fc.string({ maxLength: 15 })),
  argv,
  kernelThread: fc.boolean(),
});

/** Any facts of a process, readable or not. */
export const facts: fc.Arbitrary<MemberFacts> = fc.record({
  environment: fc.option(fc.dictionary(fc.constantFrom('CURFEW_KEEP', 'CLAUDECODE'), fc.constantFrom('0', '1', ''))),
  cwd: fc.option(fc.string()),
  cwdDeleted: fc.boolean(),
  executable: fc.option(fc.string()),
  openFiles: fc.constant(null),
  cgroups: fc.option(
    fc.dictionary(
      fc.constantFrom('', 'name=systemd', 'memory'),
      fc.oneof(fc.constantFrom('/', '/system.slice/x.service', '/docker/a'), fc.string()),
    ),
  ),
  pidNamespace: fc.option(fc.constantFrom('1', '2')),
  ioBytes: fc.option(fc.nat()),
  ports: fc.constant([]),
  sockets: fc.nat(),
  blockedReading: fc.constant(null),
  locks: fc.constant([]),
});

/** Any number that a measurement can give, nonsense included. */
const measured = fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.double());

/** Any moment: near the arbitrary now, or nonsense. */
const moment = fc.oneof(fc.integer({ min: aroundMs - 1e8, max: aroundMs + 1e8 }), fc.double());

/** Any owner. */
const owner: fc.Arbitrary<Owner> = fc.oneof(
  fc.record({ state: fc.constant('live' as const), process: fc.constant(null), evidence: fc.string() }),
  fc.record({ state: fc.constant('gone' as const), sinceMs: fc.option(moment), evidence: fc.string() }),
  fc.record(
    { state: fc.constant('unknown' as const), evidence: fc.string(), noneLeft: fc.constant(true as const) },
    { requiredKeys: ['state', 'evidence'] },
  ),
);

const provenance: fc.Arbitrary<Provenance> = fc.oneof(
  fc.record({ code: fc.constantFrom('wrapper' as const, 'marker' as const, 'rule' as const), rule: fc.string() }),
  fc.record({ code: fc.constant('output' as const), path: fc.string() }),
);

/** Any proof, marks alone as often as not. */
const proof: fc.Arbitrary<Proof> = fc.oneof(
  fc.constant(claimed),
  fc.record({
    kind: fc.constantFrom(...witnessKinds),
    agent: fc.constantFrom(...agentIds),
    process: fc.option(fc.record({ pid: fc.integer({ min: 2, max: 1e6 }), startTicks: fc.nat() })),
    atMs: moment,
  }),
);

const diagnosis: fc.Arbitrary<Diagnosis> = fc.record({
  code: fc.constantFrom('waiting-on-stdin', 'spinning', 'polling', 'flooding-output', 'stopped', 'zombie-children'),
  figures: fc.dictionary(fc.constantFrom('seconds', 'pid', 'bytes', 'count'), fc.oneof(fc.nat(), fc.string())),
});

const member: fc.Arbitrary<Member> = fc.record({ row, by: fc.constant(['group'] as const) });
const ports = fc.array(fc.integer({ min: 1, max: 65_535 }), { maxLength: 2 });

/** Any job, also one that no assembly would make. */
export const job: fc.Arbitrary<Job> = fc.record({
  id: fc.constant(asJobId('1a2b3c')),
  agent: fc.constantFrom(...agentIds),
  rule: fc.string(),
  command: fc.string({ unit: 'binary' }).map(safe),
  project: fc.option(fc.constantFrom('/home/me/shop', '/', '', 'x')),
  session: fc.option(fc.string().map(asAgentSessionId)),
  task: fc.constant(null),
  output: fc.constant(null),
  root: row,
  members: fc.array(member, { maxLength: 3 }),
  facts: fc
    .dictionary(pid.map(String), facts, { maxKeys: 2 })
    .map((byPid) => new Map(Object.entries(byPid).map(([key, value]) => [Number(key), value]))),
  provenance: fc.array(provenance, { maxLength: 2 }),
  proof,
  owner,
  ageSeconds: measured,
  startedAtMs: moment,
  silentSeconds: measured,
  kind: fc.constantFrom('task', 'service'),
  holds: fc.record({
    rssBytes: fc.nat(),
    cpuPercent: fc.nat(),
    fds: fc.nat(),
    ports,
    locks: fc.constant([]),
    sockets: fc.nat(),
    outputBytes: fc.option(fc.nat()),
  }),
  diagnoses: fc.array(diagnosis, { maxLength: 2 }),
  keptUntilMs: fc.option(moment),
  noticedAtMs: fc.option(moment),
  goneSeconds: fc.option(fc.nat(100_000)),
  announcedSeconds: fc.option(fc.nat(4000)),
});

/** An exemption that makes sense, and often one that matches an arbitrary job. */
export const exemption: fc.Arbitrary<Exemption> = fc
  .oneof(
    fc.record({ project: fc.constantFrom('/', '/home/me', '/elsewhere') }),
    fc.record({ command: fc.constantFrom('*', 'npm run dev', 'a*b') }),
    fc.record({ port: fc.integer({ min: 1, max: 65_535 }) }),
  )
  .map((parts) => ({ ...parts, createdAt: '2026-11-20T00:00:00Z' }));

const within = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(fc.integer({ min, max }), fc.double({ min, max, noNaN: true }));

const guardMode = fc.constantFrom(...guardModes);
const boundingMode = fc.constantFrom(...boundingModes);

/** Any wishes of the guard. */
const guardSettings: fc.Arbitrary<GuardSettings> = fc.record({
  enabled: fc.boolean(),
  timeoutSeconds: within(1, 86_400),
  unjoinedLines: guardMode,
  noTimeout: boundingMode,
  neverEnds: boundingMode,
  swallowedCommand: guardMode,
  waitsOnInput: guardMode,
  waitsForItself: guardMode,
  killsAgent: guardMode,
  sudoInBackground: guardMode,
});

/** Any settings that parsing can give. */
export const settings: fc.Arbitrary<Settings> = fc
  .record({
    schemaVersion: fc.constant(1),
    backgroundMaxElapsedSeconds: within(1, 86_400),
    backgroundMaxElapsedSecondsHardCap: within(60, 86_400),
    inUseAtHardCap: fc.constantFrom('ask', 'end'),
    unreachableAgents: fc.constantFrom('show', 'end'),
    idleAgentDays: fc.integer({ min: 0, max: 365 }),
    backgroundKillSignal: fc.constantFrom(...firstSignalNames),
    backgroundKillGraceSeconds: within(0, 300),
    orphanGraceSeconds: within(0, 86_400),
    noticeSeconds: within(0, 3600),
    scanIntervalSeconds: within(1, 300),
    mode: fc.constantFrom('enforce', 'enforce', 'observe', null),
    atMaxElapsed: fc.constantFrom('reap-silent', 'reap', 'notify'),
    sessionServers: fc.constantFrom('end', 'show'),
    incidentLines: fc.constantFrom('off', 'journald'),
    exemptions: fc.array(exemption, { maxLength: 2 }),
    rules: fc.constant([]),
    hosts: fc.constant([]),
    historyDays: fc.integer({ min: 1, max: 3650 }),
    shortcut: fc.constantFrom('off', 'CommandOrControl+Alt+C'),
    notifications: fc.record({
      overdue: fc.boolean(),
      beforeReap: fc.boolean(),
      afterReap: fc.boolean(),
      sound: fc.boolean(),
      digest: fc.boolean(),
    }),
    appearance: fc.constantFrom('system', 'light', 'dark'),
    language: fc.constantFrom('system', 'en', 'de'),
    guard: guardSettings,
  })
  .map((all) => ({
    ...all,
    backgroundMaxElapsedSeconds: Math.min(all.backgroundMaxElapsedSeconds, all.backgroundMaxElapsedSecondsHardCap),
  }));

/** Any veto. */
const veto: fc.Arbitrary<Veto> = fc.record({
  code: fc.constantFrom<VetoCode>('init', 'agent', 'editor', 'other-user', 'keep-marker', 'no-provenance'),
  pid,
  figures: fc.constant({}),
});

/** Further input of the judge; sometimes with vetoes. */
export const judgeContext = fc.record(
  {
    nowMs: fc.integer({ min: aroundMs - 1e7, max: aroundMs + 1e7 }),
    vetoes: fc.oneof(fc.constant([]), fc.array(veto, { maxLength: 2 })),
    terms: fc.oneof(
      fc.constant({ kind: 'session-said-so' as const }),
      fc.record({ kind: fc.constant('command' as const), minAgeSeconds: fc.option(measured) }),
    ),
  },
  { requiredKeys: ['nowMs', 'vetoes'] },
);
