import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Account, isChosen, parseAccounts } from '../../../app/all-users/account.ts';

const alice: Account = { uid: 1000, gid: 1000, name: 'alice', home: '/home/alice', shell: '/bin/bash' };
const everyone = { names: [], minUid: 1000 };

describe('the account database', () => {
  test('gives accounts, of a directory service too', () => {
    const text = [
      'alice:x:1000:1000:Alice,,,:/home/alice:/bin/bash',
      'me@example.com:*:1866600500:1866600513:Me:/home/example.com/me:',
      '',
    ].join('\n');
    expect(parseAccounts(text)).toEqual([
      alice,
      { uid: 1_866_600_500, gid: 1_866_600_513, name: 'me@example.com', home: '/home/example.com/me', shell: '' },
    ]);
  });

  test.each([
    ['too few fields', 'alice:x:1000:1000::/home/alice'],
    ['too many fields', 'alice:x:1000:1000::/home/alice:/bin/bash:more'],
    ['no uid', 'alice:x::1000::/home/alice:/bin/bash'],
    ['a uid below zero', 'alice:x:-1:1000::/home/alice:/bin/bash'],
    ['the uid that means none', 'alice:x:4294967295:1000::/home/alice:/bin/bash'],
    ['a gid that is no number', 'alice:x:1000:staff::/home/alice:/bin/bash'],
    ['a name that looks like an option', '--help:x:1000:1000::/home/alice:/bin/bash'],
    ['a name with a blank', 'a b:x:1000:1000::/home/alice:/bin/bash'],
    ['a control character in the home', 'alice:x:1000:1000::/home/\u001B[2Jalice:/bin/bash'],
  ])('passes over a line with %s', (_what, line) => {
    expect(parseAccounts(`${line}\nbob:x:1001:1001::/home/bob:/bin/sh`).map(({ name }) => name)).toEqual(['bob']);
  });

  test('never throws, and never gives a uid or gid that the kernel has not', () => {
    const field = fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('', '0', '1000', '/home/a', 'x'));
    const line = fc.array(field, { maxLength: 9 }).map((fields) => fields.join(':'));
    fc.assert(
      fc.property(
        fc.array(line).map((lines) => lines.join('\n')),
        (text) => {
          for (const { uid, gid, name } of parseAccounts(text)) {
            expect([uid, gid].every((id) => Number.isInteger(id) && id >= 0 && id < 2 ** 32 - 1)).toBe(true);
            expect(name).not.toMatch(/^-|[\s:/]/u);
          }
        },
      ),
    );
  });
});

describe('which users are supervised', () => {
  test('those that log in', () => {
    expect(isChosen(alice, everyone)).toBe(true);
    expect(isChosen({ ...alice, shell: '' }, everyone)).toBe(true);
    expect(isChosen({ ...alice, uid: 999 }, everyone)).toBe(false);
    for (const shell of ['/usr/sbin/nologin', '/bin/false'])
      expect(isChosen({ ...alice, shell }, everyone)).toBe(false);
  });

  test('never root, unless root is named', () => {
    const root = { uid: 0, gid: 0, name: 'root', home: '/root', shell: '/bin/bash' };
    expect(isChosen(root, { names: [], minUid: 0 })).toBe(false);
    expect(isChosen(root, { names: ['alice'], minUid: 0 })).toBe(false);
    expect(isChosen(root, { names: ['root'], minUid: 1000 })).toBe(true);
  });

  test('with names only those, whatever their shell or number', () => {
    const service = { ...alice, uid: 110, name: 'builder', shell: '/usr/sbin/nologin' };
    expect(isChosen(service, { names: ['builder'], minUid: 1000 })).toBe(true);
    expect(isChosen(alice, { names: ['builder'], minUid: 1000 })).toBe(false);
  });

  test.each(['', '/', '/nonexistent', 'home/alice', '/dev/null'])('no user whose home is %j', (home) => {
    expect(isChosen({ ...alice, home }, everyone)).toBe(false);
    expect(isChosen({ ...alice, home }, { names: ['alice'], minUid: 1 })).toBe(false);
  });
});
