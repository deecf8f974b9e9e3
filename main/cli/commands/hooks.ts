import { words, worded } from '../common/words.ts';
import { homedir } from 'node:os';
import { say, inEnglish, warned } from '../../../app/text/say.ts';
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
import { type ExitStatus, wrongCall, notDone, exitStatus } from '../common/exit-status.ts';
import { changeWitness, type Witness, type WitnessResult, witnessState } from './hooks-witness.ts';
import { type Output, paint, writeJson } from '../common/output.ts';

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
  throw agent === null
    ? wrongCall('there is no agent {name}; hooks are known for {known}', { name: JSON.stringify(name), known })
    : wrongCall('{name} has no hooks that Curfew could use; hooks are known for {known}', { name, known });
};

/** Returns the named agents, else the installed ones to install into, or all the others. */
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
  const [state, style] = stateWords[hooks];
  const where = found === null ? worded(' (this agent was not found here)') : '';
  return `${name}: ${paint(output, style, worded(state))}${where}${file === null ? '' : `, ${file}`}`;
};

/** The state in a few words, for a list. */
const stateOf = ({ hooks, found }: AgentHooks): string =>
  found === null && hooks === 'absent' ? worded('agent not found') : worded(stateWords[hooks][0]);

/** What stands in documents: in English. */
type InWords = Omit<AgentHooks, 'note'> & { readonly note: string | null };

const inWords = (hooks: AgentHooks): InWords => ({
  ...hooks,
  note: hooks.note === null ? null : inEnglish(hooks.note),
});

const noteLines = (note: Said | null, output: Output): readonly string[] =>
  note === null ? [] : wrapWords(words(note), output.columns - 4).map((line) => `    ${line}`);

const marks = { same: ['  ', 'dim'], added: ['+ ', 'green'], removed: ['- ', 'red'] } as const;

/** Returns what will be written, as a difference. */
export const changeLines = ({ changes }: Pick<WitnessResult, 'changes'>, output: Output): readonly string[] =>
  changes.map(({ kind, line }) => {
    const [mark, style] = marks[kind];
    return paint(output, style, `    ${mark}${visibleText(line)}`);
  });

const witnessNote = (agent: AgentId, state: ReturnType<typeof witnessState>): Said | null => {
  if (state === 'absent') return null;
  if (state === 'not-ours')
    return say('You have set CLAUDE_CODE_TOOL_MEMORY_LIMIT; it stays as it is and witnesses in the same way.');
  const form = (
    {
      line: 'Its tool calls get a control group of their own, which witnesses what they start.',
      'bash-env': 'Each of its tool shells notes itself.',
      children: 'Its hooks note what it has running.',
      none: null,
    } as const
  )[witnessOf(agent)];
  return form === null ? null : say(form);
};

const status = async (
  installers: readonly AgentHookInstaller[],
  installation: HookInstallation,
  options: HooksOptions,
  output: Output,
) => {
  const agents = installers.map((installer) => ({
    ...agentHooks(installation, installer),
    witness: witnessState(installation, installer.agent),
  }));
  if (options.json) {
    await writeJson(output, { schema: 1, agents: agents.map((one) => ({ ...inWords(one), witness: one.witness })) });
    return;
  }
  const notes = installers.map(({ agent }, at) => witnessNote(agent, agents[at]?.witness ?? 'absent'));
  const columns: readonly Column[] = [
    { title: worded('AGENT'), cells: agents.map(({ name }) => name), max: 24, leaves: null },
    { title: worded('HOOKS'), cells: agents.map(stateOf), max: 24, leaves: null },
  ];
  const layout = layOut(columns, output.columns, 0);
  const row = (cells: readonly string[], file: string): string =>
    // The path is not cut, so that it can be copied.
    [...cells.map((cell, at) => column(cell, layout.widths[at] ?? 0)), file].join(columnGap).trimEnd();
  const titles = columns.map(({ title }) => title);
  const lines = [
    paint(output, 'dim', row(titles, worded('FILE'))),
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
  if (done.problem !== null) output.warn(warned(done.problem));
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
  const before = agentHooks(installation, installer, action);
  const tell = async (lines: readonly string[]): Promise<void> => {
    if (!options.json && lines.length > 0) await output.write(`${lines.join('\n')}\n`);
  };
  if (before.changes.length > 0) {
    const intent = worded(
      options.dryRun ? '{name}: {file} would be changed like this:' : '{name}: {file} is changed like this:',
      { name: before.name, file: before.file ?? '' },
    );
    await tell([intent, ...changeLines(before, output)]);
  }
  if (options.dryRun) {
    if (before.changes.length === 0) await tell([headOf(before, output), ...noteLines(before.note, output)]);
    return { ...inWords(before), changed: false, copy: null, problem: null };
  }
  const done = changeHooks(installation, installer, action);
  const { hooks } = done;
  if (!done.ok) {
    output.warn(`curfew: ${before.name}: ${words(done.why)}`);
    return { ...inWords(hooks), changes: before.changes, changed: false, copy: null, problem: inEnglish(done.why) };
  }
  const kept =
    done.copy === null ? [] : [`    ${worded('The file as it was is kept as {path}.', { path: done.copy })}`];
  const note = action === 'install' ? noteLines(hooks.note, output) : [];
  await tell([headOf(hooks, output), ...kept, ...note]);
  return { ...inWords(hooks), changes: before.changes, changed: done.changed, copy: done.copy, problem: null };
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
      throw notDone('none of these agents was found here: {agents}; name one to install its hooks all the same', {
        agents: hookInstallers.map(({ agent }) => agent).join(', '),
      });
    await output.write(`${worded('There are no hooks of Curfew to remove.')}\n`);
  }
  const results: Result[] = [];
  for (const installer of installers) {
    // What was put in last is taken out first, so that the file is again what it was.
    if (action === 'uninstall') await changeBeside(installer, action, installation, options, output);
    const result = await change(installer, action, installation, options, output);
    const beside = action === 'install' ? await changeBeside(installer, action, installation, options, output) : null;
    results.push(
      beside === null
        ? result
        : { ...result, problem: result.problem ?? (beside.problem === null ? null : inEnglish(beside.problem)) },
    );
  }
  if (options.json) await writeJson(output, { schema: 1, dryRun: options.dryRun, agents: results });
  return results.every(({ problem }) => problem === null) ? exitStatus.done : exitStatus.notDone;
};
