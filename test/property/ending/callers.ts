import type { Engine } from '../../../main/engine/engine.ts';
import { reapHere } from '../../../main/cli/commands/reap/reap.ts';
import { noReapOptions, type ReapOptions } from '../../../main/cli/commands/reap/reap-selection.ts';
import { reapByRule, reapOfEnded } from '../../../main/cli/commands/hook/hook-pass.ts';
import { endJob } from '../../../main/mcp/worker/work.ts';
import type { RunningAgent } from '../../../app/model/running-agent.ts';
import type { Look } from '../../../main/observing/look.ts';
import type { Hosts } from '../../../main/remote/hosts.ts';
import type { RemoteResult } from '../../../main/remote/answers/signals.ts';
import { RemoteReaper } from '../../../main/remote/reaper.ts';
import { HostSupervisor } from '../../../main/remote/watch/host-supervisor.ts';
import { Supervisor } from '../../../main/supervisor/supervisor.ts';
import type { Output } from '../../../main/cli/common/output.ts';
import type { World } from './world.ts';

/** One way in which something is ended today, from the decision to the last record. */
export interface Caller {
  readonly session: 'gone' | 'living';
  /** It looks on: what it finds after the change is seen twice by its third look. */
  readonly looksOn?: true;
  /** Rejects where it is refused. */
  readonly end: (world: World) => Promise<unknown>;
}

const silent = { info: () => undefined, error: () => undefined };

const engineOf = (world: World, look: () => Look = world.look): Engine => {
  const { stage, places } = world;
  const { observer } = stage;
  return {
    observer: {
      look,
      vetoContext: observer.vetoContext.bind(observer),
      forgetAnnouncements: observer.forgetAnnouncements.bind(observer),
    },
    reaper: stage.reaper,
    settings: () => stage.settings,
    journalProblem: world.problem,
    history: { unfinished: () => [] },
    journal: stage.journal,
    source: stage.machine.source,
    evidence: stage.evidence,
    trust: { unproved: null },
    log: silent,
    pause: { until: null },
    rememberNotices: () => undefined,
    places,
  } as unknown as Engine;
};

const output: Output = {
  colour: false,
  columns: 100,
  isTerminal: false,
  write: async () => undefined,
  warn: () => undefined,
};

const none: ReapOptions = { ...noReapOptions, json: true };

/** The job as an agent that no user can reach. */
const asAgent = (look: Look): Look => ({
  ...look,
  jobs: new Map(),
  agentJobs: look.jobs,
  agents: [...look.jobs.values()].map(
    ({ job }) =>
      ({
        agent: job.agent,
        parts: [job.root],
        process: { bootId: look.table.bootId, pid: job.root.pid, startTicks: job.root.startTicks },
        reach: { state: 'unreachable', why: 'hung-up', quietSeconds: 60, settled: true, spinning: false },
        ownEnd: null,
        job: job.id,
      }) as unknown as RunningAgent,
  ),
});

/** For what looks on and on. */
const maxLooks = 4;

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};

const hostOf = (world: World): { readonly supervisor: HostSupervisor; readonly ended: () => Promise<void> } => {
  const { stage } = world;
  const look = async (): Promise<Look> => world.look();
  const reaper = new RemoteReaper({
    host: {
      host: 'web1',
      look,
      signal: async (orders) => {
        const results = orders.map((order): RemoteResult => {
          const pid = order.to === 'group' ? order.group : Number(order.process.pid);
          const rows = [...stage.machine.table().rows.values()];
          const reached = rows.filter((row) => Number(order.to === 'group' ? row.pgid : row.pid) === pid);
          for (const row of reached) {
            stage.onSignal('TERM', row.pid);
            stage.heard.push({ signal: 'TERM', pid: row.pid, group: order.to === 'group' });
            stage.machine.end(row.pid);
          }
          return order.to === 'group'
            ? { to: 'group', group: pid, result: 'sent' }
            : { to: 'process', pid, result: 'sent' };
        });
        return { results, broken: null };
      },
      output: async () => null,
      portsInUse: () => new Set(),
    },
    journal: stage.journal,
    now: () => stage.wallMs,
    writer: { pid: 999, startTicks: 1 },
    isRunning: ({ pid }) => pid === 900,
    paused: () => stage.paused,
  });
  const remote = { look, forgetAnnouncements: () => undefined, installed: null };
  const hosts = {
    open: () => remote,
    reaper: () => reaper,
    installed: async () => null,
    ledger: () => ({ rememberNotices: () => undefined }),
    completeRecords: () => undefined,
    record: {},
  } as unknown as Hosts;
  const nothing = (): undefined => undefined;
  const supervisor = new HostSupervisor('web1', {
    hosts,
    settings: () => stage.settings,
    journalProblem: world.problem,
    paused: () => stage.paused,
    events: {
      looked: nothing,
      noticed: nothing,
      reaping: nothing,
      ended: nothing,
      failed: nothing,
      reach: nothing,
      problem: nothing,
    },
  });
  return { supervisor, ended: async () => until(() => reaper.inProgress.length === 0) };
};

const supervisorOf = (world: World): Supervisor => {
  const { stage } = world;
  const nothing = (): undefined => undefined;
  const { observer } = engineOf(world);
  let looks = 0;
  Object.defineProperty(observer, 'looks', { get: () => looks });
  Object.assign(observer, {
    looking() {
      looks += 1;
      // eslint-disable-next-line require-yield -- it is done in one step
      return (function* () {
        return world.look();
      })();
    },
    look: () => {
      looks += 1;
      return world.look();
    },
  });
  return new Supervisor({
    observer,
    reaper: stage.reaper,
    settings: () => stage.settings,
    journalProblem: world.problem,
    rememberNotices: nothing,
    now: () => stage.wallMs,
    paused: () => stage.paused,
    events: { looked: nothing, noticed: nothing, reaping: nothing, ended: nothing, failed: nothing, problem: nothing },
  });
};

const byWindow = async (world: World, ask: (supervisor: Supervisor) => Promise<unknown>): Promise<void> => {
  world.stage.paused = true;
  const supervisor = supervisorOf(world);
  supervisor.start();
  try {
    await until(() => supervisor.latest !== null);
    await ask(supervisor);
  } finally {
    await supervisor.stop();
  }
};

/** Every caller of today. */
export const callers: Readonly<Record<string, Caller>> = {
  '`curfew reap`': {
    session: 'gone',
    end: (world) => reapHere(engineOf(world), none, output),
  },
  '`curfew reap --job`': {
    session: 'gone',
    end: (world) => reapHere(engineOf(world), { ...none, jobs: [world.id] }, output),
  },
  '`curfew reap --session` of a living session': {
    session: 'living',
    end: (world) => {
      const session = world.stage.directory.sessions[0]?.id ?? null;
      return reapHere(engineOf(world), { ...none, session }, output);
    },
  },
  '`curfew reap --agent-pid`': {
    session: 'gone',
    end: (world) =>
      reapHere(
        engineOf(world, () => asAgent(world.look())),
        { ...none, agentPid: 69 },
        output,
      ),
  },
  'a hook’s pass, by rule': {
    session: 'gone',
    looksOn: true,
    end: (world) => reapByRule(engineOf(world), () => world.looks < maxLooks),
  },
  'a hook’s pass, for a session that said that it ends': {
    session: 'gone',
    end: (world) => reapOfEnded(engineOf(world), () => true),
  },
  'an agent through MCP': {
    session: 'living',
    end: (world) => endJob(engineOf(world), { job: world.id }),
  },
  'the button End': {
    session: 'gone',
    end: (world) => byWindow(world, (supervisor) => supervisor.reap(world.id)),
  },
  'the button End all': {
    session: 'gone',
    end: (world) => byWindow(world, (supervisor) => supervisor.reapAll([world.id])),
  },
  'the supervisor': {
    session: 'gone',
    looksOn: true,
    end: async (world) => {
      const supervisor = supervisorOf(world);
      supervisor.start();
      await until(() => world.looks > 0);
      while (world.looks < maxLooks) {
        supervisor.lookNow();
        await until(() => world.stage.reaper.inProgress.length === 0);
      }
      await supervisor.stop();
    },
  },
  'the button End, over SSH': {
    session: 'gone',
    end: async (world) => {
      world.stage.paused = true;
      const { supervisor, ended } = hostOf(world);
      await supervisor.lookNow();
      await supervisor.reap(world.id);
      await ended();
      await supervisor.stop();
    },
  },
  'the watch of another machine': {
    session: 'gone',
    looksOn: true,
    end: async (world) => {
      const { supervisor, ended } = hostOf(world);
      while (world.looks < maxLooks) {
        await supervisor.lookNow();
        await ended();
      }
      await supervisor.stop();
    },
  },
};
