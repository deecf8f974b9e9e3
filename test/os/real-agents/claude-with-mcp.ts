import { programOf } from '../../../build/agents/table.ts';
import { curfewEnvironment, runCurfew } from '../scene/curfew.ts';
import type { Identity } from '../scene/processes.ts';
import type { Scene } from '../scene/scene.ts';
import { modelPort, realAgents } from './kinds.ts';
import type { Step } from './model/step.ts';

const [kind] = realAgents;
if (kind === undefined) throw new Error('there is no real Claude Code in the list');

/** The name of a tool of Curfew's server, as the model calls it. */
export const tool = (name: string): string => `mcp__curfew__${name}`;

/** A command that its model starts in the background. */
export const background = (command: string): Step => ({
  tool: 'Bash',
  input: { command, run_in_background: true, description: 'waits' },
});

/** Enters the server as a user would: by the command, into the file that the agent reads. */
export const installServer = async (stage: Scene): Promise<void> => {
  stage.folder(`${stage.home}/.claude`);
  const { code, stderr } = await runCurfew(stage, ['hooks', 'install', '--mcp', 'claude']);
  if (code !== 0 || stderr !== '') throw new Error(`the server was not entered: ${stderr}`);
};

const options = ['--allowedTools', 'Bash,mcp__curfew', '--output-format', 'stream-json', '--verbose'];

/** Starts the real Claude Code, whose model follows these steps. */
export const startClaude = async (
  stage: Scene,
  name: string,
  steps: readonly Step[],
  env: Readonly<Record<string, string>> = {},
): Promise<Identity> => {
  stage.write(`/tmp/model/${name}.json`, JSON.stringify(steps));
  const out = stage.write(`/tmp/said-${name}`, '', 0o666);
  return stage.top.begin({
    file: '/usr/bin/env',
    argv: ['env', programOf(kind), '-p', `SCRIPTED:${name}`, ...options],
    env: {
      ...curfewEnvironment(stage),
      TERM: 'xterm',
      IS_SANDBOX: '1',
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${modelPort}`,
      ANTHROPIC_API_KEY: `sk-ant-stand-in-${'0'.repeat(28)}`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      ...env,
    },
    cwd: stage.folder(`${stage.home}/shop`),
    setsid: true,
    fds: { 0: '/dev/null', 1: out, 2: out },
  });
};
