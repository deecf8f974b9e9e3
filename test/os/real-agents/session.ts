import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { agentsFolder, type PinnedAgent, programOf } from '../../../build/agents/table.ts';
import { descendants, type Identity, lives, type Row } from '../scene/processes.ts';
import type { Scene } from '../scene/scene.ts';
import { StageError } from '../scene/stage-error.ts';
import { modelPort, type RealAgentKind } from './kinds.ts';
import type { Step } from './model/step.ts';

/** Scenes of real agents see the folder with their programs. */
export const withAgents = { carried: [agentsFolder()] };

/** Why a real agent can't be started here; null if it can. */
export const missingOf = (agent: PinnedAgent): string | null =>
  existsSync(programOf(agent)) ? null : `${agent.name} is not in ${agentsFolder()}: npm run agents fetches it`;

/** Starts the stand-in for all models. */
export const startModel = async (stage: Scene): Promise<void> => {
  stage.folder('/tmp/model');
  await stage.top.begin({
    file: process.execPath,
    argv: [process.execPath, join(import.meta.dirname, 'model/stand-in-model.ts'), String(modelPort), '/tmp/model'],
    env: stage.userEnvironment(),
    setsid: true,
    fds: { 1: '/tmp/model/out', 2: '/tmp/model/out' },
  });
  await stage.until('the stand-in for the model listens', () => stage.has('/tmp/model/listens'));
};

/** Writes the programs of the servers of sessions; one drives the machine's Chromium if asked. */
export const writeServers = (stage: Scene, drivesChromium = false): void => {
  if (drivesChromium) stage.write('/tmp/scene/drives-chromium', '');
  const fixture = readFileSync(join(import.meta.dirname, '../fixtures/mcp-server.py'), 'utf8');
  stage.write('/tmp/scene/mcp-server.py', fixture);
  // Without a network npm asks for its newest version again after 10 s and 60 s, and writes of it.
  stage.write(`${stage.home}/.npmrc`, 'update-notifier=false\n');
  const installed = `${stage.home}/shop/node_modules/mcp-deaf`;
  const manifest = { name: 'mcp-deaf', version: '1.0.0', bin: 'server.py' };
  stage.write(`${installed}/package.json`, JSON.stringify(manifest));
  stage.write(`${installed}/server.py`, `#!/usr/bin/python3\n${fixture}`, 0o755);
  stage.write(
    `${stage.home}/shop/node_modules/.bin/mcp-deaf`,
    '#!/bin/sh\nexec /usr/bin/python3 "$(dirname "$0")/../mcp-deaf/server.py" "$@"\n',
    0o755,
  );
};

/** A running session of a real agent that has asked for the last step of its model. */
export interface RealSession {
  readonly label: string;
  /** What is typed to end it. */
  readonly exit: string;
  /** The process that was started: the agent, or what holds its terminal. */
  readonly agent: Identity;
  /** The agent's own processes: a launcher and what that started. */
  readonly agents: readonly Identity[];
  /** All processes of its servers. */
  readonly servers: readonly Identity[];
  /** What its commands started, with the shells around them. */
  readonly commands: readonly Identity[];
  /** Everything that it started, as rows of the time when it was ready. */
  readonly rows: readonly Row[];
}

const identityOf = ({ pid, start }: Identity): Identity => ({ pid, start });

/** Returns whether this is a process of one of the servers of `kinds.ts`. */
export const isServer = ({ argv }: Pick<Row, 'argv'>): boolean =>
  argv.some((word) => /mcp-server\.py|mcp-deaf|[/]lib[/]chromium[/]/u.test(word));

const isProgram = ({ argv }: Row): boolean => argv.some((word) => word.includes(agentsFolder()));

/** What was written into a terminal, without its orders. */
const plainText = (text: string): string => stripVTControlCharacters(text).replaceAll(/\s+/gu, ' ');

/** Types into the terminal of a session. */
export const typeInto = (stage: Scene, { label }: Pick<RealSession, 'label'>, keys: string): void => {
  // It is left where the agent has ended, and with it what reads it.
  const pipe = openSync(stage.outside(`/tmp/typed-${label}`), constants.O_RDWR | constants.O_NONBLOCK);
  writeSync(pipe, keys);
  closeSync(pipe);
};

/** Types a question into an interface until its model was asked. */
const askInside = async (stage: Scene, label: string, prompt: string, wasAsked: () => boolean): Promise<void> => {
  const out = `/tmp/said-${label}`;
  let [latest, same] = [0, 0];
  await stage.until('the interface is drawn', () => {
    const { length } = stage.read(out);
    same = length === latest ? same + 1 : 0;
    latest = length;
    return length > 0 && same > 40;
  });
  // At first a dialogue may be in the way. A moment apart, for what comes at once is taken for
  // pasted.
  for (let again = 0; again < 10 && !wasAsked(); again++) {
    typeInto(stage, { label }, prompt);
    await sleep(1000);
    typeInto(stage, { label }, '\r');
    await sleep(3000);
  }
};

/** How a session is started. */
export interface StartOptions {
  /** The agent gets a pseudo-terminal. */
  readonly inTerminal?: boolean;
  /** Is done once its files of settings are written: hooks go into these. */
  readonly beforeStart?: () => Promise<void>;
}

/**
 * Starts a session in the project folder whose model takes these steps, and waits until its
 * servers run, and the model was asked as often as there are steps. A step that names no file to
 * wait for is given at once; the last one waits for `answer`.
 */
export const startSession = async (
  stage: Scene,
  kind: RealAgentKind,
  label: string,
  steps: readonly Step[] = [],
  { inTerminal = false, beforeStart }: StartOptions = {},
): Promise<RealSession> => {
  const project = stage.folder(`${stage.home}/shop`);
  const prompt = `SCRIPTED:${label} Do your work.`;
  const { argv, env, files } = (inTerminal ? kind.open : kind.start)(programOf(kind), prompt);
  // Holds a pseudo-terminal and runs a command in it.
  const terminal = stage.write(
    '/tmp/scene/terminal.py',
    readFileSync(join(import.meta.dirname, 'terminal.py'), 'utf8'),
  );
  const holder = ['/usr/bin/python3', terminal, `/tmp/typed-${label}`];
  for (const [path, text] of Object.entries(files)) stage.write(`${stage.home}/${path}`, text);
  stage.write(`/tmp/model/${label}.json`, JSON.stringify([...steps, { text: 'ok', after: `${label}.answer` }]));
  const out = stage.write(`/tmp/said-${label}`, '');
  await beforeStart?.();
  const before = new Set(stage.table().map(({ pid }) => pid));
  const agent = await stage.top.begin({
    file: '/usr/bin/env',
    argv: ['env', ...(inTerminal ? holder : []), ...argv],
    env: { ...stage.userEnvironment(), TERM: 'xterm-256color', ...env },
    cwd: project,
    setsid: true,
    fds: { 0: '/dev/null', 1: out, 2: out },
  });
  const asked = (): number =>
    (stage.has('/tmp/model/asked') ? stage.read('/tmp/model/asked') : '').split('\n').filter((name) => name === label)
      .length;
  if (inTerminal && kind.isAskedInside) await askInside(stage, label, prompt, () => asked() > 0);
  // A process shows the command line of its parent between fork and exec.
  let [latest, same] = ['', 0];
  const said = (): string => plainText(stage.read(out)).slice(-2000);
  const rows = await stage
    .until(
      `${kind.name} has its servers and asked its model ${steps.length + 1} times`,
      () => {
        if (stage.row(agent.pid) === null) throw new Error(`${kind.name} has ended and said ${said()}`);
        const started = stage.table().filter((row) => !before.has(row.pid) && lives(row));
        const shape = started.map(({ pid, argv: words }) => `${pid} ${words.join(' ')}`).join('\n');
        same = shape === latest ? same + 1 : 0;
        latest = shape;
        // What waits for a processor may still be on its way from fork to exec.
        const isSettled = started.every((row) => isProgram(row) || !/[RD]/u.test(row.state));
        return (
          asked() > steps.length &&
          started.filter(isServer).length >= kind.serverProcesses &&
          same > 20 &&
          isSettled &&
          started
        );
      },
      Number(process.env['CURFEW_TEST_PATIENCE'] ?? 240),
    )
    .catch((error: unknown) => {
      throw new StageError(`${String(error)}\nIt said: ${said()}`);
    });
  const below = new Set(descendants(rows, agent.pid).map(({ pid }) => pid));
  const agents = rows.filter(
    (row) => row.pid === agent.pid || (isProgram(row) && !isServer(row) && below.has(row.pid)),
  );
  const own = new Set(agents.map(({ pid }) => pid));
  return {
    label,
    exit: kind.exit,
    agent,
    agents: agents.map(identityOf),
    servers: rows.filter(isServer).map(identityOf),
    commands: rows.filter((row) => !own.has(row.pid) && !isServer(row) && row.pid !== agent.pid).map(identityOf),
    rows: rows.filter((row) => !inTerminal || row.pid !== agent.pid),
  };
};

/** Lets the model answer a session, which then ends by itself. */
export const answer = (stage: Scene, { label }: RealSession): void => {
  stage.write(`/tmp/model/${label}.answer`, '');
};
