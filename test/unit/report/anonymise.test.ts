import { describe, expect, test } from 'vitest';
import { anonymiser } from '../../../app/report/anonymise.ts';

const identity = {
  homes: ['/home/alice', '/srv/homes/alice'],
  users: ['alice'],
  hosts: ['wonderland.example.org', 'web1', 'deploy'],
};
const hide = (text: string): string => anonymiser(identity)(text);

describe('a report says neither who nor where', () => {
  test.each([
    ['a home folder', '/home/alice/shop/build.sh', '~/shop/build.sh'],
    ['a home folder that is a link', 'cd /srv/homes/alice && ls', 'cd ~ && ls'],
    ['a home folder in a file URL', 'file:///home/alice/x', 'file://~/x'],
    [
      'the same as agents name folders',
      '~/.claude/projects/-home-alice-shop/1.jsonl',
      '~/.claude/projects/-HOME-shop/1.jsonl',
    ],
    ['a home folder of another user', '/home/bob/x /Users/carol/y', '/home/USER/x /Users/USER/y'],
    ['a home folder of Windows', String.raw`C:\Users\Carol\AppData`, String.raw`C:\Users\USER\AppData`],
    ['a folder that only begins like the home', '/home/alicexyz/x', '/home/USER/x'],
    ['the user', 'sudo -u alice id; chown alice: x', 'sudo -u USER id; chown USER: x'],
    ['the user in any case', "Alice's laptop", "USER's laptop"],
    ['the user inside a name of words', 'backup_alice_2026.tar', 'backup_USER_2026.tar'],
    ['no part of a longer word', 'malice and aliceblue stay', 'malice and aliceblue stay'],
    ['the machine, short and long', 'wonderland is wonderland.example.org', 'HOST-1 is HOST-1'],
    ['another machine, with its own number', 'ssh alice@wonderland; ssh web1', 'ssh USER@HOST-1; ssh HOST-2'],
    ['a mail address', 'git -c user.email=alice@example.org commit', 'git -c user.email=MAIL-1 commit'],
    [
      'addresses, the same as the same',
      'nc 192.168.1.7 80; nc 192.168.1.7 81; nc 10.0.0.1 1',
      'nc ADDRESS-1 80; nc ADDRESS-1 81; nc ADDRESS-2 1',
    ],
    [
      'addresses of IPv6',
      'connected to fe80::1ff:fe23:4567:890a and 2001:db8::1',
      'connected to ADDRESS-1 and ADDRESS-2',
    ],
    ['a network card', 'ether 52:54:00:12:34:56', 'ether ADDRESS-1'],
  ])('%s', (_what, text, shown) => {
    expect(hide(text)).toBe(shown);
  });

  test.each([
    ['loopback', 'listens on 127.0.0.1:3000 and [::1]:3000'],
    ['a time of day', 'ended at 12:34:56, 02:03'],
    ['a version', 'node v24.21.0, chromium 140.0.7339'],
    ['an id of a job', 'job 1a2b3c, session 4f9d2c1e-0000-4000-8000-000000000000'],
    ['a folder of the system', '/usr/lib/curfew/bin/node /tmp/x'],
    ['a slice of a list', 'a::b std::string'],
  ])('%s stays', (_what, text) => {
    expect(hide(text)).toBe(text);
  });

  test('a name that is a word of many commands stays, but not as a home folder', () => {
    const node = anonymiser({ homes: ['/home/node'], users: ['node', 'root', 'pi'], hosts: ['localhost'] });
    expect(node('node /home/node/server.js as root on localhost, pi')).toBe(
      'node ~/server.js as root on localhost, pi',
    );
  });

  test('a home folder of / hides nothing', () => {
    expect(anonymiser({ homes: ['/', ''], users: [''], hosts: [''] })('/usr/bin/env')).toBe('/usr/bin/env');
  });
});

describe('a report holds no recognised secret', () => {
  const planted = [
    [
      'a token by its form',
      'curl -H "X: ghp_0123456789abcdefghijABCDEFGHIJ012345"',
      'ghp_0123456789abcdefghijABCDEFGHIJ012345',
    ],
    ['a password in an address', 'git clone https://bob:hunter2hunter2@git.example.org/x', 'hunter2hunter2'],
    ['a named option', 'deploy --api-token s3cr3t-value-here', 's3cr3t-value-here'],
    ['an assignment', 'DB_PASSWORD=correcthorse npm start', 'correcthorse'],
    ['an option of a program', 'mysql -uroot -pswordfish shop', 'swordfish'],
    ['a header', "curl -H 'Authorization: Bearer abcdef0123456789'", 'abcdef0123456789'],
  ] as const;

  test.each(planted)('%s', (_what, line, secret) => {
    expect(hide(line)).not.toContain(secret);
    // Between other lines, as in a table.
    expect(hide(`JOB  COMMAND\n1a2b3c  ${line}\n    why: it is old`)).not.toContain(secret);
  });

  test('a second pass changes nothing', () => {
    const text = planted.map(([, line]) => line).join('\n') + '\n/home/alice alice@wonderland 10.1.2.3 a@b.example';
    const once = hide(text);
    expect(hide(once)).toBe(once);
  });
});
