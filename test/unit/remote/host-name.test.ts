import { describe, expect, test } from 'vitest';
import { isHostName } from '../../../app/remote/host-list.ts';
import { SshConnection } from '../../../main/remote/connection.ts';

describe('names that may be handed to ssh', () => {
  test.each([
    'web1',
    'me@web1',
    'me@web1.example.org',
    '192.0.2.7',
    'me@[2001:db8::7]',
    '[fe80::1%eth0]',
    'corp.user+x@bastion-2',
    'me@corp@web1',
    '_alias',
  ])('%s', (name) => {
    expect(isHostName(name)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['this machine', 'local'],
    ['an option', '-oProxyCommand=id'],
    ['an option as the host', 'me@-oProxyCommand=id'],
    ['an option as the user', '-l@web1'],
    ['a command', '$(id)'],
    ['a backquoted command', '`id`'],
    ['two commands', 'web1;id'],
    ['a pipe', 'web1|id'],
    ['a blank', 'web1 id'],
    ['a line break', 'web1\nid'],
    ['a line break at the end', 'web1\n'],
    ['a NUL', 'web1\0'],
    ['a quote', "web1'"],
    ['a token of ssh', '%h'],
    ['a token in the middle', 'web%h'],
    ['a path', '/tmp/socket'],
    ['an address with a scheme', 'ssh://web1'],
    ['a lookalike', 'wеb1'],
    ['too long', 'a'.repeat(256)],
  ])('not %s', (_, name) => {
    expect(isHostName(name)).toBe(false);
  });
});

test.each(['a\nb', 'a\0b', 'a\u010AexecĊb'])(
  '%j is no line of data: on the way it would become a line of the script',
  async (line) => {
    const asked = new SshConnection('web1', null).ask({
      script: 'curfew_answer() { :; }',
      lines: [line],
      timeoutMs: 1,
    });
    await expect(asked).rejects.toThrow('a line of data holds');
  },
);
