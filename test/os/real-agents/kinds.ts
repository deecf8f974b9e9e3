import type { Ending } from './endings.ts';
import { pinnedAgents, type PinnedAgent } from '../../../build/agents/table.ts';

/** The stand-in for all models listens there, on the loopback of a scene. */
export const modelPort = 18_080;
const base = `http://127.0.0.1:${modelPort}`;

/** The servers that each session gets: behind nothing, a shell, npx; one drives a browser. */
const servers = {
  deaf: ['/usr/bin/python3', '/tmp/scene/mcp-server.py', 'deaf'],
  shell: ['sh', '-c', '/usr/bin/python3 /tmp/scene/mcp-server.py stubborn; true'],
  npx: ['npx', '--no', 'mcp-deaf'],
  browser: ['/usr/bin/python3', '/tmp/scene/mcp-server.py', 'browser'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/**
 * Processes of the servers of one session: 2, 3 with its shell, 4 below npx, and a browser's 4. Of
 * that behind npx Cline keeps none, or the server alone.
 */
const serverProcesses = (agent: string): number => (agent === 'cline' ? 9 : 13);

interface Start {
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Its files of settings, relative to the home. */
  readonly files: Readonly<Record<string, string>>;
}

/** How an agent is started without a terminal, with a question to its model, and asks no user. */
type Starter = (program: string, prompt: string) => Start;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const mapped = <T>(of: (words: readonly string[]) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(servers).map(([name, words]) => [name, of(words)]));

const commands = (more: object = {}): Readonly<Record<string, object>> =>
  mapped(([command, ...args]) => ({ ...more, command, args }));

const geminiLike = {
  privacy: { usageStatisticsEnabled: false },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  mcpServers: commands(),
};

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

const kimiSettings = [
  'default_model = "stand-in"',
  'telemetry = false',
  '[providers.standin]',
  'type = "openai"',
  `base_url = "${base}/v1"`,
  'api_key = "x"',
  '[models.stand-in]',
  'provider = "standin"',
  'model = "stand-in"',
  'max_context_size = 100000',
].join('\n');

const droidModel = 'custom:Stand-In-0';

/** By the agent's name in the table of pinned ones. */
const starters: Readonly<Record<string, Starter>> = {
  'claude-code': (file, prompt) => ({
    argv: [file, '-p', prompt].concat(
      ['--allowedTools', 'Bash', '--output-format', 'stream-json', '--verbose'],
      ['--strict-mcp-config', '--mcp-config', '/tmp/home/mcp.json'],
    ) as [string, ...string[]],
    env: {
      IS_SANDBOX: '1',
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_API_KEY: `sk-ant-stand-in-${'0'.repeat(28)}`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    files: { 'mcp.json': json({ mcpServers: commands() }) },
  }),
  codex: (file, prompt) => ({
    argv: [
      file,
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
      prompt,
    ],
    env: { STAND_IN_KEY: 'x' },
    files: { '.codex/config.toml': codexSettings },
  }),
  gemini: (file, prompt) => ({
    argv: [file, '--skip-trust', '--yolo', '-p', prompt],
    env: { GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: base },
    files: {
      '.gemini/settings.json': json({ ...geminiLike, security: { auth: { selectedType: 'gemini-api-key' } } }),
    },
  }),
  copilot: (file, prompt) => ({
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
  opencode: (file, prompt) => ({
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
  pi: (file, prompt) => ({
    argv: [file, '--provider', 'standin', '--model', 'stand-in', '--approve', '-p', prompt],
    env: { PI_OFFLINE: '1' },
    files: {
      '.pi/agent/models.json': json({
        providers: {
          standin: { baseUrl: `${base}/v1`, api: 'openai-completions', apiKey: 'x', models: [{ id: 'stand-in' }] },
        },
      }),
      '.pi/agent/mcp.json': json({ mcpServers: commands() }),
    },
  }),
  qwen: (file, prompt) => ({
    argv: [file, '--yolo', '-p', prompt],
    env: { OPENAI_BASE_URL: `${base}/v1`, OPENAI_API_KEY: 'x', OPENAI_MODEL: 'stand-in' },
    files: { '.qwen/settings.json': json({ ...geminiLike, security: { auth: { selectedType: 'openai' } } }) },
  }),
  cline: (file, prompt) => ({
    argv: [file, '--json', prompt],
    files: {
      '.cline/data/settings/providers.json': json({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: 'x', model: 'stand-in', baseUrl: `${base}/v1` },
            updatedAt: '2026-11-23T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
      '.cline/data/settings/cline_mcp_settings.json': json({ mcpServers: commands() }),
    },
  }),
  continue: (file, prompt) => ({
    argv: [file, '-p', '--auto', '--config', '/tmp/home/continue.json.yaml', prompt],
    env: { CONTINUE_TELEMETRY_ENABLED: '0' },
    // YAML takes JSON.
    files: {
      'continue.json.yaml': json({
        name: 'stand-in',
        version: '1.0.0',
        schema: 'v1',
        models: [
          {
            name: 'stand-in',
            provider: 'openai',
            model: 'stand-in',
            apiBase: `${base}/v1`,
            apiKey: 'x',
            roles: ['chat'],
            capabilities: ['tool_use'],
          },
        ],
        mcpServers: Object.entries(servers).map(([name, [command, ...args]]) => ({ name, command, args })),
      }),
    },
  }),
  droid: (file, prompt) => ({
    argv: [file, 'exec', '--auto', 'high', '--model', droidModel, prompt],
    files: {
      '.factory/settings.json': json({
        customModels: [
          {
            id: droidModel,
            index: 0,
            model: 'stand-in',
            displayName: 'Stand In',
            baseUrl: `${base}/v1`,
            apiKey: 'x',
            provider: 'generic-chat-completion-api',
            maxOutputTokens: 4000,
          },
        ],
      }),
      '.factory/mcp.json': json({ mcpServers: commands({ type: 'stdio' }) }),
    },
  }),
  kimi: (file, prompt) => ({
    argv: [file, '-p', prompt],
    files: {
      '.kimi-code/config.toml': kimiSettings,
      '.kimi-code/mcp.json': json({ mcpServers: commands() }),
    },
  }),
};

/** An agent's own interface in a terminal: how it is opened with a question, and what ends it. */
interface Interface {
  readonly exit: string;
  /** It can't be opened with a question, which is typed. */
  readonly isAskedInside?: true;
  /** Changes how it is started. */
  readonly open: (start: Start, program: string, prompt: string) => Start;
}

const project = '/tmp/home/shop';

const interfaces: Readonly<Record<string, Interface>> = {
  'claude-code': {
    exit: '/exit',
    open: (start, file, prompt) => ({
      ...start,
      // 2.1.197 asks about each `&` even where the tool is allowed.
      argv: [file, prompt].concat([
        '--permission-mode',
        'bypassPermissions',
        '--strict-mcp-config',
        '--mcp-config',
        '/tmp/home/mcp.json',
      ]) as [string, ...string[]],
      files: {
        ...start.files,
        '.claude.json': json({
          hasCompletedOnboarding: true,
          bypassPermissionsModeAccepted: true,
          theme: 'dark',
          customApiKeyResponses: { approved: ['0'.repeat(20)], rejected: [] },
          projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
        }),
      },
    }),
  },
  codex: {
    exit: '/quit',
    open: (start, file, prompt) => ({
      ...start,
      argv: [file, '--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust', prompt],
      files: {
        '.codex/config.toml': `${codexSettings}\n[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`,
      },
    }),
  },
  gemini: {
    exit: '/quit',
    open: (start, file, prompt) => ({ ...start, argv: [file, '--skip-trust', '--yolo', '-i', prompt] }),
  },
  copilot: {
    exit: '/exit',
    open: (start, file, prompt) => ({
      ...start,
      argv: [file, '--allow-all-tools', '--allow-all-paths', '-i', prompt],
      env: { ...start.env, COPILOT_ALLOW_ALL: 'true' },
    }),
  },
  opencode: {
    exit: '/exit',
    open: (start, file, prompt) => ({ ...start, argv: [file, '--prompt', prompt] }),
  },
  pi: {
    exit: '/quit',
    open: (start, file, prompt) => ({
      ...start,
      argv: [file, '--provider', 'standin', '--model', 'stand-in', '--approve', prompt],
    }),
  },
  qwen: {
    exit: '/quit',
    open: (start, file, prompt) => ({ ...start, argv: [file, '--yolo', '-i', prompt] }),
  },
  cline: {
    exit: '/quit',
    open: (start, file, prompt) => ({ ...start, argv: [file, '--tui', prompt] }),
  },
  kimi: {
    exit: '/exit',
    isAskedInside: true,
    open: (start, file) => ({ ...start, argv: [file, '--auto'] }),
  },
  continue: {
    exit: '/exit',
    open: (start, file, prompt) => ({
      ...start,
      argv: [file, '--auto', '--config', '/tmp/home/continue.json.yaml', prompt],
    }),
  },
};

const awaiting: ReadonlySet<string> = new Set(['claude-code', 'copilot', 'kimi']);

/** A real agent that can be started. */
export interface RealAgentKind extends PinnedAgent {
  readonly start: Starter;
  /** The same in a terminal, with its own interface where that can be opened with a question. */
  readonly open: Starter;
  /** What is typed into its interface to end it. */
  readonly exit: string;
  /** Its interface is opened without a question, which is typed. */
  readonly isAskedInside: boolean;
  readonly serverProcesses: number;
  /** Without a terminal it ends only when its own background has. */
  readonly awaitsBackground: boolean;
}

/**
 * Returns a pinned agent, or a newer version of one, with how it is started.
 * @throws where no start is written for it
 */
export const kindOf = (agent: PinnedAgent): RealAgentKind => {
  const start = starters[agent.agent];
  if (start === undefined) throw new Error(`test/os/real-agents/kinds.ts does not say how ${agent.agent} is started`);
  const { [agent.agent]: own } = interfaces;
  const open: Starter = (file, prompt) => own?.open(start(file, prompt), file, prompt) ?? start(file, prompt);
  return {
    ...agent,
    start,
    open,
    exit: own?.exit ?? '',
    isAskedInside: own?.isAskedInside ?? false,
    serverProcesses: serverProcesses(agent.agent),
    awaitsBackground: awaiting.has(agent.agent),
  };
};

/** The pinned agents. */
export const realAgents: readonly RealAgentKind[] = pinnedAgents.map(kindOf);

/** Returns whether an agent has this way to end: not all have an interface of their own. */
export const isEnding = ({ agent }: RealAgentKind, ending: Ending): boolean =>
  ending !== '/exit typed' || agent in interfaces;
