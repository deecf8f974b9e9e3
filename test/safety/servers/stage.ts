import { readdirSync, readlinkSync } from 'node:fs';
import type { Actor } from '../../os/scene/actor.ts';
import { bystander, type Innocent } from '../../os/scene/innocents.ts';
import type { Identity } from '../../os/scene/processes.ts';
import type { Scene } from '../../os/scene/scene.ts';
import { marksOf, type ServerStyle } from '../../os/scene/servers.ts';
import { aliveIn, readDiary } from '../diary.ts';
import type { ServerKind, ServingAgentKind } from './kinds.ts';
import { daemonKinds, socketOf, userProgram, writeServer } from './programs.ts';

/** The agent that a server is started by. */
export interface Serving {
  readonly kind: ServingAgentKind;
  readonly actor: Actor;
  readonly session: string;
  readonly project: string;
}

/** One server on the stage. */
export interface PutServer {
  readonly kind: ServerKind;
  readonly number: number;
  /** Of the daemon that it detached; null for none. */
  readonly daemon: number | null;
  /** What the agent started itself. */
  readonly root: Identity;
  /** Programs of the user that have to do with it. */
  readonly innocents: readonly Innocent[];
}

const styles: Readonly<Record<ServingAgentKind, ServerStyle>> = {
  'claude-2.1.329': 'claude',
  'claude-2.1.197': 'claude-2.1.197',
  'claude-2.0.28': 'claude-2.0',
  codex: 'codex',
  copilot: 'copilot',
  gemini: 'gemini',
  opencode: 'opencode',
};

const environmentOf = (
  stage: Scene,
  { kind: agent, actor, session, project }: Serving,
  kind: ServerKind,
): Record<string, string> => {
  const marks = marksOf(styles[agent], actor.pid, session, project);
  const env = { ...stage.userEnvironment(), ...marks };
  if (kind === 'marked-kept') return { ...env, CURFEW_KEEP: '1' };
  if (kind === 'language') {
    const { CLAUDECODE: _code, CLAUDE_CODE_SESSION_ID: _session, ...rest } = env as Record<string, string>;
    return rest;
  }
  if (kind === 'hook') {
    const { CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: _launcher, ...rest } = env as Record<string, string>;
    return { ...rest, CLAUDE_PID: String(actor.pid), CLAUDE_CODE_CHILD_SESSION: '1' };
  }
  return env;
};

/** A process of the user takes hold of the agent's end of a server's input. */
const takeHold = async (stage: Scene, agent: Actor, server: Identity): Promise<Innocent> => {
  const link = (pid: number, fd: string): string => readlinkSync(`${stage.proc}/${pid}/fd/${fd}`);
  const input = link(server.pid, '0');
  const end = readdirSync(`${stage.proc}/${agent.pid}/fd`).find((fd) => link(agent.pid, fd) === input);
  const held = `/tmp/scene/held-${server.pid}`;
  const { pid } = await stage.top.begin({
    file: '/bin/sh',
    argv: ['sh', '-c', `exec 7>/proc/${agent.pid}/fd/${end}; : >${held}; exec sleep 3600`],
    env: stage.userEnvironment(),
    setsid: true,
  });
  await stage.until('the end is held', () => stage.has(held) && stage.row(pid)?.argv[0] === 'sleep');
  return bystander(stage, 'what holds the input of a server', pid);
};

/** What else stands around a server before it can say that it runs. */
const beside = async (stage: Scene, kind: ServerKind, number: number, daemon: number) => {
  switch (kind) {
    case 'used':
    case 'answers':
      return [await userProgram(stage, 'connects', socketOf(number))];
    case 'feeds-daemon':
      return [await userProgram(stage, 'connects', socketOf(daemon))];
    case 'answered': {
      const client = await userProgram(stage, 'connects', socketOf(number));
      await stage.first.signal(client.identity.pid, 'KILL');
      await stage.until('the client has ended', () => !stage.lives(client.identity));
      return [];
    }
    default:
      return [];
  }
};

/** Lets an agent start a server, and waits until all of it stands. */
export const putServer = async (
  stage: Scene,
  agent: Serving,
  kind: ServerKind,
  nextNumber: () => number,
): Promise<PutServer> => {
  const [number, daemon, user] = [nextNumber(), nextNumber(), nextNumber()];
  stage.write(`/tmp/scene/diaries/job-${number}`, '', 0o666);
  stage.write(`/tmp/scene/diaries/job-${daemon}`, '', 0o666);
  const { file, argv, workers } = writeServer(stage, kind, { number, daemon, user });
  const innocents: Innocent[] = [];
  if (kind === 'dials') innocents.push(await userProgram(stage, 'listens', socketOf(user)));
  const end = agent.kind === 'codex' || agent.kind === 'copilot' ? 'pipe' : 'socket';
  const root = await agent.actor.begin({
    file,
    argv,
    env: environmentOf(stage, agent, kind),
    cwd: agent.project,
    fds: { 0: end, 1: end, 2: end },
    ...(agent.kind === 'codex' ? { setpgid: true } : {}),
    ...(kind === 'hook' ? { setsid: true } : {}),
  });
  innocents.push(...(await beside(stage, kind, number, daemon)));
  const runs = (of: number, count: number): boolean => aliveIn(readDiary(stage, of)).size >= count;
  const hasDaemon = daemonKinds.has(kind);
  await stage.until(
    `a server (${kind}) of ${agent.kind} runs`,
    () => runs(number, workers) && (!hasDaemon || runs(daemon, 1)),
  );
  if (kind === 'apart' || kind === 'left') await agent.actor.ended(root.pid);
  if (kind === 'hook') await agent.actor.closeEnd(root.pid, 0);
  if (kind === 'held') innocents.push(await takeHold(stage, agent.actor, root));
  return { kind, number, daemon: hasDaemon ? daemon : null, root, innocents };
};

/** What happens to a server while its agent lives: a reconnection, or the death of a driver. */
export const leaveServer = async (stage: Scene, agent: Serving, { kind, root }: PutServer): Promise<void> => {
  if (kind !== 'reconnected' && kind !== 'driver-gone') return;
  if (kind === 'reconnected') await agent.actor.closeEnd(root.pid, 0);
  await stage.first.signal(root.pid, 'KILL');
  await agent.actor.ended(root.pid);
};

/**
 * Ends what an agent started itself, as that agent does when it ends by itself: Claude Code from
 * 2.1 on with KILL in the end, 2.0 with TERM alone.
 */
export const endRoots = async (
  stage: Scene,
  { kind: agent }: Pick<Serving, 'kind'>,
  servers: readonly PutServer[],
): Promise<void> => {
  const ended = servers.filter(
    ({ kind, root }) => stage.lives(root) && !(agent === 'claude-2.0.28' && kind === 'stubborn'),
  );
  for (const { root } of ended) await stage.first.signal(root.pid, 'KILL');
  await stage.until('the servers that the agent started have ended', () =>
    ended.every(({ root }) => !stage.lives(root)),
  );
};
