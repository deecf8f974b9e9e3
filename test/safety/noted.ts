import { FakeClaude } from '../os/scene/claude.ts';
import { curfewEnvironment, runCurfew } from '../os/scene/curfew.ts';
import { bystander, type Innocent, innocentProgram } from '../os/scene/innocents.ts';
import type { Identity } from '../os/scene/processes.ts';
import type { Actor } from '../os/scene/actor.ts';
import type { Scene } from '../os/scene/scene.ts';
import { type AgentKind, howNoted, type SituationKind } from './world.ts';

// What hooks with --witness note: the pid, start, group and kernel session of a shell. It says
// something of that shell alone, whatever has its number later, or is beside it.

interface Put {
  readonly innocents: readonly Innocent[];
  readonly due: readonly Identity[];
}

const hooks = '/tmp/curfew-home/hooks';
const node = '/tmp/scene/bin/node';
let names = 0;

const nameOf = (agent: AgentKind): string => (agent.startsWith('claude') ? 'claude' : agent);

const installed = new WeakMap<Scene, Map<string, Promise<void>>>();

const install = async (stage: Scene, agent: string): Promise<void> => {
  if (agent === 'claude' && !stage.has(`${stage.home}/.claude/settings.json`))
    stage.write(`${stage.home}/.claude/settings.json`, '{}\n');
  const { code, stderr } = await runCurfew(stage, ['hooks', 'install', agent, '--witness']);
  if (code !== 0) throw new Error(`hooks install ${agent}: ${stderr}`);
};

/** Installs the hooks of an agent, as a user does; once a stage. */
export const noteCallsOf = async (stage: Scene, kind: AgentKind): Promise<void> => {
  const all = installed.get(stage) ?? new Map<string, Promise<void>>();
  installed.set(stage, all);
  const agent = nameOf(kind);
  const one = all.get(agent) ?? install(stage, agent);
  all.set(agent, one);
  await one;
};

/** The command of a call, behind what lets its shell note itself. */
export const noting = (agent: AgentKind, command: string): string => {
  if (howNoted(agent) !== 'by-shell') return command;
  return `. ${hooks}/witnessed/${agent === 'opencode' ? 'bash-env.sh' : 'shell.sh'}\n${command}`;
};

/** Calls the hook as an agent does after a call. */
export const callToolHook = async (stage: Scene, kind: AgentKind, agent: Actor): Promise<void> => {
  if (howNoted(kind) !== 'by-hook') return;
  const pid = await agent.start({
    file: '/bin/sh',
    argv: ['/bin/sh', `${hooks}/curfew-hook`, nameOf(kind), 'tool'],
    env: curfewEnvironment(stage),
    cwd: stage.home,
    setsid: true,
    fds: { 0: stage.write(`/tmp/scene/hooks/${names++}.json`, '{}'), 1: '/dev/null', 2: '/dev/null' },
  });
  const { code } = await agent.ended(pid);
  if (code !== 0) throw new Error(`the hook of ${kind} ended with ${code}`);
};

/**
 * Whether what a shell left began so soon after it that the kernel can't have given its number to
 * another process meanwhile. On a busy machine a shell may take longer, and then its note need not
 * prove anything.
 */
export const isSoonAfter = (shell: Identity, left: readonly Identity[]): boolean =>
  left.every(({ start }) => Number(start) - Number(shell.start) <= 15);

const clockTicks = (stage: Scene): number => Number(stage.read('/proc/uptime').split(' ')[0]) * 100;

const program = (stage: Scene, what: string) => {
  stage.program(node);
  const path = `/tmp/work/${what}-${names++}.js`;
  return { path, start: `${node} ${path}`, ...innocentProgram(stage, path) };
};

const quiet = '</dev/null >/dev/null 2>&1';

/** The user's program gets the number of a shell that noted itself and ended, and its marks. */
const numberNoted = async (stage: Scene, claude: FakeClaude): Promise<readonly Innocent[]> => {
  const { shell } = await claude.foreground(noting('claude-2.1.329', 'true'));
  await stage.until('its number can be another’s', () => clockTicks(stage) > Number(shell.start) + 100);
  const first = program(stage, 'has-number');
  const second = program(stage, 'beside-number');
  await stage.top.begin({
    file: '/bin/sh',
    argv: ['sh', '-c', `${second.start} ${quiet} & exec ${first.start} ${quiet}`],
    env: claude.environment(),
    cwd: stage.home,
    setsid: true,
    pid: shell.pid,
  });
  return [await first.ready(), await second.ready()];
};

/** A call opens a browser, in which the user starts something in the session of the call. */
const openedNoted = async (stage: Scene, claude: FakeClaude): Promise<readonly Innocent[]> => {
  const browser = `/tmp/work/browser-${names++}.js`;
  const below = program(stage, 'from-browser');
  const opened = await claude.foreground(
    noting(
      'claude-2.1.329',
      `(${stage.program('firefox')} -e 'system("${below.start} ${quiet} &"); sleep 3600' ${browser} ${quiet} &)`,
    ),
  );
  const left = await below.ready();
  const row = await stage.find('the browser', ({ argv, sid }) => sid === opened.shell.pid && argv.at(-1) === browser);
  return [bystander(stage, 'a browser', row.pid), left];
};

/** @param isCertain no other agent of the world could have the session: what is beside it is due */
export const besideNotes = async (
  stage: Scene,
  kind: Extract<SituationKind, `${string}-noted`>,
  isCertain: boolean,
): Promise<Put> => {
  await noteCallsOf(stage, 'claude-2.1.329');
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/noted` });
  const left = program(stage, 'seen');
  await claude.foregroundSeen(`nohup ${left.start} ${quiet} & sleep 0.1`);
  const { identity } = await left.ready();
  const innocents = await (kind === 'number-noted' ? numberNoted : openedNoted)(stage, claude);
  await claude.crash();
  return { innocents, due: isCertain ? [identity] : [] };
};
