import type { Said } from '../../../app/format/said.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { worded, words } from '../common/words.ts';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import { agentNamed, nameOf } from '../../../app/agents/names.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { agentParts } from '../../agents/dossiers.ts';
import { type Entry, mcpEntry } from '../../agents/entries/form/entry.ts';
import { changeEntry, type EntryState, entryState } from '../../agents/entries/entry-change.ts';
import type { AgentPlaces } from '../../agents/hooks/form/agent-hooks.ts';
import { hookFolders, type HookFolders } from '../../agents/hooks/form/folders.ts';
import { placesEnvironment, serverEnvironment } from '../../agents/hooks/form/hook-script.ts';
import { removeStatusLineScript, statusLineScript, writeStatusLineScript } from '../../agents/status-line/script.ts';
import { ownCommand } from '../../os/programs/bounded-program.ts';
import { placesHere } from '../../store/places.ts';
import { wrapWords } from '../common/table.ts';
import { type ExitStatus, wrongCall, notDone, exitStatus } from '../common/exit-status.ts';
import { type Output, paint, writeJson } from '../common/output.ts';
import { changeLines, type HooksAction, type HooksOptions } from './hooks.ts';
import { runsShellScripts } from '../../os/this-system.ts';

/** What besides hooks can be put into agents' settings. */
export type EntryKind = 'mcp' | 'statusline';

/** An entry with whether its agent is here. */
interface Target {
  readonly entry: Entry;
  readonly found: boolean;
  readonly afterwards: Said | null;
}

interface Here {
  readonly places: AgentPlaces;
  readonly folders: HookFolders;
  readonly statusLine: string;
}

const here = (): Here => {
  const home = homedir();
  const { env: environment } = process;
  const own = placesHere(home);
  return { places: { home, environment }, folders: hookFolders(own), statusLine: own.statusLine };
};

const servers = ({ places }: Here): readonly Target[] => {
  const [node, file] = ownCommand(process.argv[1] ?? '');
  const command = {
    command: [node, file, 'mcp'] as const,
    environment: serverEnvironment(places.environment),
  };
  return agentIds.flatMap((agent): readonly Target[] => {
    const { mcp } = agentParts[agent];
    if (mcp === 'none') return [];
    const { afterwards } = mcp;
    return [{ entry: mcpEntry(mcp, places, command), found: existsSync(mcp.folder(places)), afterwards }];
  });
};

const statusLines = ({ places, folders }: Here): readonly Target[] => {
  if (!runsShellScripts) throw notDone('on Windows agents run no POSIX script; use `curfew statusline`');
  const script = statusLineScript(folders.folder);
  return agentIds.flatMap((agent): readonly Target[] => {
    const { statusLine, hooks } = agentParts[agent];
    if (statusLine === 'none') return [];
    const found = hooks !== 'none' && existsSync(hooks.folder(places));
    return [{ entry: statusLine(places, script), found, afterwards: null }];
  });
};

const chosen = (
  action: HooksAction,
  names: readonly string[],
  targets: readonly Target[],
  folders: HookFolders,
): readonly Target[] => {
  if (names.length > 0)
    return names.map((name) => {
      const target = targets.find(({ entry }) => entry.agent === agentNamed(name));
      if (target !== undefined) return target;
      const known = targets.map(({ entry }) => entry.agent).join(', ');
      throw wrongCall('nothing of this kind is known for {name}, only for {known}', {
        name: JSON.stringify(name),
        known,
      });
    });
  if (action === 'status') return targets;
  return targets.filter(({ entry, found }) =>
    action === 'install' ? found : entryState(folders, entry).state !== 'absent',
  );
};

const stateWords = {
  installed: ['installed', 'green'],
  partly: ['installed from elsewhere', 'yellow'],
  absent: ['not installed', 'dim'],
} as const;

const head = ({ entry, found }: Target, { state, why }: EntryState, output: Output): string => {
  const [form, style] = stateWords[state];
  const where = found ? '' : worded(' (this agent was not found here)');
  const problem = why === null ? '' : `; ${visibleText(words(why))}`;
  return `${nameOf(entry.agent)}: ${paint(output, style, worded(form))}${where}, ${entry.file}${problem}`;
};

/** What a document says of an entry. */
const documented = <State extends Pick<EntryState, 'why'>>(state: State) => ({
  ...state,
  why: state.why === null ? null : inEnglish(state.why),
});

interface Result extends EntryState {
  readonly agent: string;
  readonly changed: boolean;
  readonly copy: string | null;
}

const change = async (
  target: Target,
  action: 'install' | 'uninstall',
  { folders }: Here,
  options: HooksOptions,
  output: Output,
): Promise<Result> => {
  const { entry, afterwards } = target;
  const { agent } = entry;
  const before = entryState(folders, entry, action);
  const say = async (lines: readonly string[]): Promise<void> => {
    if (!options.json && lines.length > 0) await output.write(`${lines.join('\n')}\n`);
  };
  const intent = worded(
    options.dryRun ? '{name}: {file} would be changed like this:' : '{name}: {file} is changed like this:',
    { name: nameOf(agent), file: entry.file },
  );
  if (before.changes.length > 0) await say([intent, ...changeLines(before, output)]);
  if (options.dryRun) {
    if (before.changes.length === 0) await say([head(target, before, output)]);
    return { agent, ...before, changed: false, copy: null };
  }
  const done = changeEntry(folders, entry, action, Date.now());
  if (done.why !== null) output.warn(`curfew: ${nameOf(agent)}: ${words(done.why)}`);
  else
    await say([
      head(target, done, output),
      ...(done.copy === null ? [] : [`    ${worded('The file as it was is kept as {path}.', { path: done.copy })}`]),
      ...(action === 'install' && afterwards !== null
        ? wrapWords(words(afterwards), output.columns - 4).map((line) => `    ${line}`)
        : []),
    ]);
  return { agent, ...done };
};

/**
 * `curfew hooks status|install|uninstall --mcp|--statusline [AGENT…]`: the same for Curfew's MCP
 * server, and for Claude Code's status line. Status 1 when a file was not changed.
 * @throws WrongCall, NotDone
 */
export const hookEntries = async (
  kind: EntryKind,
  action: HooksAction,
  names: readonly string[],
  options: HooksOptions,
  output: Output,
): Promise<ExitStatus> => {
  const place = here();
  const { folders } = place;
  const targets = chosen(action, names, kind === 'mcp' ? servers(place) : statusLines(place), folders);
  if (action === 'status') {
    const states = targets.map((target) => ({ target, state: entryState(folders, target.entry) }));
    if (options.json)
      await writeJson(output, {
        schema: 1,
        agents: states.map(({ target, state }) => ({ agent: target.entry.agent, ...documented(state) })),
      });
    else await output.write(`${states.map(({ target, state }) => head(target, state, output)).join('\n')}\n`);
    return exitStatus.done;
  }
  if (targets.length === 0 && !options.json) {
    if (action === 'install') throw notDone('none of these agents was found here; name one to install it all the same');
    await output.write(`${worded('There is nothing of Curfew to remove.')}\n`);
  }
  const writesScript = kind === 'statusline' && !options.dryRun;
  if (writesScript && action === 'install')
    writeStatusLineScript(folders.folder, place.statusLine, {
      command: ownCommand(process.argv[1] ?? ''),
      environment: placesEnvironment(process.env),
    });
  const results: Result[] = [];
  for (const target of targets) results.push(await change(target, action, place, options, output));
  if (writesScript && action === 'uninstall') removeStatusLineScript(folders.folder);
  if (options.json) await writeJson(output, { schema: 1, dryRun: options.dryRun, agents: results.map(documented) });
  return results.every(({ why }) => why === null) ? exitStatus.done : exitStatus.notDone;
};
