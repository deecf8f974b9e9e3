import type { Identity, Row } from '../os/scene/processes.ts';
import { lives } from '../os/scene/processes.ts';
import { moveToBackground } from '../os/scene/background-session.ts';
import { FakeClaude } from '../os/scene/claude.ts';
import type { ClaudeVersion } from '../os/scene/claude-shell.ts';
import type { Innocent } from '../os/scene/innocents.ts';
import { bystander } from '../os/scene/innocents.ts';
import { codex, copilot, cursor, type FakeAgent, gemini, mux, opencode } from '../os/scene/other-agents.ts';
import type { Scene } from '../os/scene/scene.ts';
import { commandOf } from './commands.ts';
import type { AgentKind, JobKind, SessionPlan, WorldPlan } from './world.ts';
import { livesOn, mustEnd } from './world.ts';

/** One tool call on the stage. */
export interface CastJob {
  readonly session: SessionPlan;
  readonly kind: JobKind;
  /** In the argv of all that it leaves. */
  readonly number: number;
  /** Whether all of it must be dead in the end; else none of it may have been touched. */
  readonly due: boolean;
}

/** Everybody that a world's plan put on the stage. */
export interface Cast {
  readonly jobs: readonly CastJob[];
  /** Agents that live. */
  readonly agents: readonly Innocent[];
}

interface OnStage {
  readonly call: (command: string, kept: boolean) => Promise<unknown>;
  readonly pid: number;
  readonly end: () => Promise<void>;
  readonly claude: FakeClaude | null;
}

const claudeOnStage = async (stage: Scene, version: ClaudeVersion, project: string): Promise<OnStage> => {
  const claude = await FakeClaude.start(stage, { version, project });
  return {
    call: (command, kept) => claude.bash(command, kept ? { env: { CURFEW_KEEP: '1' } } : {}),
    pid: claude.actor.pid,
    end: () => claude.crash(),
    claude,
  };
};

const others = { codex, copilot, cursor, gemini, mux, opencode } as const;

const onStage = async (stage: Scene, agent: AgentKind, project: string): Promise<OnStage> => {
  if (agent.startsWith('claude-')) return claudeOnStage(stage, agent.slice(7) as ClaudeVersion, project);
  const fake: FakeAgent = await others[agent as keyof typeof others](stage, project);
  return {
    call: (command, kept) => fake.shell(kept ? `export CURFEW_KEEP=1; ${command}` : command),
    pid: fake.actor.pid,
    end: fake.crash,
    claude: null,
  };
};

/** Living processes of a job: everything with its number among its words. */
export const processesOf = (stage: Scene, number: number): readonly Row[] =>
  stage.table().filter((row) => lives(row) && row.argv.some((word) => word.includes(String(number))));

/** Those of them that never end by themselves, pinned: a shell that returns also has the number among its words. */
export const identitiesOf = (stage: Scene, number: number): readonly Identity[] =>
  processesOf(stage, number)
    .filter(({ argv }) => argv[0] === 'sleep')
    .map(({ pid, start }) => ({ pid, start }));

let numbers = 100_000;

/** Puts all sessions of a plan on the stage, lets them make their calls, then lets those end that are to end. */
export const putOnStage = async (stage: Scene, plan: WorldPlan): Promise<Cast> => {
  const jobs: CastJob[] = [];
  const present: { readonly plan: SessionPlan; readonly on: OnStage }[] = [];
  for (const [index, session] of plan.sessions.entries()) {
    // Every project has two sessions, so that a folder proves nothing.
    const on = await onStage(stage, session.agent, `${stage.home}/project-${index % 2}`);
    present.push({ plan: session, on });
    for (const kind of session.jobs) {
      const number = numbers++;
      await on.call(commandOf(kind, number), kind === 'kept');
      await stage.until(`${kind} runs`, () => processesOf(stage, number).some(({ argv }) => argv[0] === 'sleep'));
      jobs.push({ session, kind, number, due: mustEnd(session, plan) && kind !== 'kept' });
    }
  }
  const agents: Innocent[] = [];
  for (const { plan: session, on } of present) {
    if (livesOn(session)) agents.push(bystander(stage, `living ${session.agent}`, on.pid));
    else if (session.fate === 'background' && on.claude !== null) {
      const { worker, daemon } = await moveToBackground(stage, on.claude);
      agents.push(bystander(stage, 'the worker of a session in the background', worker.pid));
      agents.push(bystander(stage, 'the daemon of background sessions', daemon.pid));
    } else await on.end();
  }
  return { jobs, agents };
};
