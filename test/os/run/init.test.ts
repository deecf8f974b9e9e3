import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { requirePidNamespace } from '../namespace.ts';
import { until, withHome } from './curfew-run.ts';
import { Container, leaves, listened, listener, orphans, programs, type ProgramName } from './process-one.ts';

requirePidNamespace();

const names = Object.keys(programs) as readonly ProgramName[];

describe('a process 1, beside the two that Debian has', () => {
  test.each(names)('%s ends with the status of its command', (name) =>
    withHome(async (home) => {
      for (const [script, status] of [
        ['exit 0', 0],
        ['exit 77', 77],
        ['kill -TERM $$', 143],
        ['kill -SEGV $$', 139],
        // Its end comes a while after the start.
        ['sleep 0.2; exit 3', 3],
      ] as const)
        expect([script, await new Container(home, name, ['sh', '-c', script]).ended]).toEqual([script, status]);
    })(),
  );

  test.each(names)('%s passes each signal on', (name) =>
    withHome(async (home) => {
      expect.assertions(listened.length);
      const container = new Container(home, name, listener);
      await container.says('ready');
      for (const signal of listened) {
        container.signal(`SIG${signal}`);
        await container.says(`got ${signal}`);
        expect(container.output).toContain(`got ${signal}`);
      }
      container.signal('SIGKILL');
      await container.ended;
    })(),
  );

  test.each(names)('%s leaves no zombie of a thousand orphans', (name) =>
    withHome(async (home) => {
      const container = new Container(home, name, orphans(1000));
      await container.says('left');
      await until('no zombie is left', () => !container.states.includes('Z'));
      expect(container.states).toHaveLength(1);
      container.signal('SIGKILL');
      await container.ended;
    })(),
  );
});

describe('what outlives the command of `curfew init`', () => {
  test(
    'is asked to end, and gets the time to do so',
    withHome(async (home) => {
      for (const how of ['', 'setsid']) {
        const file = home.file(`asked${how}`);
        expect(await new Container(home, 'curfew', leaves(how, file)).ended).toBe(5);
        expect(readFileSync(file, 'utf8')).toBe('asked');
      }
      // The others exit at once, and the kernel kills what is left.
      const file = home.file('unasked');
      expect(await new Container(home, 'tini', leaves('', file)).ended).toBe(5);
      expect(existsSync(file)).toBe(false);
    }),
  );

  test(
    'is continued if it has stopped, so that it hears that it is asked',
    withHome(async (home) => {
      const file = home.file('asked');
      const command = leaves('', file).map((word) => word.replace('exit 5', 'kill -STOP $!; exit 5'));
      expect(await new Container(home, 'curfew', command).ended).toBe(5);
      expect(readFileSync(file, 'utf8')).toBe('asked');
    }),
  );

  test(
    'ends with the container if it is deaf, and the user is told',
    withHome(async (home) => {
      const script = `trap '' TERM; (sleep 600; sleep 601) & exit 6`;
      const container = new Container(home, 'curfew', ['sh', '-c', script]);
      expect(await container.ended).toBe(6);
      expect(container.output).toMatch(/did not end within 5 s: [12] process/u);
    }),
  );

  test(
    'a second request to end skips the grace',
    withHome(async (home) => {
      const script = `trap '' TERM; sleep 600 & sleep 601 & echo left; exit 6`;
      const container = new Container(home, 'curfew', ['sh', '-c', script], '600s');
      await container.says('left');
      // The two that it leaves, without it: it is passed what is sent while it lives.
      await until('the command has ended', () => container.states.length === 2);
      container.signal('SIGTERM');
      expect(await container.ended).toBe(6);
    }),
  );
});

test(
  'a command that is not there ends with 127, one that is no program with 126',
  withHome(async (home) => {
    const missing = new Container(home, 'curfew', ['there-is-no-such-command']);
    expect(await missing.ended).toBe(127);
    expect(missing.output).toContain('there-is-no-such-command: there is no such command');
    writeFileSync(home.file('text'), 'no program');
    expect(await new Container(home, 'curfew', [home.file('text')]).ended).toBe(126);
  }),
);

test(
  'elsewhere than as process 1 nothing is started, and nothing is signalled',
  withHome(async (home) => {
    const ended = await home.run(['init', '--', 'touch', 'started']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/it is process \d+ here, not process 1/u);
    expect(existsSync(home.file('started'))).toBe(false);
  }),
);
