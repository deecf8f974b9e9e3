import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Identity } from '../scene/processes.ts';
import { descendants, lives } from '../scene/processes.ts';
import type { Scene } from '../scene/scene.ts';

/** Where the real agents are: one folder each, with the package that npm installs in it. */
export const agentsFolder = process.env['CURFEW_AGENTS'] ?? '/tmp/curfew-agents';

/** The servers that each session gets: behind nothing, a shell, npx; one drives a browser. */
const servers = {
  deaf: ['/usr/bin/python3', '/tmp/scene/mcp-server.py', 'deaf'],
  shell: ['sh', '-c', '/usr/bin/python3 /tmp/scene/mcp-server.py stubborn; true'],
  npx: ['npx', '--no', 'mcp-deaf'],
  browser: ['/usr/bin/python3', '/tmp/scene/mcp-server.py', 'browser'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/** Processes of the servers of one session: 2, 3 with its shell, 4 below npx, and a browser's 4. */
const processesOfServers = 13;

const port = 18_080;
const base = `http://127.0.0.1:${port}`;

interface Start {
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Its files of settings. */
  readonly files: Readonly<Record<string, string>>;
}

/** A real agent, as npm gives it. */
export interface RealAgentKind {
  readonly name: string;
  /** Its id in Curfew's documents. */
  readonly id: string;
  /** npm's name of it, with the version that this was written for. */
  readonly package: string;
  /** Its program, relative to its folder. */
  readonly program: string;
  /** Its folder in `agentsFolder`. */
  readonly folder: string;
  /** How it is started without a terminal, with a question to its model. */
  readonly start: (program: string, prompt: string, home: string) => Start;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const mapped = <T>(of: (words: readonly string[]) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(servers).map(([name, words]) => [name, of(words)]));

const commands = (more: object = {}): Readonly<Record<string, object>> =>
  mapped(([command, ...args]) => ({ ...more, command, args }));

const claude = (version: string, folder: string, program: string): RealAgentKind => ({
  name: `Claude Code ${version}`,
  id: 'claude-code',
  package: `@anthropic-ai/claude-code@${version}`,
  folder,
  program,
  start: (file, prompt, home) => ({
    argv: [file, '-p', prompt, '--output-format', 'stream-json', '--verbose'].concat([
      '--strict-mcp-config',
      '--mcp-config',
      `${home}/mcp.json`,
    ]) as [string, ...string[]],
    env: {
      IS_SANDBOX: '1',
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_API_KEY: `sk-ant-stand-in-${'0'.repeat(28)}`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    files: { 'mcp.json': json({ mcpServers: commands() }) },
  }),
});

const native = 'node_modules/@anthropic-ai/claude-code-linux-x64/claude';

const codexSettings = [
  'model = "stand-in"',
  'model_provider = "standin"',
  '[model_providers.standin]',
  'name = "standin"',
  `base_url = "${base}/v1"`,
  'wire_api = "responses"',
  'env_key = "STAND_IN_KEY"',
  ...Object.entries(servers).flatMap(([name, [command, ...args]]) => [
    `[mcp_servers.${name}]`,
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
  ]),
].join('\n');

/** The real agents that start their servers with a stand-in for their model. */
export const realAgents: readonly RealAgentKind[] = [
  claude('2.1.329', 'claude', native),
  claude('2.1.197', 'claude-2.1.197', native),
  claude('2.0.28', 'claude-2.0.28', 'node_modules/.bin/claude'),
  {
    name: 'Codex 0.169.0',
    id: 'codex',
    package: '@openai/codex@0.169.0',
    folder: 'codex',
    program: 'node_modules/.bin/codex',
    start: (file, prompt) => ({
      argv: [file, 'exec', '--skip-git-repo-check', prompt],
      env: { STAND_IN_KEY: 'x' },
      files: { '.codex/config.toml': codexSettings },
    }),
  },
  {
    name: 'Gemini CLI 0.61.0',
    id: 'gemini',
    package: '@google/gemini-cli@0.61.0',
    folder: 'gemini',
    program: 'node_modules/.bin/gemini',
    start: (file, prompt) => ({
      argv: [file, '--skip-trust', '-p', prompt],
      env: { GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: base },
      files: {
        '.gemini/settings.json': json({
          security: { auth: { selectedType: 'gemini-api-key' } },
          privacy: { usageStatisticsEnabled: false },
          general: { disableAutoUpdate: true },
          mcpServers: commands(),
        }),
      },
    }),
  },
  {
    name: 'Copilot CLI 1.0.102',
    id: 'copilot',
    package: '@github/copilot@1.0.102',
    folder: 'copilot',
    program: 'node_modules/.bin/copilot',
    start: (file, prompt) => ({
      argv: [file, '--allow-all-tools', '-p', prompt],
      env: {
        COPILOT_PROVIDER_BASE_URL: `${base}/v1`,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_API_KEY: 'x',
        COPILOT_MODEL: 'gpt-5',
        COPILOT_OFFLINE: 'true',
      },
      files: { '.copilot/mcp-config.json': json({ mcpServers: commands({ type: 'local', tools: ['*'] }) }) },
    }),
  },
  {
    name: 'opencode 1.18.33',
    id: 'opencode',
    package: 'opencode-ai@1.18.33',
    folder: 'opencode',
    program: 'node_modules/opencode-linux-x64/bin/opencode',
    start: (file, prompt) => ({
      argv: [file, 'run', prompt],
      env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
      files: {
        '.config/opencode/opencode.json': json({
          autoupdate: false,
          share: 'disabled',
          model: 'standin/stand-in',
          small_model: 'standin/stand-in',
          provider: {
            standin: {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${base}/v1`, apiKey: 'x' },
              models: { 'stand-in': { name: 'stand-in' } },
            },
          },
          mcp: mapped((command) => ({ type: 'local', command })),
        }),
      },
    }),
  },
];

/** Why a real agent can't be started here; null if it can. */
export const missingOf = ({ folder, program, package: name }: RealAgentKind): string | null =>
  existsSync(join(agentsFolder, folder, program))
    ? null
    : `npm install --prefix ${join(agentsFolder, folder)} --ignore-scripts ${name}`;

/** Starts the stand-in for all models, and writes the servers' programs. */
export const startModel = async (stage: Scene): Promise<void> => {
  const fixture = readFileSync(join(import.meta.dirname, '../fixtures/mcp-server.py'), 'utf8');
  stage.write('/tmp/scene/mcp-server.py', fixture);
  const installed = `${stage.home}/shop/node_modules/mcp-deaf`;
  stage.write(`${installed}/package.json`, json({ name: 'mcp-deaf', version: '1.0.0', bin: 'server.py' }));
  stage.write(`${installed}/server.py`, `#!/usr/bin/python3\n${fixture}`, 0o755);
  stage.write(
    `${stage.home}/shop/node_modules/.bin/mcp-deaf`,
    '#!/bin/sh\nexec /usr/bin/python3 "$(dirname "$0")/../mcp-deaf/server.py" "$@"\n',
    0o755,
  );
  stage.folder('/tmp/model');
  await stage.top.begin({
    file: process.execPath,
    argv: [process.execPath, join(import.meta.dirname, 'stand-in-model.ts'), String(port), '/tmp/model'],
    env: stage.userEnvironment(),
    setsid: true,
    fds: { 1: '/tmp/model/said', 2: '/tmp/model/said' },
  });
  await stage.until('the stand-in for the model listens', () => stage.has('/tmp/model/listens'));
};

/** A running session of a real agent, whose model has not answered yet. */
export interface RealSession {
  readonly label: string;
  /** The process that was started. */
  readonly agent: Identity;
  /** The agent's own processes: a launcher and what that started. */
  readonly agents: readonly Identity[];
  /** All processes of its servers. */
  readonly servers: readonly Identity[];
  /** Waits until the process that was started has ended. */
  readonly ended: () => Promise<void>;
}

/**
 * Starts a session in the project folder, and waits until its servers run and its model is asked.
 * The model answers it after `answer`.
 */
export const startSession = async (stage: Scene, kind: RealAgentKind, label: string): Promise<RealSession> => {
  const project = stage.folder(`${stage.home}/shop`);
  const { argv, env, files } = kind.start(
    join(agentsFolder, kind.folder, kind.program),
    `Say ok. wait-for-${label}`,
    stage.home,
  );
  for (const [path, text] of Object.entries(files)) stage.write(`${stage.home}/${path}`, text);
  const out = stage.write(`/tmp/said-${label}`, '');
  const agent = await stage.top.begin({
    file: '/usr/bin/env',
    argv: ['env', ...argv],
    env: { ...stage.userEnvironment(), TERM: 'xterm', ...env },
    cwd: project,
    setsid: true,
    fds: { 0: '/dev/null', 1: out, 2: out },
  });
  const below = () => descendants(stage.table(), agent.pid).filter(lives);
  const isServer = ({ argv: words }: { readonly argv: readonly string[] }): boolean =>
    words.some((word) => /mcp-server\.py|mcp-deaf/u.test(word));
  const isAsked = (): boolean => stage.has('/tmp/model/asked') && stage.read('/tmp/model/asked').includes(`${label}\n`);
  // A process shows the command line of its parent between fork and exec.
  let [latest, same] = ['', 0];
  const asked = await stage.until(`${kind.name} has its servers and asks its model`, () => {
    if (stage.row(agent.pid) === null) throw new Error(`${kind.name} has ended and said ${stage.read(out)}`);
    const rows = below().filter(isServer);
    const shape = rows.map(({ pid, argv: words }) => `${pid} ${words.join(' ')}`).join('\n');
    same = shape === latest ? same + 1 : 0;
    latest = shape;
    return isAsked() && rows.length === processesOfServers && same > 20 && rows;
  });
  const identityOf = ({ pid, start }: Identity): Identity => ({ pid, start });
  const serving = new Set(asked.map(({ pid }) => pid));
  return {
    label,
    agent,
    agents: [
      agent,
      ...below()
        .filter(({ pid }) => !serving.has(pid))
        .map(identityOf),
    ],
    servers: asked.map(identityOf),
    ended: async () => {
      await stage.top.ended(agent.pid);
    },
  };
};

/** Lets the model answer a session, which then ends by itself. */
export const answer = (stage: Scene, { label }: RealSession): void => {
  stage.write(`/tmp/model/${label}`, '');
};
