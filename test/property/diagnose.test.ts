import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asAgentSessionId } from '../../app/agents/common/agent-id.ts';
import { diagnose } from '../../app/diagnose/diagnose.ts';
import type { JobProbe, ProcessProbe, Wait } from '../../app/diagnose/probe.ts';
import type { Subject } from '../../app/diagnose/subject.ts';
import { maxFollowed, type Watch } from '../../app/diagnose/watch.ts';
import { asJobId, type Diagnosis } from '../../app/model/job.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import { asBootId } from '../../app/process/identity.ts';
import { sayDiagnosis } from '../../app/text/diagnoses.ts';
import { storedLedgerEntry } from '../../main/store/ledger/ledger-rows.ts';
import { subjectAt, type Planted } from '../unit/diagnose/subject-builder.ts';
import { safe } from '../unit/safe-text.ts';

const runs = { numRuns: 500 };
const target = fc.constantFrom('pipe:[7]', 'pipe:[8]', '/tmp/x.lock', '/dev/null', '/dev/pts/3', 'socket:[9]');
const access = fc.constantFrom('read' as const, 'write' as const, 'both' as const);
const fd = fc.nat(4);
const wait: fc.Arbitrary<Wait | null> = fc.option(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('read' as const, 'lock' as const), fd: fc.option(fd) }),
    fc.record({ kind: fc.constantFrom('open' as const, 'sleep' as const, 'child' as const, 'other' as const) }),
  ),
);
const connection = fc.record({
  inode: fc.constantFrom('9', '10'),
  remote: fc.constantFrom('10.0.0.7:443', '127.0.0.1:80'),
  local: fc.constantFrom('10.0.0.5:5000', '127.0.0.1:80'),
  keptAlive: fc.boolean(),
  unacknowledgedBytes: fc.nat(100),
  unreadBytes: fc.nat(100),
});
const probe: fc.Arbitrary<ProcessProbe> = fc.record({
  wait,
  place: fc.option(fc.constantFrom('pipe_read', 'kernel_clone', 'nfs_wait')),
  threads: fc.nat(3),
  switches: fc.option(fc.nat(3)),
  minorFaults: fc.option(fc.nat(2)),
  firstThreadCpuMs: fc.option(fc.nat(100_000)),
  writtenBytes: fc.option(fc.nat(2)),
  swapBytes: fc.option(fc.nat(2e9)),
  descriptors: fc.option(fc.nat(2000)),
  descriptorLimit: fc.option(fc.constantFrom(0, 256, 1024, 1_048_576)),
  pipes: fc.array(fc.record({ fd, target, access }), { maxLength: 3 }),
  connections: fc.array(connection, { maxLength: 2 }),
  lockHolder: fc.option(fc.integer({ min: 2, max: 14 })),
});
const process = fc.record({
  argv: fc.constantFrom(['sleep', '5'], ['bash', '-c', 'until x; do sleep 5; done'], ['node', 'x.js'], []),
  ppid: fc.integer({ min: 1, max: 14 }),
  state: fc.constantFrom('S' as const, 'R' as const, 'D' as const, 'T' as const, 'Z' as const),
  cpuMs: fc.nat(100_000),
  rssBytes: fc.nat(4e9),
  blockedReading: fc.option(fd),
  files: fc.dictionary(fc.constantFrom('0', '1', '3'), target),
  probe,
  stranger: fc.boolean(),
});
const jobProbe: fc.Arbitrary<Omit<JobProbe, 'processes'>> = fc.record({
  holders: fc
    .array(
      fc.tuple(
        target,
        fc.record({
          complete: fc.boolean(),
          holders: fc.array(fc.record({ pid: fc.integer({ min: 2, max: 14 }), access, locks: fc.boolean() }), {
            maxLength: 3,
          }),
        }),
      ),
    )
    .map((entries) => new Map(entries)),
  outputs: fc.array(
    fc.record({ path: fc.constantFrom('/tmp/a', '/tmp/b'), bytes: fc.nat(2e9), freeBytes: fc.option(fc.nat(2e9)) }),
    { maxLength: 2 },
  ),
  traffic: fc
    .option(fc.record({ sentBytes: fc.nat(1e9), receivedBytes: fc.nat(1e9) }))
    .map((one) => new Map(one === null ? [] : [['9', one]])),
  memory: fc.option(
    fc.record({ pressurePercent: fc.nat(100), of: fc.constant('machine'), totalBytes: fc.option(fc.nat(8e9)) }),
  ),
  lockFile: fc.option(fc.record({ path: fc.constant('/tmp/x.lock'), pid: fc.option(fc.integer({ min: 2, max: 14 })) })),
});
const look = fc.record({
  step: fc.integer({ min: 0, max: 4000 }),
  processes: fc.array(process, { minLength: 1, maxLength: 6 }),
  ioBytes: fc.option(fc.nat(2)),
  outputBytes: fc.option(fc.nat(2)),
  silentSeconds: fc.nat(8000),
  probe: fc.option(jobProbe),
});

const subjectsOf = (
  looks: readonly (typeof look extends fc.Arbitrary<infer Look> ? Look : never)[],
): readonly Subject[] => {
  let seconds = 10_000;
  return looks.map(({ step, processes, probe: found, ...rest }) => {
    seconds += step;
    const planted = processes.map(({ stranger, ...one }, index): Planted => ({
      ...one,
      pid: 10 + index,
      ...(stranger && index > 0 ? { stranger: true } : {}),
    }));
    return subjectAt(seconds, planted, { ...rest, command: safe('until x; do sleep 5; done'), probe: found });
  });
};

const entryOf = (watch: Watch | null): LedgerEntry => ({
  id: asJobId('1a2b3c4d'),
  bootId: asBootId('boot'),
  agent: 'claude-code',
  rule: 'claude-shell',
  command: safe('x'),
  project: null,
  session: asAgentSessionId('s'),
  task: null,
  output: null,
  root: { pid: 10, startTicks: 1 },
  groups: [],
  kernelSessions: [],
  members: [],
  owner: null,
  ownerService: null,
  ownerGoneSinceMs: null,
  ownerGoneAtTicks: null,
  provenance: [],
  proof: { kind: 'claimed' },
  firstSeenMs: 0,
  lastSeenMs: 0,
  lastSeenTicks: 0,
  activity: {
    cpuMs: 0,
    ioBytes: 0,
    outputBytes: 0,
    membership: '',
    changedAtTicks: 0,
    observedAtTicks: 0,
    quietLooks: 0,
  },
  watch,
  noticedAtMs: null,
  announcedAtTicks: null,
});

describe('whatever a machine shows', () => {
  test('diagnoses are found without an error, each once, with a sentence that has no holes; what is remembered stays small and survives the ledger', () => {
    fc.assert(
      fc.property(fc.array(look, { minLength: 1, maxLength: 5 }), (looks) => {
        let watch: Watch | null = null;
        for (const subject of subjectsOf(looks)) {
          const found: { readonly diagnoses: readonly Diagnosis[]; readonly watch: Watch | null } = diagnose(
            subject,
            watch,
          );
          const codes = found.diagnoses.map(({ code }) => code);
          expect(new Set(codes).size).toBe(codes.length);
          for (const diagnosis of found.diagnoses) {
            // A path may be called so.
            expect(sayDiagnosis(diagnosis).replaceAll('/dev/null', '/dev/zero')).not.toMatch(
              /undefined|NaN|Infinity|null|\(\)/u,
            );
            const pids = subject.members.map(({ row }) => Number(row.pid));
            const { pid } = diagnosis.figures;
            expect([undefined, ...pids]).toContain(pid);
          }
          watch = found.watch;
          const followed = [watch?.waits ?? {}, watch?.connections ?? {}].map((one) => Object.keys(one).length);
          expect(Math.max(...followed)).toBeLessThanOrEqual(maxFollowed);
          expect(storedLedgerEntry(JSON.stringify(entryOf(watch)))?.watch).toEqual(watch);
        }
      }),
      runs,
    );
  });

  test('a single scan never reports what must last for a while', () => {
    const lasting = new Set([
      'waiting-on-pipe',
      'waiting-for-lock',
      'polling',
      'spinning',
      'flooding-output',
      'long-connection',
      'disk-wait',
    ]);
    fc.assert(
      fc.property(look, (one) => {
        const [subject] = subjectsOf([one]);
        if (subject === undefined) throw new Error('no look');
        expect(diagnose(subject, null).diagnoses.filter(({ code }) => lasting.has(code))).toEqual([]);
      }),
      runs,
    );
  });

  test('a memory that makes no sense is no memory', () => {
    fc.assert(
      fc.property(fc.anything(), (nonsense) => {
        const stored = storedLedgerEntry(JSON.stringify({ ...entryOf(null), watch: nonsense }));
        expect(stored).not.toBeNull();
        expect(stored?.id).toBe('1a2b3c4d');
      }),
      runs,
    );
  });
});
