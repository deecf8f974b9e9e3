import { expect, test } from 'vitest';
import { sandboxProxyOf } from '../../../app/agents/claude-code/proxy.ts';
import { claimsOf } from '../../../app/agents/signatures.ts';

const socket = 'UNIX-LISTEN:/tmp/claude-http-27657c577e8e37bf.sock,fork,reuseaddr';
const target = 'TCP:localhost:45303,keepalive,keepidle=10,keepintvl=5,keepcnt=3';

test('the proxy that 2.1.329 starts', () => {
  expect(sandboxProxyOf(['/usr/bin/socat', socket, target])).toEqual({
    socket: '/tmp/claude-http-27657c577e8e37bf.sock',
    port: 45_303,
  });
});

test.each([
  ['a user’s own relay', ['socat', 'UNIX-LISTEN:/tmp/mine.sock,fork,reuseaddr', target]],
  ['one to another machine', ['socat', socket, 'TCP:example.org:80,keepalive,keepidle=10,keepintvl=5,keepcnt=3']],
  [
    'the one inside the sandbox',
    ['socat', 'TCP-LISTEN:3128,fork,reuseaddr', 'UNIX-CONNECT:/tmp/claude-http-27657c577e8e37bf.sock'],
  ],
  ['another program with these words', ['grep', socket, target]],
  ['a text that mentions it', ['bash', '-c', `socat ${socket} ${target}`]],
  ['one with more to it', ['socat', socket, target, 'x']],
  ['an impossible port', ['socat', socket, target.replace('45303', '99999')]],
])('not %s', (_what, argv) => {
  expect(sandboxProxyOf(argv)).toBeNull();
});

test.each([
  ['its agent by the socket of messages', { CLAUDE_CODE_MESSAGING_SOCKET: '/tmp/cc-socks/34.sock' }, 'tool 34'],
  ['a socket with a suffix', { CLAUDE_CODE_MESSAGING_SOCKET: '/tmp/cc-socks/21-5fb2caad.sock' }, 'tool 21'],
  ['no agent', {}, 'harness'],
  ['something else', { CLAUDE_CODE_MESSAGING_SOCKET: '/tmp/cc-socks/0.sock' }, 'harness'],
])('names %s', (_what, more, expected) => {
  const environment = { AI_AGENT: 'claude-code_2-1-329_harness', ...more };
  const [claim] = claimsOf({ argv: ['socat', socket, target] }, environment);
  const { marker } = claim ?? {};
  expect(marker?.kind === 'tool' ? `tool ${marker.ownerPid}` : marker?.kind).toBe(expected);
});

test('without the agent’s mark it is any program’s', () => {
  expect(
    claimsOf({ argv: ['socat', socket, target] }, { CLAUDE_CODE_MESSAGING_SOCKET: '/tmp/cc-socks/34.sock' }),
  ).toEqual([]);
});

test('any other part of the agent stays what it is', () => {
  const environment = {
    AI_AGENT: 'claude-code_2-1-329_harness',
    CLAUDE_CODE_MESSAGING_SOCKET: '/tmp/cc-socks/34.sock',
  };
  expect(claimsOf({ argv: ['node', 'mcp.mjs'] }, environment)[0]?.marker?.kind).toBe('harness');
});
