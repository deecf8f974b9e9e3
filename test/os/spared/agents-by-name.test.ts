import { describe, expect, test } from 'vitest';
import { jobWith } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander } from '../scene/innocents.ts';
import { expectSpared, pinned } from '../scene/outcome.ts';
import { codex, copilot, gemini } from '../scene/other-agents.ts';
import { scene } from '../scene/scene.ts';

/**
 * An agent that marks its children without an id owns everything with its marker while one such
 * agent runs. Missing a running one would kill its jobs, so every way to start it must be
 * recognised.
 */
const home = '/tmp/home';
const claudes: readonly (readonly [string, ...string[]])[] = [
  ['claude'],
  ['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'],
  ['node', `${home}/.npm/_npx/becf7b9e49303068/node_modules/.bin/claude`],
  ['/usr/local/bin/node', `${home}/.nvm/versions/node/v22.1.0/bin/claude`],
  ['bun', `${home}/.bun/install/global/node_modules/@anthropic-ai/claude-code/cli.js`],
  ['node', `${home}/.vscode/extensions/anthropic.claude-code-2.0.28/resources/claude-code/cli.js`],
  [`${home}/.vscode/extensions/anthropic.claude-code-2.0.28-linux-x64/resources/native-binary/claude`],
  [`${home}/.claude/local/claude`],
  [`${home}/.local/share/claude/versions/2.0.28`],
];
const others: readonly (readonly [string, typeof codex, readonly [string, ...string[]]])[] = [
  ['Codex', codex, ['codex']],
  ['Codex', codex, ['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js']],
  ['Codex', codex, ['/usr/lib/node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl/codex/codex', 'app-server']],
  ['Codex', codex, [`${home}/.vscode/extensions/openai.chatgpt-0.5.1/bin/linux-x86_64/codex`, 'app-server']],
  ['Codex', codex, ['codex-x86_64-unknown-linux-musl', 'exec']],
  ['Copilot', copilot, ['copilot']],
  ['Copilot', copilot, ['node', '/usr/lib/node_modules/@github/copilot/index.js']],
  ['Copilot', copilot, ['node', '/usr/lib/node_modules/@github/copilot/npm-loader.js']],
];
const geminis: readonly string[] = [
  '/usr/local/bin/gemini',
  `${home}/.npm/_npx/5a9c7e/node_modules/.bin/gemini`,
  '/usr/lib/node_modules/@google/gemini-cli/dist/index.js',
  `${home}/.nvm/versions/node/v22.1.0/lib/node_modules/@google/gemini-cli/bundle/gemini.js`,
];

describe.concurrent('a running agent is recognised under every name it is started by', () => {
  for (const argv of claudes) {
    test(
      `Claude Code 2.0 as ${argv.join(' ')}: jobs of its calls are not ended`,
      scene(async (stage) => {
        const file = argv.length === 1 && argv[0].startsWith('/') ? { executable: argv[0] } : {};
        const claude = await FakeClaude.start(stage, { version: '2.0.28', argv, ...file });
        await claude.foregroundSeen('nohup sleep 3605 >/dev/null 2>&1 & true');
        const [left] = await pinned(stage, 'sleep 3605');
        if (left === undefined) throw new Error('nothing was left');
        const innocents = [
          { what: 'what a call left', identity: left, diary: null },
          bystander(stage, 'the agent', claude.actor.pid),
        ];
        const look = await expectSpared(stage, innocents, 'codex');
        expect(jobWith(look, left.pid).owner).not.toBe('gone');
      }),
    );
  }
  for (const [name, start, argv] of others) {
    test(
      `${name} as ${argv.join(' ')}: jobs of its calls are not ended`,
      scene(async (stage) => {
        const agent = await start(stage, `${stage.home}/shop`, argv);
        await agent.actor.ended((await agent.shell('nohup sleep 3605 >/dev/null 2>&1 & sleep 0.2')).pid);
        const [left] = await pinned(stage, 'sleep 3605');
        if (left === undefined) throw new Error('nothing was left');
        const look = await expectSpared(stage, [
          { what: 'what a call left', identity: left, diary: null },
          bystander(stage, 'the agent', agent.actor.pid),
        ]);
        expect(jobWith(look, left.pid).owner).not.toBe('gone');
      }),
    );
  }
  for (const script of geminis) {
    test(
      `Gemini as ${script}: jobs of its calls are not ended`,
      scene(async (stage) => {
        const agent = await gemini(stage, `${stage.home}/shop`, script);
        await agent.actor.ended((await agent.shell('nohup sleep 3605 >/dev/null 2>&1 & sleep 0.2')).pid);
        const [left] = await pinned(stage, 'sleep 3605');
        if (left === undefined) throw new Error('nothing was left');
        const look = await expectSpared(stage, [
          { what: 'what a call left', identity: left, diary: null },
          bystander(stage, 'the agent', agent.actor.pid),
        ]);
        expect(jobWith(look, left.pid).owner).not.toBe('gone');
      }),
    );
  }
});
