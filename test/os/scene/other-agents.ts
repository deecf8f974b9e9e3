import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Actor } from './actor.ts';
import { quoted } from './claude-shell.ts';
import { type Identity, lives } from './processes.ts';
import type { Scene } from './scene.ts';

/** Common parts of the fakes of other agents: process, shell tool, end by KILL. */
export interface FakeAgent {
  readonly actor: Actor;
  readonly project: string;
  /** Id of its session; null for agents without such a marker. */
  readonly session: string | null;
  /**
   * Calls its shell tool; returns the tool shell, which may have returned already. The start time
   * of a shell of mux that ended before it was read is empty.
   */
  readonly shell: (command: string) => Promise<Identity>;
  readonly crash: () => Promise<void>;
}

const crash = (stage: Scene, actor: Actor) => async (): Promise<void> => {
  await stage.first.signal(actor.pid, 'KILL');
  await stage.until('the agent is gone', () => stage.row(actor.pid) === null);
};

const pipes = { 0: '/dev/null', 1: 'pipe', 2: 'pipe' } as const;

/**
 * Codex 0.169 as `codex exec`: plain `bash -c` in its own session; only the environment shows its
 * owner.
 */
export const codex = async (
  stage: Scene,
  project = `${stage.home}/shop`,
  argv: readonly [string, ...string[]] = ['codex', 'exec'],
): Promise<FakeAgent> => {
  const actor = await stage.actor({ argv, cwd: project, setsid: true });
  const session = randomUUID();
  stage.append(
    `${stage.home}/.codex/sessions/2026/11/21/rollout-2026-11-21T02-00-00-${session}.jsonl`,
    `${JSON.stringify({ type: 'session_meta', payload: { id: session, cwd: project } })}\n`,
  );
  const env = {
    ...stage.userEnvironment(),
    CODEX_SESSION_ID: session,
    CODEX_THREAD_ID: session,
    CODEX_TOOL_CALL_ID: `call_${randomBytes(6).toString('hex')}`,
    CODEX_VERSION: '0.169.0',
    CODEX_CI: '1',
  };
  const shell = async (command: string): Promise<Identity> =>
    actor.begin({
      file: '/bin/bash',
      argv: ['/bin/bash', '-c', command],
      env,
      cwd: project,
      setsid: true,
      fds: pipes,
    });
  return { actor, project, session, shell, crash: crash(stage, actor) };
};

/** Gemini CLI 0.61: a launching node and the agent below it; no id of session or agent anywhere. */
export const gemini = async (
  stage: Scene,
  project = `${stage.home}/shop`,
  script = '/tmp/scene/programs/gemini-cli/gemini',
): Promise<FakeAgent & { readonly launcher: Actor }> => {
  const launcher = await stage.actor({ argv: ['node', script], cwd: project, setsid: true });
  const actor = await stage.actor({ argv: ['/usr/bin/node', script], file: 'node', cwd: project, parent: launcher });
  const env = { ...stage.userEnvironment(), GEMINI_CLI: '1' };
  const shell = async (command: string): Promise<Identity> => {
    const folder = stage.folder(`/tmp/gemini-shell-${randomBytes(3).toString('hex')}`);
    const text =
      `shopt -u promptvars nullglob extglob nocaseglob dotglob; _bgpids_file=${folder}/bgpids.tmp\n` +
      `(\n trap 'jobs -p > "$_bgpids_file"' EXIT\n${command}\n)\n__code=$?\nexit $__code`;
    const argv = ['/usr/bin/bash', '-c', text];
    return actor.begin({
      file: '/bin/bash',
      argv,
      env,
      cwd: project,
      setsid: true,
      fds: { 1: 'socket', 2: 'socket' },
    });
  };
  // The launcher ends with its agent.
  const both = async (): Promise<void> => {
    await crash(stage, actor)();
    await crash(stage, launcher)();
  };
  return { actor, launcher, project, session: null, shell, crash: both };
};

/** Copilot CLI 1.0.102, with the detached shells that are meant to outlive it. */
export interface FakeCopilot extends FakeAgent {
  /** A call with `detach: true`; returns the supervising shell. The lease has this `state`. */
  readonly detached: (command: string, state: 'active' | 'keep') => Promise<Identity>;
}

/** See FakeCopilot. */
export const copilot = async (
  stage: Scene,
  project = `${stage.home}/shop`,
  argv: readonly [string, ...string[]] = ['copilot'],
): Promise<FakeCopilot> => {
  const actor = await stage.actor({ argv, cwd: project, setsid: true });
  const session = randomUUID();
  const folder = stage.folder(`${stage.home}/.copilot/session-state/${session}`);
  stage.write(`${folder}/inuse.${actor.pid}.lock`, String(actor.pid));
  const env = {
    ...stage.userEnvironment(),
    COPILOT_CLI: '1',
    COPILOT_AGENT_SESSION_ID: session,
    COPILOT_CLI_BINARY_VERSION: '1.0.102',
  };
  const plain = (command: string): readonly string[] => ['/bin/bash', '--norc', '--noprofile', '-c', command];
  const shell = async (command: string): Promise<Identity> =>
    actor.begin({ file: '/bin/bash', argv: plain(command), env, cwd: project, setsid: true, fds: pipes });
  const detached = async (command: string, state: 'active' | 'keep'): Promise<Identity> => {
    const path = `/tmp/copilot-detached-s2-${Date.now()}-${randomUUID()}`;
    const supervise =
      '__copilot_pid_path=$1; shift; echo $$ > "$__copilot_pid_path"; "$@" & __copilot_child=$!; ' +
      'while kill -0 $__copilot_child 2>/dev/null; do sleep 5; done; exit';
    const supervisorArgv = ['sh', '-c', supervise, 'copilot-detached-supervisor', `${path}.pid`, ...plain(command)];
    const log = stage.write(`${path}.log`, '');
    const identity = await actor.begin({
      file: '/bin/sh',
      argv: supervisorArgv,
      env,
      cwd: project,
      setsid: true,
      fds: { 1: log, 2: log },
    });
    const { pid } = identity;
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const owner = { pid: actor.pid, startTicks: Number(stage.identity(actor.pid).start), bootId };
    const supervisor = { pid, pgid: pid, startTicks: Number(identity.start), bootId };
    const leases = `${folder}/detached-shells`;
    stage.write(
      `${leases}/owner.heartbeat`,
      `${Math.floor(Date.now() / 1000)}\nv1 ${owner.pid} ${owner.startTicks} ${bootId}`,
    );
    stage.write(`${leases}/s2.lease.json`, JSON.stringify({ owner, supervisor, state, graceMs: 60_000 }));
    if (state === 'keep') stage.write(`${leases}/s2.keep`, '');
    return identity;
  };
  return { actor, project, session, shell, detached, crash: crash(stage, actor) };
};

/**
 * opencode 1.18: it marks its own environment after its start, so that its children carry the
 * markers.
 */
export const opencode = async (
  stage: Scene,
  project = `${stage.home}/shop`,
  argv: readonly [string, ...string[]] = ['opencode'],
): Promise<FakeAgent & { readonly environment: Record<string, string> }> => {
  const actor = await stage.actor({ argv, cwd: project, setsid: true });
  const environment = { ...stage.userEnvironment(), AGENT: '1', OPENCODE: '1', OPENCODE_PID: String(actor.pid) };
  const shell = async (command: string): Promise<Identity> =>
    actor.begin({
      file: '/bin/bash',
      argv: ['/bin/bash', '-c', command],
      env: environment,
      cwd: project,
      setsid: true,
      fds: { 1: 'socket', 2: 'socket' },
    });
  return { actor, project, session: null, shell, environment, crash: crash(stage, actor) };
};

/**
 * Cursor's agent, as far as known: shells with a group, but without their own session. In a
 * terminal if there is one.
 */
export const cursor = async (
  stage: Scene,
  project = `${stage.home}/shop`,
  terminal: Actor | null = null,
): Promise<FakeAgent> => {
  const script = `${stage.home}/.local/share/cursor-agent/versions/2026.11.01/index.js`;
  const place = terminal === null ? { setsid: true } : { parent: terminal, setpgid: true };
  const actor = await stage.actor({ argv: ['node', script], cwd: project, ...place });
  const env = { ...stage.userEnvironment(), CURSOR_AGENT: '1' };
  const shell = async (command: string): Promise<Identity> =>
    actor.begin({
      file: '/bin/bash',
      argv: ['/bin/bash', '-c', command],
      env,
      cwd: project,
      setpgid: true,
      fds: pipes,
    });
  return { actor, project, session: null, shell, crash: crash(stage, actor) };
};

/** mux: `id` is the workspace. */
export interface FakeMux extends FakeAgent {
  /** Folder of the last shell: output.log, meta.json, exit_code once it has ended. */
  readonly folder: () => string;
  readonly shell: (command: string, displayName?: string) => Promise<Identity>;
}

/**
 * mux: the subreaper adopts its shells from the start.
 * @param workspace its unique id, which also makes the output files unique
 */
export const mux = async (stage: Scene, project = `${stage.home}/shop`, workspace = 'a1b2c3d4e5'): Promise<FakeMux> => {
  const actor = await stage.actor({ argv: ['mux'], file: '/tmp/scene/opt/mux/mux', cwd: project, setsid: true });
  let last = '';
  let count = 0;
  const shell = async (command: string, displayName?: string): Promise<Identity> => {
    last = stage.folder(`/tmp/mux-bashes/${workspace}/bash_${++count}`);
    const marks = ['XUM', 'MUX'].flatMap((name) => [
      `export ${name}_PROJECT_PATH='${project}'`,
      `export ${name}_RUNTIME='local'`,
      `export ${name}_WORKSPACE_NAME='main'`,
      `export ${name}_WORKSPACE_ID='${workspace}'`,
    ]);
    const script = [
      `__MUX_EXIT_CODE_PATH='${last}/exit_code'`,
      `trap 'echo $? > "$__MUX_EXIT_CODE_PATH"' EXIT`,
      `cd '${project}'`,
      ...marks,
      command,
    ].join(' && ');
    const spawn = `(set -m; nohup bash -c ${quoted(script)} > ${last}/output.log 2>&1 < /dev/null & echo $! > ${last}/started)`;
    const exec = await actor.start({
      file: '/bin/bash',
      argv: ['bash', '-c', spawn],
      env: stage.userEnvironment(),
      cwd: project,
      setsid: true,
    });
    await actor.ended(exec);
    const pid = await stage.until(
      'mux knows the pid',
      () => stage.has(`${last}/started`) && Number(stage.read(`${last}/started`)),
    );
    stage.write(
      `${last}/meta.json`,
      JSON.stringify({
        id: `bash_${count}`,
        pid,
        script: command,
        startTime: Date.now(),
        status: 'running',
        displayName,
      }),
    );
    // nohup becomes bash by exec; from then on the command line is the shell's own. A shell that
    // returned at once is gone.
    const row = await stage.until('mux has its shell, or had it', () => {
      const now = stage.row(pid);
      return !lives(now) ? 'ended' : now.argv.at(-1) === script && now;
    });
    return { pid, start: row === 'ended' ? '' : row.start };
  };
  return { actor, project, session: null, shell, folder: () => last, crash: crash(stage, actor) };
};
