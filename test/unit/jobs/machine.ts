import type { ChannelRound, StandardEnd } from '../../../app/process/channels.ts';
import type { MarkerEnvironment, MemberFacts } from '../../../app/process/facts.ts';
import { type Pid, asBootId, asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { environmentNames } from '../../../app/agents/signatures.ts';
import type { ProcessSource } from '../../../main/os/processes/source.ts';
import type { Plant } from './plant.ts';

const ticksPerSecond = 100;
/**
 * Seconds since boot at which a machine is looked at first; what is planted before started an hour
 * earlier.
 */
const firstLook = 100_000;
const uid = 1000;
const ownNamespace = '4026531836';

/** A process that was planted, with everything that was left out. */
type Planted = Required<Omit<Plant, 'argv' | 'env' | 'heldBy' | 'image'>> & {
  readonly heldBy?: number;
  readonly image?: string;
  readonly argv: readonly string[];
  readonly env: MarkerEnvironment | null;
};

/** What a test does with a machine. */
export interface Machine {
  readonly source: ProcessSource;
  readonly table: () => ProcessTable;
  /** False: the machine hides processes. */
  complete: boolean;
  readonly start: (plant: Plant) => void;
  readonly end: (pid: number) => void;
  readonly change: (pid: number, change: Partial<Plant>) => void;
  readonly pass: (seconds: number) => void;
  readonly planted: (pid: number) => Planted | undefined;
}

const wordsOf = (argv: Plant['argv']): readonly string[] => (typeof argv === 'string' ? argv.split(' ') : argv);

const allowed = (env: Plant['env']): MarkerEnvironment | null =>
  env === null || env === undefined
    ? (env ?? null)
    : Object.fromEntries(Object.entries(env).filter(([name]) => environmentNames.has(name)));

const rowOf = (plant: Planted): ProcessRow => ({
  pid: asPid(plant.pid),
  ppid: asPid(plant.ppid),
  pgid: asGroupId(plant.pgid),
  sid: asKernelSessionId(plant.sid),
  tty: plant.tty,
  state: plant.state,
  startTicks: Math.round(plant.start * ticksPerSecond),
  cpuMs: 0,
  rssBytes: 4096,
  uid: plant.uid,
  comm: plant.comm,
  argv: plant.state === 'Z' || plant.kernelThread ? [] : plant.argv,
  kernelThread: plant.kernelThread,
});

const factsOf = (plant: Planted): MemberFacts => ({
  environment: plant.env,
  cwd: plant.cwd,
  cwdDeleted: false,
  executable: null,
  openFiles: plant.outputs.map((target, index) => ({ fd: index + 1, target, deleted: false })),
  cgroups: null,
  pidNamespace: plant.pidNamespace,
  ioBytes: 0,
  ports: plant.ports,
  sockets: 0,
  blockedReading: null,
  locks: [],
  ...(plant.image === undefined ? {} : { image: plant.image }),
  ...(plant.readsPipe ? { readsPipe: true } : {}),
});

/**
 * A machine without a kernel: it has the processes that are planted, and says of them what it is
 * told.
 */
export const machineOf = (plants: readonly Plant[]): Machine => {
  const planted = new Map<number, { plant: Planted; row: ProcessRow }>();
  let now = firstLook;
  let order = 0;

  const put = (plant: Plant, start: number): void => {
    const parent = planted.get(plant.ppid ?? 1);
    const own = parent === undefined || parent.plant.pid === 1;
    const argv = wordsOf(plant.argv);
    const sid = plant.sid ?? (own ? plant.pid : parent.plant.sid);
    const whole: Planted = {
      ppid: 1,
      tty: own ? 0 : parent.plant.tty,
      start,
      outputs: [],
      ports: [],
      state: 'S',
      readsPipe: false,
      uid,
      comm: (argv[0] ?? '').slice((argv[0] ?? '').lastIndexOf('/') + 1).slice(0, 15),
      kernelThread: false,
      cwd: '/home/me/shop',
      pidNamespace: ownNamespace,
      ...plant,
      sid,
      pgid: plant.pgid ?? (sid === plant.pid || own ? plant.pid : parent.plant.pgid),
      argv,
      env: allowed(plant.env === undefined ? {} : plant.env),
    };
    planted.set(plant.pid, { plant: whole, row: rowOf(whole) });
  };

  const change = (pid: number, changes: Partial<Plant>): void => {
    const before = planted.get(pid);
    if (before === undefined) throw new Error(`process ${pid} was never planted`);
    put({ ...before.plant, ...changes }, before.plant.start);
  };

  let seen: ReadonlySet<number> = new Set();
  const source: ProcessSource = {
    name: 'planted',
    canReap: true,
    refresh: null,
    portsInUse: () => null,
    bootId: asBootId('boot:1'),
    scan: () => {
      seen = new Set(planted.keys());
      return machine.table();
    },
    startedSinceScan: () => [...planted].filter(([pid]) => !seen.has(pid)).map(([, { row }]) => row),
    read: (pid) => planted.get(pid)?.row ?? null,
    environment: (row) => planted.get(row.pid)?.plant.env ?? null,
    readEnvironment: (pid) => planted.get(pid)?.plant.env ?? null,
    outputs: (row) => {
      const one = planted.get(row.pid);
      return one === undefined ? null : factsOf(one.plant).openFiles;
    },
    holdsOutput: (row, path) => planted.get(row.pid)?.plant.outputs.includes(path) === true,
    facts: (rows) =>
      new Map(
        rows.flatMap((row) => {
          const one = planted.get(row.pid);
          return one === undefined ? [] : [[Number(row.pid), factsOf(one.plant)] as const];
        }),
      ),
    pidNamespace: ownNamespace,
    cgroups: null,
    // Nothing is connected to what was planted.
    sockets: {
      possibleClients: (processes) => processes.map(() => []),
      sharers: (jobs) => jobs.map(() => []),
      takenAlong: () => null,
      exchanges: (jobs) => jobs.map(() => ({ kind: 'nothing' })),
    },
  };

  // `#PID` names the ends that a process has as a server, `PID` the others of the same channels.
  const holds = (pid: number, server: Planted): boolean => server.heldBy === pid;
  const round: ChannelRound = {
    of: (pid) => {
      const plant = planted.get(pid)?.plant;
      if (plant === undefined) return null;
      const { heldBy } = plant;
      const far: 'open' | 'closed' = heldBy !== undefined && planted.has(heldBy) ? 'open' : 'closed';
      const end: StandardEnd = heldBy === undefined ? { kind: 'null', far: 'unknown' } : { kind: 'pair', far };
      const otherEnd = (fd: number): string | null => (far === 'open' ? `${pid}:${fd}` : null);
      const held = [0, 1].map((fd) => ({
        fd,
        kind: 'pair' as const,
        end: `#${pid}:${fd}`,
        otherEnd: otherEnd(fd),
        far: far,
      }));
      return {
        standard: [end, end, { kind: 'null', far: 'unknown' }],
        held: heldBy === undefined ? [] : held,
        listens: [],
        complete: true,
      };
    },
    ends: (pid) =>
      planted.has(pid)
        ? new Set(
            [...planted.values()].flatMap(({ plant }) =>
              holds(pid, plant)
                ? [`${plant.pid}:0`, `${plant.pid}:1`]
                : plant.pid === pid && plant.heldBy !== undefined
                  ? [`#${pid}:0`, `#${pid}:1`]
                  : [],
            ),
          )
        : null,
    ownEnds: (pid) =>
      new Set(
        [...planted.values()].flatMap(({ plant }) => (holds(pid, plant) ? [`${plant.pid}:0`, `${plant.pid}:1`] : [])),
      ),
  };
  if (plants.some(({ heldBy }) => heldBy !== undefined)) Object.assign(source, { channels: () => round });

  const machine: Machine = {
    source,
    complete: true,
    table: () => ({
      bootId: source.bootId,
      takenAtMs: 1_795_000_000_000 + now * 1000,
      nowTicks: now * ticksPerSecond,
      ticksPerSecond,
      uid,
      rows: new Map<Pid, ProcessRow>([...planted].map(([pid, { row }]) => [asPid(pid), row])),
      complete: machine.complete,
    }),
    start: (plant) => put(plant, plant.start ?? now - 1),
    end: (pid) => {
      if (!planted.delete(pid)) throw new Error(`process ${pid} was never planted`);
      for (const { plant } of planted.values()) if (plant.ppid === pid) change(plant.pid, { ppid: 1 });
    },
    change,
    pass: (seconds) => {
      now += seconds;
    },
    planted: (pid) => planted.get(pid)?.plant,
  };
  put({ pid: 1, ppid: 0, argv: '/sbin/init', comm: 'systemd', uid: 0, sid: 1, pgid: 1 }, 1);
  for (const plant of plants) {
    order += 1;
    put(plant, plant.start ?? firstLook - 36_000 + order);
  }
  return machine;
};
