import { diagnose } from '../../../app/diagnose/diagnose.ts';
import type { JobProbe, ProcessProbe } from '../../../app/diagnose/probe.ts';
import type { Subject } from '../../../app/diagnose/subject.ts';
import type { Watch } from '../../../app/diagnose/watch.ts';
import type { Diagnosis } from '../../../app/model/job.ts';
import type { MemberFacts } from '../../../app/process/facts.ts';
import { asBootId, asPid, type Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { processTree } from '../../../app/process/tree.ts';
import { factsOf, rowOf } from '../judge/job-builder.ts';
import { safe } from '../safe-text.ts';

/** A member with what a diagnosis looks at. */
export interface Planted {
  readonly pid: number;
  readonly argv?: readonly string[];
  readonly ppid?: number;
  readonly state?: ProcessRow['state'];
  readonly tty?: number;
  readonly cpuMs?: number;
  readonly rssBytes?: number;
  readonly startTicks?: number;
  /** Targets of its open files by number. */
  readonly files?: Readonly<Record<number, string>>;
  readonly blockedReading?: number | null;
  readonly ports?: readonly number[];
  readonly probe?: Partial<ProcessProbe>;
  /** A process of the table that is no member. */
  readonly stranger?: true;
}

/** A process into which was looked, and that does nothing remarkable. */
const ordinary: ProcessProbe = {
  wait: { kind: 'other' },
  place: null,
  threads: 1,
  switches: 10,
  minorFaults: 100,
  firstThreadCpuMs: null,
  writtenBytes: null,
  swapBytes: 0,
  descriptors: 4,
  descriptorLimit: 1024,
  pipes: [],
  connections: [],
  lockHolder: null,
};

/** What one look finds; what is left out is ordinary. */
export interface Seen extends Partial<Pick<Subject, 'command' | 'ioBytes' | 'silentSeconds' | 'outputBytes'>> {
  /** null: it was not looked into. */
  readonly probe?: Partial<Omit<JobProbe, 'processes'>> | null;
}

const fileFacts = (planted: Planted): MemberFacts =>
  factsOf({
    openFiles: Object.entries(planted.files ?? {}).map(([fd, target]) => ({ fd: Number(fd), target, deleted: false })),
    blockedReading: planted.blockedReading ?? null,
    ports: planted.ports ?? [],
  });

/**
 * One look at these processes, so many seconds after boot. Limits are those of the defaults: 30
 * min, patience 5 min.
 */
export const subjectAt = (seconds: number, processes: readonly Planted[], seen: Seen = {}): Subject => {
  const rows = processes.map((one) =>
    rowOf(one.pid, one.argv ?? ['worker'], {
      ppid: asPid(one.ppid ?? 1),
      state: one.state ?? 'S',
      tty: one.tty ?? 0,
      cpuMs: one.cpuMs ?? 0,
      rssBytes: one.rssBytes ?? 0,
      ...(one.startTicks === undefined ? {} : { startTicks: one.startTicks }),
    }),
  );
  const members = processes.filter((one) => one.stranger === undefined);
  const own = rows.filter(({ pid }) => members.some((one) => one.pid === Number(pid)));
  const table = new Map<Pid, ProcessRow>(rows.map((row) => [row.pid, row]));
  const { probe, ...rest } = seen;
  return {
    table: {
      bootId: asBootId('boot'),
      takenAtMs: seconds * 1000,
      nowTicks: seconds * 100,
      ticksPerSecond: 100,
      uid: 1000,
      rows: table,
      complete: true,
    },
    tree: processTree(table),
    members: own.map((row) => ({ row, by: ['group'] })),
    facts: new Map(members.map((one) => [one.pid, fileFacts(one)])),
    command: safe('worker'),
    cpuMs: own.reduce((sum, row) => sum + row.cpuMs, 0),
    ioBytes: 0,
    outputBytes: 0,
    silentSeconds: 0,
    patienceSeconds: 300,
    limitSeconds: 1800,
    hardCapSeconds: 14_400,
    serves: false,
    probe:
      probe === null
        ? null
        : {
            processes: new Map(members.map((one) => [one.pid, { ...ordinary, ...one.probe }])),
            holders: new Map(),
            outputs: [],
            memory: null,
            traffic: new Map(),
            lockFile: null,
            ...probe,
          },
    ...rest,
  };
};

/** What the last of several looks finds. */
export const lastOf = (looks: readonly Subject[]): readonly Diagnosis[] => {
  let watch: Watch | null = null;
  let found: readonly Diagnosis[] = [];
  for (const look of looks) ({ diagnoses: found, watch } = diagnose(look, watch));
  return found;
};

/** The codes of it. */
export const codesOf = (...looks: readonly Subject[]): readonly string[] => lastOf(looks).map(({ code }) => code);

/** The same look every `step` seconds, `count` times, made by whatever `at` says of its number. */
export const every = (
  step: number,
  count: number,
  at: (number: number, seconds: number) => Subject,
): readonly Subject[] => Array.from({ length: count }, (_, number) => at(number, 10_000 + number * step));
