import { randomUUID } from 'node:crypto';
import type { Identity } from '../os/scene/processes.ts';
import type { Actor } from '../os/scene/actor.ts';
import { moveToBackground } from '../os/scene/background-session.ts';
import { FakeClaude } from '../os/scene/claude.ts';
import type { ClaudeVersion } from '../os/scene/claude-shell.ts';
import type { Innocent } from '../os/scene/innocents.ts';
import { bystander } from '../os/scene/innocents.ts';
import { codex, copilot, cursor, type FakeAgent, gemini, mux, opencode } from '../os/scene/other-agents.ts';
import type { Scene } from '../os/scene/scene.ts';
import { commandOf, workersOf, writePrograms } from './commands.ts';
import { aliveIn, processesOf, readDiary } from './diary.ts';
import { callToolHook, isSoonAfter, noteCallsOf, noting } from './noted.ts';
import type { AgentKind, JobKind, RunPlan, SessionPlan, WorldPlan } from './world.ts';
import { descentOf, dueOf, howNoted, isWithoutSs, livesOn, returning, servingOf } from './world.ts';
import { dueOfDaemon, dueOfServer, isServing, kindFor, type ServerKind } from './servers/kinds.ts';
import { endRoots, leaveServer, type PutServer, putServer, type Serving } from './servers/stage.ts';

/** What began a job: an agent's session, with the agent's pid, or a run. */
export type Beginner =
  | { readonly kind: 'session'; readonly plan: SessionPlan; readonly agent: number }
  | { readonly kind: 'run'; readonly plan: RunPlan };

/** One tool call, or one command of a run, on the stage. */
export interface CastJob {
  readonly begunBy: Beginner;
  readonly kind: JobKind | ServerKind | 'daemon';
  /** In the argv of all that it leaves. */
  readonly number: number;
  /** Whether all of it must be dead in the end, or none of it may have been touched. */
  readonly due: 'due' | 'spared' | 'either';
  /** Left over, by its marks alone: it must live, and be listed as such. */
  readonly claimed: boolean;
}

/** An agent that lives, with the signals that it was sent. */
export interface LivingAgent extends Innocent {
  readonly signals: () => readonly string[];
}

/** In words, for what a failure says. */
export const beginnerOf = ({ begunBy: { kind, plan } }: CastJob): string =>
  kind === 'session' ? `${plan.agent}, which ${plan.fate}` : `a run, ended by: ${plan.ends}`;

/** Every process that a world's plan put on the stage. */
export interface Cast {
  readonly jobs: readonly CastJob[];
  readonly agents: readonly LivingAgent[];
  /** Programs of the user that have to do with a server. */
  readonly users: readonly Innocent[];
}

interface OnStage {
  readonly call: (command: string, kept: boolean) => Promise<Identity>;
  readonly actor: Actor;
  /** For its servers; null for an agent of which none were seen. */
  readonly serving: Serving | null;
  readonly crash: () => Promise<void>;
  readonly end: () => Promise<void>;
  readonly claude: FakeClaude | null;
}

const claudeOnStage = async (
  stage: Scene,
  version: ClaudeVersion,
  { project, place }: { readonly project: string; readonly place: SessionPlan['place'] },
): Promise<OnStage> => {
  const shell = place === 'shell' ? await stage.actor({ argv: ['bash'], setsid: true }) : null;
  const where = shell === null ? {} : { parent: shell, setsid: false, setpgid: true };
  const claude = await FakeClaude.start(stage, { version, project, ...where });
  return {
    call: async (command, kept) => (await claude.bash(command, kept ? { env: { CURFEW_KEEP: '1' } } : {})).shell,
    actor: claude.actor,
    serving: { kind: `claude-${version}`, actor: claude.actor, session: claude.session, project },
    crash: () => claude.crash(),
    end: () => claude.end(),
    claude,
  };
};

let workspaces = 0;

const others = {
  codex,
  copilot,
  cursor,
  gemini,
  mux: (stage: Scene, project: string) => mux(stage, project, `a1b2c3d4${workspaces++}`),
  opencode,
} as const;

const onStage = async (stage: Scene, { agent, place }: SessionPlan, project: string): Promise<OnStage> => {
  if (agent.startsWith('claude-')) return claudeOnStage(stage, agent.slice(7) as ClaudeVersion, { project, place });
  const fake: FakeAgent = await others[agent as keyof typeof others](stage, project);
  return {
    call: (command, kept) => fake.shell(kept ? `export CURFEW_KEEP=1; ${command}` : command),
    actor: fake.actor,
    serving: isServing(agent)
      ? { kind: agent, actor: fake.actor, session: fake.session ?? randomUUID(), project }
      : null,
    crash: fake.crash,
    end: fake.crash,
    claude: null,
  };
};

/** A process in them may not be signalled, whatever became of the session, so none of them is. */
const protectedKinds = new Set<JobKind>(['kept', 'kept-renames', 'other-user']);

/** Agents that read the output of their shells through local sockets. */
const throughSockets: ReadonlySet<AgentKind> = new Set(['opencode', 'gemini', 'claude-2.0.28']);

/** Over SSH, without ss, nothing tells to which of the other ends a local socket is connected. */
const mayBeInUse = (kind: JobKind, { agent }: SessionPlan, plan: WorldPlan): boolean =>
  isWithoutSs(plan) && (kind === 'own-sockets' || throughSockets.has(agent));

const dueOfJob = (kind: JobKind, session: SessionPlan, plan: WorldPlan): CastJob['due'] => {
  const descent = descentOf(kind, session, plan);
  if (protectedKinds.has(kind) || descent === 'claimed') return 'spared';
  const due = dueOf(session, plan);
  return due === 'due' && (descent === 'either' || mayBeInUse(kind, session, plan)) ? 'either' : due;
};

const isClaimed = (kind: JobKind, session: SessionPlan, plan: WorldPlan): boolean =>
  !protectedKinds.has(kind) &&
  !livesOn(session) &&
  session.fate !== 'background' &&
  descentOf(kind, session, plan) === 'claimed';

/** Lets an agent make one call, and waits until all of it stands; its shell until the `gate` is. */
const callOf = async (
  stage: Scene,
  { on, session }: { readonly on: OnStage; readonly session: SessionPlan },
  { project, kind, gate }: { readonly project: string; readonly kind: JobKind; readonly gate: string | null },
): Promise<{ readonly number: number; readonly shell: Identity }> => {
  const number = nextNumber();
  writePrograms(stage, project, kind, number);
  const lasts = gate === null ? '' : `\nuntil [ -e ${gate} ]; do sleep 0.05; done`;
  const isLasting = kind === 'noted' && howNoted(session.agent) === 'by-hook';
  const command = commandOf(isLasting ? 'pipeline' : kind, number);
  const shell = await on.call(
    `${kind === 'noted' ? noting(session.agent, command) : command}${lasts}`,
    kind === 'kept',
  );
  await stage.until(
    `${kind} of ${session.agent} runs`,
    () => aliveIn(readDiary(stage, number)).size >= workersOf(kind),
  );
  if (returning.has(kind) && gate === null && !isLasting)
    await stage.until('its shell returned', () => !stage.lives(shell));
  return { number, shell };
};

const livingAgent = (stage: Scene, what: string, actor: Actor): LivingAgent => ({
  ...bystander(stage, what, actor.pid),
  signals: () => actor.signals(),
});

/** Lets an agent make a call that its hooks note. */
const notedCall = async (stage: Scene, { on, plan: session, project }: Present, world: WorldPlan): Promise<CastJob> => {
  const how = howNoted(session.agent);
  if (how !== 'never') await noteCallsOf(stage, session.agent);
  const { number, shell } = await callOf(stage, { on, session }, { project, kind: 'noted', gate: null });
  if (how === 'by-hook') await callToolHook(stage, session.agent, on.actor);
  const due = dueOfJob('noted', session, world);
  const isProved = how === 'by-hook' || isSoonAfter(shell, processesOf(stage, number));
  return {
    begunBy: { kind: 'session', plan: session, agent: on.actor.pid },
    kind: 'noted',
    number,
    due: due === 'due' && !isProved ? 'either' : due,
    claimed: isClaimed('noted', session, world),
  };
};

let numbers = 100_000;

/** The number of a job that is to be. */
export const nextNumber = (): number => numbers++;

interface Present {
  readonly plan: SessionPlan;
  readonly on: OnStage;
  readonly servers: readonly PutServer[];
  readonly project: string;
}

/** A session's servers with what must become of them. */
const castServers = (
  { plan: session, on, servers }: Present,
  plan: WorldPlan,
): { readonly jobs: readonly CastJob[]; readonly users: readonly Innocent[] } => {
  const state = servingOf(session, plan);
  if (state === null) return { jobs: [], users: [] };
  const begunBy = { kind: 'session', plan: session, agent: on.actor.pid } as const;
  const jobs = servers.flatMap(({ kind, number, daemon }): readonly CastJob[] => [
    { begunBy, kind, number, due: dueOfServer(kind, state), claimed: false },
    ...(daemon === null
      ? []
      : [{ begunBy, kind: 'daemon', number: daemon, due: dueOfDaemon(kind, state), claimed: false } as const]),
  ]);
  return { jobs, users: servers.flatMap(({ innocents }) => innocents) };
};

/** Lets a session end that is to end; gives the agents that live then. */
const endSession = async (stage: Scene, { plan: session, on, servers }: Present): Promise<readonly LivingAgent[]> => {
  if (livesOn(session)) return [livingAgent(stage, `living ${session.agent}`, on.actor)];
  if (servers.length > 0 && on.serving !== null && on.claude !== null && session.fate !== 'crashes')
    await endRoots(stage, on.serving, servers);
  if (session.fate === 'background' && on.claude !== null) {
    const { worker, daemon } = await moveToBackground(stage, on.claude);
    return [
      livingAgent(stage, 'the worker of a session in the background', worker),
      livingAgent(stage, 'the daemon of background sessions', daemon),
    ];
  }
  await (session.fate === 'ends' ? on.end : on.crash)();
  return [];
};

/**
 * Puts all sessions of a plan on the stage, lets them make their calls, then lets those end that
 * are to end.
 * @param look what happens while all of them live
 */
export const putOnStage = async (
  stage: Scene,
  plan: WorldPlan,
  look: () => Promise<void> = async () => {},
): Promise<Cast> => {
  const jobs: CastJob[] = [];
  const present: Present[] = [];
  const gate = `/tmp/scene/looked-${nextNumber()}`;
  const waiting: Identity[] = [];
  for (const [index, session] of plan.sessions.entries()) {
    // Every project has two sessions, so that a folder proves nothing.
    const project = `${stage.home}/project-${index % 2}`;
    const on = await onStage(stage, session, project);
    for (const kind of session.jobs.filter((one) => one !== 'noted')) {
      const isSeen = plan.looked !== 'no' && returning.has(kind) && kind !== 'unseen';
      const { number, shell } = await callOf(stage, { on, session }, { project, kind, gate: isSeen ? gate : null });
      if (isSeen) waiting.push(shell);
      jobs.push({
        begunBy: { kind: 'session', plan: session, agent: on.actor.pid },
        kind,
        number,
        due: dueOfJob(kind, session, plan),
        claimed: isClaimed(kind, session, plan),
      });
    }
    const servers: PutServer[] = [];
    if (on.serving !== null)
      for (const kind of session.servers)
        servers.push(await putServer(stage, on.serving, kindFor(kind, on.serving.kind), nextNumber));
    present.push({ plan: session, on, servers, project });
  }
  await look();
  stage.write(gate, '');
  await stage.until('the calls have returned', () => waiting.every((shell) => !stage.lives(shell)));
  for (const one of present)
    for (const kind of one.plan.jobs) if (kind === 'noted') jobs.push(await notedCall(stage, one, plan));
  for (const { on, servers } of present)
    if (on.serving !== null) for (const one of servers) await leaveServer(stage, on.serving, one);
  const served = present.map((one) => castServers(one, plan));
  const agents: LivingAgent[] = [];
  for (const one of present) agents.push(...(await endSession(stage, one)));
  return {
    jobs: [...jobs, ...served.flatMap((one) => one.jobs)],
    agents,
    users: served.flatMap((one) => one.users),
  };
};
