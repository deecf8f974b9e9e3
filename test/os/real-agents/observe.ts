import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { agentsFolder } from '../../../build/agents/table.ts';
import { readEnvironment, type Row } from '../scene/processes.ts';
import type { Scene } from '../scene/scene.ts';
import { changes } from './changes.ts';
import { isServer, type RealSession } from './session.ts';
import { shapeOf } from './shapes.ts';

const texts = z.array(z.string());

/** What Curfew's signatures of an agent rest on, as a living session shows it. */
export const observedSchema = z.strictObject({
  /** Names in the environment of commands and servers that the user's own has not. */
  commandNames: texts,
  serverNames: texts,
  /** Command lines of what runs commands, without numbers. */
  wrappers: texts,
  /** Whether they lead kernel sessions of their own, or share the agent's. */
  commandSessions: texts,
  serverSessions: texts,
  /** Files that name the agent's process, what lies beside them, and fields of those in JSON. */
  registry: texts,
});
export type Observed = Readonly<z.infer<typeof observedSchema>>;

const sorted = (all: readonly string[]): string[] => [...new Set(all)].toSorted();

const steadyIds = (text: string): string => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27,}/gu, 'UUID');

/** Replaces what differs from run to run: ids, numbers, times, random words. */
const steady = (text: string): string =>
  steadyIds(text)
    .replaceAll(agentsFolder(), '$AGENTS')
    .replaceAll(/claude-[0-9a-f]{4}-cwd/gu, 'claude-ID-cwd')
    .replaceAll(/gemini-shell-\w+/gu, 'gemini-shell-ID')
    .replaceAll(/\d{4}-\d\d-\d\d[T\d:.-]*Z?/gu, 'TIME')
    .replaceAll(/\b(?=\w*\d)(?=\w*[a-zA-Z])\w{6,}\b/gu, 'ID')
    .replaceAll(/\d+/gu, 'N')
    .replaceAll(/(?<=snapshot-bash-N-)\w+/gu, 'ID');

const namesOf = (stage: Scene, rows: readonly { readonly pid: number }[]): string[] => {
  // What a shell sets by itself, and npm for its scripts.
  const usual = new Set([...Object.keys(stage.userEnvironment()), 'PWD', 'OLDPWD', 'SHLVL', '_', 'TERM', 'NODE']);
  const names = rows.flatMap(({ pid }) => {
    try {
      return Object.keys(readEnvironment(stage.proc, pid));
    } catch {
      return [];
    }
  });
  return sorted(names.filter((name) => !usual.has(name) && !/^(?:npm_|INIT_CWD$|COLOR$|EDITOR$)/u.test(name)));
};

const sessionsOf = (rows: readonly Row[], agent: Row | undefined): string[] =>
  sorted(rows.map(({ pid, sid }) => (sid === agent?.sid ? "the agent's" : sid === pid ? 'own' : "its shell's")));

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

const fieldsOf = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? ` {${Object.keys(value).map(steady).toSorted().join(' ')}}`
      : '';
  } catch {
    return '';
  }
};

const isLog = (file: string): boolean => /\.(?:log|jsonl|sqlite|db)\b/u.test(file);

const registryOf = (stage: Scene, { agents }: RealSession): string[] => {
  const root = stage.outside('');
  const files = readdirSync(stage.outside(stage.home), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules|[/]shop[/]?|[/]\.(?:cache|npm)[/]/u.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
  const pids = new Set(agents.map(({ pid }) => String(pid)));
  const textOf = (file: string): string => {
    try {
      return !file.endsWith('.key') && statSync(file).size < 20_000 ? readFileSync(file, 'utf8') : '';
    } catch {
      return '';
    }
  };
  // A name with the pid, or a field or a text that is the pid: not a number that happens to be one.
  const isRegistry = (file: string): boolean => {
    if (isLog(file) || file.includes('session-operation-locks')) return false;
    const text = textOf(file);
    const said = [/^(\d+)\s*$/u.exec(text)?.[1], /"pid"\s*:\s*(\d+)/u.exec(text)?.[1]];
    const named = basename(file).match(/(?<![0-9a-z])\d+(?![0-9a-z])/giu) ?? [];
    return [...said, ...named].some((one) => one !== undefined && pids.has(one));
  };
  const folders = new Set(files.filter(isRegistry).map(dirname));
  return sorted(
    files
      .filter((file) => folders.has(dirname(file)) && !isFolder(file) && !isLog(file))
      .map((file) => `${steady(file.slice(root.length))}${isRegistry(file) ? fieldsOf(textOf(file)) : ''}`),
  );
};

/** Returns what a living session shows. */
export const observe = (stage: Scene, session: RealSession): Observed => {
  const rows = stage.table();
  const of = (identities: readonly { readonly pid: number }[]): readonly Row[] =>
    rows.filter(({ pid }) => identities.some((one) => one.pid === pid));
  const commands = of(session.commands);
  const started = commands.filter(({ argv }) => shapeOf(argv.join(' ')) !== null);
  const agent = rows.find(({ pid }) => pid === session.agent.pid);
  return {
    commandNames: namesOf(stage, started),
    serverNames: namesOf(stage, session.servers),
    wrappers: sorted(
      commands
        // The shapes' own shells are found by name, the agents' by path.
        .filter(({ argv }) => /[/](?:ba|z|da)?sh$/u.test(argv[0] ?? ''))
        .map(({ argv }) => steady(argv.join(' ')).slice(0, 300)),
    ),
    commandSessions: sessionsOf(started, agent),
    serverSessions: sessionsOf(
      of(session.servers).filter((row) => isServer(row) && !/chrome/u.test(row.argv[0] ?? '')),
      agent,
    ),
    registry: registryOf(stage, session),
  };
};

/**
 * Returns what a living session shows. Where an earlier one showed something else, it is given half
 * a minute: on a busy machine a file may not be written yet, or a process still be between fork
 * and exec.
 */
export const observeSettled = async (
  stage: Scene,
  session: RealSession,
  before: Observed | undefined,
): Promise<Observed> => {
  let observed = observe(stage, session);
  if (before === undefined) return observed;
  for (let turn = 0; turn < 60 && changes(before, observed).length > 0; turn++) {
    await sleep(500);
    observed = observe(stage, session);
  }
  return observed;
};
