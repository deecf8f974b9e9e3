import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeClaude } from './claude.ts';
import { codex, copilot, gemini, opencode } from './other-agents.ts';
import type { Scene } from './scene.ts';

const program = readFileSync(join(import.meta.dirname, '../fixtures/terminal.pl'), 'utf8');

/** A running agent: it can run a command to its end, and be killed. */
export interface AnyAgent {
  readonly pid: number;
  readonly run: (command: string) => Promise<void>;
  readonly crash: () => Promise<void>;
  /** Environment of its commands. */
  readonly marks: Readonly<Record<string, string>>;
}

const claude =
  (version: '2.1.329' | '2.0.28') =>
  async (stage: Scene): Promise<AnyAgent> => {
    const agent = await FakeClaude.start(stage, { version });
    return {
      pid: agent.actor.pid,
      run: async (command) => void (await agent.foreground(command)),
      crash: () => agent.crash(),
      marks: agent.environment(),
    };
  };

const other =
  (start: typeof codex | typeof copilot | typeof gemini | typeof opencode) =>
  async (stage: Scene): Promise<AnyAgent> => {
    const agent = await start(stage);
    const run = async (command: string): Promise<void> => {
      const { pid } = await agent.shell(command);
      await agent.actor.ended(pid);
    };
    await run(`env -0 > /tmp/scene/marks-${agent.actor.pid}`);
    const lines = stage.read(`/tmp/scene/marks-${agent.actor.pid}`).split('\0').filter(Boolean);
    const marks = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
    );
    return { pid: agent.actor.pid, run, crash: agent.crash, marks };
  };

/** Agents by what people call them. */
export const agents = {
  'Claude Code': claude('2.1.329'),
  'Claude Code 2.0': claude('2.0.28'),
  Codex: other(codex),
  Gemini: other(gemini),
  opencode: other(opencode),
  Copilot: other(copilot),
} as const satisfies Readonly<Record<string, (stage: Scene) => Promise<AnyAgent>>>;

/**
 * Variables that terminals and editors give to their children; those without a name here give none.
 */
export const terminals = {
  zellij: { ZELLIJ: '0', ZELLIJ_SESSION_NAME: 'shop', ZELLIJ_PANE_ID: '1' },
  'wezterm-gui': { TERM_PROGRAM: 'WezTerm', WEZTERM_PANE: '0' },
  'gnome-terminal-server': { VTE_VERSION: '7006', GNOME_TERMINAL_SCREEN: '/org/gnome/Terminal/screen/1' },
  code: { TERM_PROGRAM: 'vscode', VSCODE_IPC_HOOK_CLI: '/tmp/vscode-ipc-1.sock' },
  foot: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A terminal with a user's shell in it. */
export interface OpenedTerminal {
  readonly pid: number;
  readonly type: (line: string) => void;
  /** The user closes it: the program ends, and the kernel hangs the line up. */
  readonly close: () => Promise<void>;
}

let count = 0;

/**
 * Opens a terminal through a function that runs a command line, and waits for its prompt.
 * @param open runs the given command line
 */
export const openTerminal = async (
  stage: Scene,
  name: string,
  names: Readonly<Record<string, string>>,
  open: (command: string) => Promise<void>,
): Promise<OpenedTerminal> => {
  const number = (count += 1);
  const keys = `/tmp/scene/keys-${number}`;
  const ready = `/tmp/scene/typed-${number}`;
  const file = stage.program(`/tmp/scene/path/${name}`);
  stage.program('/tmp/scene/path/node');
  const list = Object.entries(names).map(([key, value]) => `'${key}' => '${value}'`);
  const script = stage.write(
    `/tmp/scene/terminals/${number}.pl`,
    `our $KEYS = '${keys}'; our @SHELL = ('/bin/bash', '--norc'); our %NAMES = (${list.join(', ')});\n${program}`,
  );
  await open(`setsid ${file} ${script} >/dev/null 2>&1 </dev/null & true`);
  await stage.until(`the keyboard of ${name}`, () => stage.has(keys));
  const { pid } = await stage.find(name, ({ argv }) => argv[1] === script);
  const shell = await stage.find(`the shell in ${name}`, (row) => row.ppid === pid && row.argv[0] === '/bin/bash');
  const type = (line: string): void => stage.append(keys, `${line}\n`);
  type(`: > ${ready}`);
  await stage.until(`${name} hears`, () => stage.has(ready));
  const close = async (): Promise<void> => {
    await stage.first.signal(pid, 'KILL');
    await stage.until(`${name} is closed`, () => stage.row(pid) === null && stage.row(shell.pid) === null);
  };
  return { pid, type, close };
};
