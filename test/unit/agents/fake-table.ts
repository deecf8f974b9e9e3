import type { MemberFacts, OpenFile } from '../../../app/process/facts.ts';
import { asBootId, asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import type { SessionReaderInput } from '../../../main/agents/session-directory.ts';

/** What a test says of one process; the rest is ordinary. */
export interface Plant {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly startTicks?: number;
  readonly ppid?: number;
  readonly state?: ProcessRow['state'];
  readonly uid?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly open?: readonly string[] | null;
}

export const bootId = 'f17f0f2a-e33a-4eb3-9a0f-d6371f24a394';

const rowOf = (plant: Plant, uid: number): ProcessRow => ({
  pid: asPid(plant.pid),
  ppid: asPid(plant.ppid ?? 1),
  pgid: asGroupId(plant.pid),
  sid: asKernelSessionId(plant.pid),
  tty: 0,
  state: plant.state ?? 'S',
  startTicks: plant.startTicks ?? 1000,
  cpuMs: 0,
  rssBytes: 0,
  uid: plant.uid ?? uid,
  comm: plant.argv[0]?.split('/').at(-1) ?? 'x',
  argv: plant.argv,
  kernelThread: false,
});

/**
 * A process table and a source that knows the same processes, as `SessionReader` sees them.
 * Registries under test are real files.
 */
export const fakeMachine = (
  plants: readonly Plant[],
  options: { readonly complete?: boolean; readonly takenAtMs?: number } = {},
): { readonly table: ProcessTable; readonly source: SessionReaderInput['source'] } => {
  const uid = process.getuid?.() ?? 0;
  const rows = new Map(plants.map((plant) => [asPid(plant.pid), rowOf(plant, uid)]));
  const factsOf = (plant: Plant): MemberFacts => ({
    environment: plant.environment ?? {},
    cwd: null,
    cwdDeleted: false,
    executable: null,
    openFiles:
      plant.open === null ? null : (plant.open ?? []).map((target, fd): OpenFile => ({ fd, target, deleted: false })),
    cgroups: null,
    pidNamespace: null,
    ioBytes: null,
    ports: [],
    sockets: 0,
    blockedReading: null,
    locks: [],
  });
  const byPid = new Map(plants.map((plant) => [plant.pid, plant]));
  return {
    table: {
      bootId: asBootId(`${bootId}:4026531836`),
      takenAtMs: options.takenAtMs ?? Date.now(),
      nowTicks: 100_000,
      ticksPerSecond: 100,
      uid,
      rows,
      complete: options.complete ?? true,
    },
    source: {
      pidNamespace: '4026531836',
      environment: (row) => byPid.get(row.pid)?.environment ?? {},
      facts: (asked) =>
        new Map(
          asked.flatMap((row) => {
            const plant = byPid.get(row.pid);
            return plant === undefined ? [] : [[row.pid, factsOf(plant)] as const];
          }),
        ),
    },
  };
};
