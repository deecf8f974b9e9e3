import { homedir } from 'node:os';
import { dossiers } from '../../../app/agents/dossiers.ts';
import { agentNamed } from '../../../app/agents/names.ts';
import type { AgentHooks } from '../../../app/contract/app-questions.ts';
import { visibleText } from '../../../app/format/visible.ts';
import type { AgentHookInstaller } from '../../agents/hooks/form/agent-hooks.ts';
import type { HookInstallation } from '../../agents/hooks/installation/hook-installation.ts';
import { agentHooks, changeHooks, hookInstallerOf } from '../../agents/hooks/installation/hook-installation.ts';
import { hookInstallationHere } from '../../agents/hooks/installation/installation-here.ts';
import { hookInstallers } from '../../agents/hooks/installation/installers.ts';
import { placesFor } from '../../store/places.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus, NotDone, WrongCall } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';
import { paint, writeJson } from '../common/output.ts';

/** Options of `curfew hooks`. */
export interface HooksOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
}

/** What `curfew hooks` can do. */
export const hooksActions = ['status', 'install', 'uninstall'] as const;

/** See `hooksActions`. */
export type HooksAction = (typeof hooksActions)[number];

const here = (): HookInstallation => {
  const home = homedir();
  const { env: environment, platform } = process;
  const places = placesFor({ platform, environment, home, workingFolder: process.cwd() });
  return hookInstallationHere({ places, home, environment, commandLine: process.argv[1] ?? '' });
};

const named = (name: string): AgentHookInstaller => {
  const known = hookInstallers
    .map(({ agent }) => {
      const { short } = dossiers[agent].names;
      return short === agent ? agent : `${short} (${agent})`;
    })
    .join(', ');
  const agent = agentNamed(name);
  const installer = agent === null ? null : hookInstallerOf(agent);
  if (installer !== null) return installer;
  throw new WrongCall(
    agent === null
      ? `there is no agent ${JSON.stringify(name)}; hooks are known for ${known}`
      : `${name} has no hooks that Curfew could use; hooks are known for ${known}`,
  );
};

/** Those that were named, else those that this is about: installed agents to install into, all others for status and removal. */
const chosen = (
  action: HooksAction,
  names: readonly string[],
  installation: HookInstallation,
): readonly AgentHookInstaller[] => {
  if (names.length > 0) return [...new Set(names.map(named))];
  if (action === 'status') return hookInstallers;
  return hookInstallers.filter((installer) => {
    const { found, hooks } = agentHooks(installation, installer);
    return action === 'install' ? found !== null : hooks !== 'absent';
  });
};

const stateWords = {
  installed: ['installed', 'green'],
  partly: ['partly installed', 'yellow'],
  absent: ['not installed', 'dim'],
  unsupported: ['not available here', 'dim'],
} as const;

const headOf = ({ name, hooks, file, found }: AgentHooks, output: Output): string => {
  const [words, style] = stateWords[hooks];
  const where = found === null ? ' (this agent was not found here)' : '';
  return `${name}: ${paint(output, style, words)}${where}${file === null ? '' : `, ${file}`}`;
};

const marks = { same: ['  ', 'dim'], added: ['+ ', 'green'], removed: ['- ', 'red'] } as const;

/** What will be written, as a difference. */
const changeLines = ({ changes }: AgentHooks, output: Output): readonly string[] =>
  changes.map(({ kind, line }) => {
    const [mark, style] = marks[kind];
    return paint(output, style, `    ${mark}${visibleText(line)}`);
  });

const status = async (
  installers: readonly AgentHookInstaller[],
  installation: HookInstallation,
  options: HooksOptions,
  output: Output,
) => {
  const agents = installers.map((installer) => agentHooks(installation, installer));
  if (options.json) {
    await writeJson(output, { schema: 1, agents });
    return;
  }
  const lines = agents.flatMap((agent) => [
    headOf(agent, output),
    ...(agent.note === null ? [] : [`    ${agent.note}`]),
  ]);
  await output.write(`${lines.join('\n')}\n`);
};

interface Result extends AgentHooks {
  readonly changed: boolean;
  readonly copy: string | null;
  readonly problem: string | null;
}

const change = async (
  installer: AgentHookInstaller,
  action: 'install' | 'uninstall',
  installation: HookInstallation,
  options: HooksOptions,
  output: Output,
): Promise<Result> => {
  const before = agentHooks(installation, installer, action);
  const say = async (lines: readonly string[]): Promise<void> => {
    if (!options.json && lines.length > 0) await output.write(`${lines.join('\n')}\n`);
  };
  if (before.changes.length > 0) {
    const intent = options.dryRun ? 'would be changed like this' : 'is changed like this';
    await say([`${before.name}: ${before.file ?? ''} ${intent}:`, ...changeLines(before, output)]);
  }
  if (options.dryRun) {
    if (before.changes.length === 0)
      await say([headOf(before, output), ...(before.note === null ? [] : [`    ${before.note}`])]);
    return { ...before, changed: false, copy: null, problem: null };
  }
  const done = changeHooks(installation, installer, action);
  if (!done.ok) {
    output.warn(`curfew: ${before.name}: ${done.why}`);
    return { ...done.hooks, changes: before.changes, changed: false, copy: null, problem: done.why };
  }
  const kept = done.copy === null ? [] : [`    The file as it was is kept as ${done.copy}.`];
  const note = action === 'install' && done.hooks.note !== null ? [`    ${done.hooks.note}`] : [];
  await say([headOf(done.hooks, output), ...kept, ...note]);
  return { ...done.hooks, changes: before.changes, changed: done.changed, copy: done.copy, problem: null };
};

/**
 * `curfew hooks status|install|uninstall [AGENT…]`. Shows what will be written before it is written; `dryRun` only shows. Status 1 when a
 * file had to be left alone.
 */
export const hooks = async (
  action: HooksAction,
  names: readonly string[],
  options: HooksOptions,
  output: Output,
): Promise<ExitStatus> => {
  const installation = here();
  const installers = chosen(action, names, installation);
  if (action === 'status') {
    await status(installers, installation, options, output);
    return exitStatus.done;
  }
  if (installers.length === 0 && !options.json) {
    if (action === 'install')
      throw new NotDone(
        `none of these agents was found here: ${hookInstallers.map(({ agent }) => agent).join(', ')}; name one to install its hooks all the same`,
      );
    await output.write('There are no hooks of Curfew to remove.\n');
  }
  const results: Result[] = [];
  for (const installer of installers) results.push(await change(installer, action, installation, options, output));
  if (options.json) await writeJson(output, { schema: 1, dryRun: options.dryRun, agents: results });
  return results.every(({ problem }) => problem === null) ? exitStatus.done : exitStatus.notDone;
};
