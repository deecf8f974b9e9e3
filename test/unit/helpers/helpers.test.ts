import { expect, test } from 'vitest';
import { helperName } from '../../../app/helpers/helpers.ts';

const plugins = '/home/mara/.claude/plugins/cache';

test.each([
  ['agent-browser', ['/home/mara/.npm/lib/node_modules/agent-browser/bin/agent-browser-linux-x64']],
  ['agent-browser', ['agent-browser']],
  ['playwright-cli', ['/usr/bin/node', '/usr/lib/node_modules/playwright-core/lib/entry/cliDaemon.js', 'default']],
  ['chrome-devtools-mcp', ['node', '/srv/node_modules/chrome-devtools-mcp/build/src/daemon/daemon.js', '--headless']],
  ['claude-mem', ['bun', `${plugins}/thedotmack/claude-mem/13.25.3/scripts/worker-service.cjs`, '--daemon']],
  ['Codex plugin broker', ['node', `${plugins}/openai-codex/codex/1.0.4/scripts/app-server-broker.mjs`, 'serve']],
])('%s is known by its command line', (name, argv) => {
  expect(helperName({ argv })).toBe(name);
});

test.each([
  [['node', 'daemon.js']],
  [['node', '/srv/app/cliDaemon.js']],
  [['agent-browser-linux-x64', 'open', 'http://localhost:3000']],
  [['node', `${plugins}/openai-codex/codex/1.0.4/scripts/app-server-broker.mjs`, 'status']],
  [['vim', '/srv/worker-service.cjs']],
  [[]],
])('%j is none', (argv) => {
  expect(helperName({ argv })).toBeNull();
});
