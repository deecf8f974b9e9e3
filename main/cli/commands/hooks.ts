import { homedir } from 'node:os';
import { inEnglish } from '../../../app/text/say.ts';
import type { Said } from '../../../app/format/said.ts';
import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { dossiers } from '../../../app/agents/dossiers.ts';
import { agentNamed } from '../../../app/agents/names.ts';
import type { AgentHooks } from '../../../app/contract/app-questions.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { witnessOf } from '../../agents/hooks/form/witness-shell.ts';
import type { AgentHookInstaller } from '../../agents/hooks/form/agent-hooks.ts';
import type { HookInstallation } from '../../agents/hooks/installation/hook-installation.ts';
import { agentHooks, changeHooks, hookInstallerOf } from '../../agents/hooks/installation/hook-installation.ts';
import { hookInstallationHere } from '../../agents/hooks/installation/installation-here.ts';
import { hookInstallers } from '../../agents/dossiers.ts';
import { placesHere } from '../../store/places.ts';
import { type Column, column, columnGap, layOut, wrapWords } from '../common/table.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus, NotDone, WrongCall } from '../common/exit-status.ts';
import { changeWitness, type Witness, type WitnessResult, witnessState } from './hooks-witness.ts';
import type { Output } from '../common/output.ts';
import { paint, writeJson } from '../common/output.ts';

/** Options of `curfew hooks`. */
export interface HooksOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  /** Besides hooks, what makes tool calls witnessed; left out or null: it stays as it is. */
  readonly witness?: Witness | null;
}

/** The actions of `curfew hooks`. */
export const hooksActions = ['status', 'install', 'uninstall'] as const;

export type HooksAction = (typeof hooksActions)[number];

const here = (): HookInstallation => {
  const home = homedir();
  const { env: environment } = process;
  const places = placesHere(home);
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

/**
 * Returns the named agents, else the default ones: installed agents to install into, all others for
 * status and removal.
 */
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

/** The state in a few words, for a list. */
const stateOf = ({ hooks, found }: AgentHooks): string =>
  found === null && hooks === 'absent' ? 'agent not found' : stateWords[hooks][0];

/** What stands in documents: in English. */
type InWords = Omit<AgentHooks, 'note'> & { readonly note: string | null };

const inWords = (hooks: AgentHooks): InWords => ({
  ...hooks,
  note: hooks.note === null ? null : inEnglish(hooks.note),
});

const noteLines = (note: Said | null, output: Output): readonly string[] =>
  note === null ? [] : wrapWords(inEnglish(note), output.columns - 4).map((line) => `    ${line}`);

const marks = { same: ['  ', 'dim'], added: ['+ ', 'green'], removed: ['- ', 'red'] } as const;

/** Returns what will be written, as a difference. */
export const changeLines = ({ changes }: Pick<WitnessResult, 'changes'>, output: Output): readonly string[] =>
  changes.map(({ kind, line }) => {
    const [mark, style] = marks[kind];
    return paint(output, style, `    ${mark}${visibleText(line)}`);
  });

const witnessNote = (agent: AgentId, state: ReturnType<typeof witnessState>): string | null => {
  if (state === 'absent') return null;
  if (state === 'not-ours')
    return 'You have set CLAUDE_CODE_TOOL_MEMORY_LIMIT; it stays as it is and witnesses in the same way.';
  return {
    line: 'Its tool calls get a control group of their own, which witnesses what they start.',
    'bash-env': 'Each of its tool shells notes itself.',
    children: 'Its hooks note what it has running.',
    none: null,
  }[witnessOf(agent)];
};

const status = async (
  installers: readonly AgentHookInstaller[],
  installation: HookInstallation,
  options: HooksOptions,
  output: Output,
) => {
  const agents = installers.map((installer) => ({
    ...inWords(agentHooks(installation, installer)),
    witness: witnessState(installation, installer.agent),
  }));
  if (options.json) {
    await writeJson(output, { schema: 1, agents });
    return;
  }
  const notes = installers.map(({ agent }, at) => witnessNote(agent, agents[at]?.witness ?? 'absent'));
  const columns: readonly Column[] = [
    { title: 'AGENT', cells: agents.map(({ name }) => name), max: 24, leaves: null },
    { title: 'HOOKS', cells: agents.map(stateOf), max: 24, leaves: null },
  ];
  const layout = layOut(columns, output.columns, 0);
  const row = (cells: readonly string[], file: string): string =>
    // The path is not cut, so that it can be copied.
    [...cells.map((cell, at) => column(cell, layout.widths[at] ?? 0)), file].join(columnGap).trimEnd();
  const titles = columns.map(({ title }) => title);
  const lines = [
    paint(output, 'dim', row(titles, 'FILE')),
    ...agents.flatMap((agent, at) => [
      row(
        columns.map(({ cells }) => cells[at] ?? ''),
        agent.file ?? '',
      ),
      ...(agent.found === null && agent.hooks === 'absent' ? [] : noteLines(agent.note, output)),
      ...noteLines(notes[at] ?? null, output),
    ]),
  ];
  await output.write(`${lines.join('\n')}\n`);
};

interface Result extends InWords {
  readonly changed: boolean;
  readonly copy: string | null;
  readonly problem: string | null;
}

/** Says what was put in or taken out besides hooks; null: nothing of that was to change. */
const changeBeside = async (
  installer: AgentHookInstaller,
  action: 'install' | 'uninstall',
  installation: HookInstallation,
  options: HooksOptions,
  output: Output,
): Promise<WitnessResult | null> => {
  const { witness = null } = options;
  if (action === 'install' && witness === null) return null;
  const wish = action === 'install' && witness !== null ? { action, witness } : { action: 'uninstall' as const };
  const done = changeWitness(installation, installer.agent, wish, options.dryRun);
  if (options.json) return done;
  if (done.problem !== null) output.warn(`curfew: ${done.problem}`);
  const lines = [
    ...changeLines(done, output),
    ...done.told.flatMap((line) => wrapWords(line, output.columns - 4)).map((line) => `    ${line}`),
  ];
  if (lines.length > 0) await output.write(`${lines.join('\n')}\n`);
  return done;
};

const change = async (
  installer: AgentHookInstaller,
  action: 'install' | 'uninstall',
  installation: HookInstallation,
  options: HooksOptions,
  output: Output,
): Promise<Result> => {
  const before = inWords(agentHooks(installation, installer, action));
  const say = async (lines: readonly string[]): Promise<void> => {
    if (!options.json && lines.length > 0) await output.write(`${lines.join('\n')}\n`);
  };
  if (before.changes.length > 0) {
    const intent = options.dryRun ? 'would be changed like this' : 'is changed like this';
    await say([`${before.name}: ${before.file ?? ''} ${intent}:`, ...changeLines(before, output)]);
  }
  if (options.dryRun) {
    if (before.changes.length === 0) await say([headOf(before, output), ...noteLines(before.note, output)]);
    return { ...before, changed: false, copy: null, problem: null };
  }
  const done = changeHooks(installation, installer, action);
  const hooks = inWords(done.hooks);
  if (!done.ok) {
    const why = inEnglish(done.why);
    output.warn(`curfew: ${before.name}: ${why}`);
    return { ...hooks, changes: before.changes, changed: false, copy: null, problem: why };
  }
  const kept = done.copy === null ? [] : [`    The file as it was is kept as ${done.copy}.`];
  const note = action === 'install' ? noteLines(hooks.note, output) : [];
  await say([headOf(hooks, output), ...kept, ...note]);
  return { ...hooks, changes: before.changes, changed: done.changed, copy: done.copy, problem: null };
};

/**
 * `curfew hooks status|install|uninstall [AGENT…]`. Shows what will be written before it is
 * written; `dryRun` only shows. Status 1 when a file was not changed.
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
  for (const installer of installers) {
    // What was put in last is taken out first, so that the file is again what it was.
    if (action === 'uninstall') await changeBeside(installer, action, installation, options, output);
    const result = await change(installer, action, installation, options, output);
    const beside = action === 'install' ? await changeBeside(installer, action, installation, options, output) : null;
    results.push(beside === null ? result : { ...result, problem: result.problem ?? beside.problem });
  }
  if (options.json) await writeJson(output, { schema: 1, dryRun: options.dryRun, agents: results });
  return results.every(({ problem }) => problem === null) ? exitStatus.done : exitStatus.notDone;
};
