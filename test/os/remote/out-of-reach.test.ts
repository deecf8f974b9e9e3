import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

const orphan = async ({ stage }: FarMachine): Promise<() => boolean> => {
  const claude = await FakeClaude.start(stage);
  const call = await claude.bash('sleep 7777 | cat');
  await claude.crash();
  return () => stage.lives(call.shell);
};

/**
 * A pass that must fail: one clear line, status 1, nothing on standard output, and no signal over
 * there.
 */
const refusedReap = async (
  machine: FarMachine,
  host: string,
  expected: 'an answer' | 'silence' = 'an answer',
): Promise<string> => {
  const { code, stdout, stderr } = await machine.run(['reap', '--json', '--max-age', '0s', '--host', host], expected);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return stderr;
};

describe.skipIf(missing !== null)(`an unreachable machine ${skipped}`, () => {
  test(
    'a changed host key stops everything, and the message says what it means',
    far(async (machine) => {
      const lives = await orphan(machine);
      machine.newHostKey();
      await machine.killSshd();
      await machine.startSshd();
      const said = await refusedReap(machine, 'web1');
      expect(said).toContain('another host key');
      expect(said).toContain('ssh-keygen -R');
      expect(lives()).toBe(true);
    }),
  );

  test(
    'an unknown host key, an unknown name, a closed port, and a rejected key',
    far(async (machine) => {
      machine.configure(
        [
          'Host known',
          '  HostName 127.0.0.1',
          '  Port 2222',
          'Host closed',
          '  HostName 127.0.0.1',
          '  Port 2',
          'Host stranger',
          '  HostName 127.0.0.1',
          '  Port 2222',
          '  User nobody',
          '',
        ].join('\n'),
      );
      expect(await refusedReap(machine, 'no-such-machine.invalid')).toContain('ssh does not know');
      expect(await refusedReap(machine, 'closed')).toContain('can’t be reached');
      expect(await refusedReap(machine, 'stranger')).toContain('without a password');
      writeFileSync(join(machine.home, '.ssh/known_hosts'), '');
      expect(await refusedReap(machine, 'known')).toContain('not known here yet');
    }),
  );

  test(
    'a machine that accepts the connection and stays silent is given up',
    far(async (machine) => {
      await machine.startSilent(2223);
      machine.configure('Host silent\n  HostName 127.0.0.1\n  Port 2223\n');
      expect(await refusedReap(machine, 'silent', 'silence')).toContain('silent');
    }),
  );

  test(
    'names that would be options or commands are refused, and no part of them is executed',
    far(async (machine) => {
      const touched = join(machine.home, 'touched');
      const names = [
        `-oProxyCommand=touch ${touched}`,
        '-oProxyCommand=id',
        '-F/dev/null',
        '--',
        `$(touch ${touched})`,
        `\`touch ${touched}\``,
        `web1;touch ${touched}`,
        `web1 -oProxyCommand=id`,
        `root@-oProxyCommand=touch`,
        `web1\ntouch ${touched}`,
        'web1|id',
        'web1&id',
        "web1'id",
        '%h',
        '',
        'a'.repeat(256),
      ];
      for (const name of names) {
        for (const command of ['scan', 'reap']) {
          const { code, stdout, stderr } = await machine.run([command, '--json', `--host=${name}`]);
          expect({ name, code, stdout }).toEqual({ name, code: 2, stdout: '' });
          expect(stderr.trimEnd().split('\n')).toHaveLength(1);
        }
        const set = await machine.run(['settings', 'set', 'hosts', JSON.stringify([name])]);
        expect({ name, code: set.code }).toEqual({ name, code: 2 });
      }
      expect(existsSync(touched)).toBe(false);
      expect((await machine.run(['scan', '--uid', '0', '--host', 'web1'])).code).toBe(2);
    }),
  );

  test(
    '`--host local` is this machine, without ssh',
    far(async (machine) => {
      const { stdout, stderr, code } = await machine.run(['scan', '--json', '--host', 'local']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ host: 'local' });
    }),
  );
});
