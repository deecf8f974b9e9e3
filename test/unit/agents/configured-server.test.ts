import { expect, test } from 'vitest';
import { runsConfigured } from '../../../app/agents/common/configured-server.ts';

const python = { command: 'python3', args: ['/srv/server.py', '--quiet'] };
const npx = { command: 'npx', args: ['-y', '@acme/mcp-files', '/home/me'] };

test.each([
  ['as it stands there', ['python3', '/srv/server.py', '--quiet'], python],
  ['from any folder', ['/usr/bin/python3', '/srv/server.py', '--quiet'], python],
  ['below an interpreter', ['node', '/usr/bin/npx', '-y', '@acme/mcp-files', '/home/me'], npx],
  ['under the title of npx', ['npm exec @acme/mcp-files /home/me     '], npx],
  ['without arguments', ['/opt/serve'], { command: 'serve', args: [] }],
])('a configured server runs %s', (_how, argv, server) => {
  expect(runsConfigured(argv, server)).toBe(true);
});

test.each([
  ['other arguments', ['python3', '/srv/server.py'], python],
  ['more arguments', ['python3', '/srv/server.py', '--quiet', 'more'], python],
  ['another program', ['python2', '/srv/server.py', '--quiet'], python],
  ['another title', ['npm exec @acme/mcp-files /home/you'], npx],
  ['nothing', [], { command: 'serve', args: [] }],
  ['an npx without a package', ['npm exec'], { command: 'npx', args: ['-y'] }],
])('a program with %s is none', (_what, argv, server) => {
  expect(runsConfigured(argv, server)).toBe(false);
});
