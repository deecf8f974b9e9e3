import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { removeAgentGroups } from '../../../main/os/containment/agent-groups.ts';
import { openSshd } from '../../bench/sshd.ts';
import { recordsIn, type StartRecord } from '../agent-start-record.ts';
import { missing as noSshd, skipped } from '../remote/far-machine.ts';
import { readableNode } from '../machine-facts.ts';
import { curfewFile } from '../scene/curfew.ts';
import { livingProcesses, type Home, living, until, withHome, withText } from './curfew-run.ts';
import { atTerminal, type User } from './terminal-user.ts';
import { ownGroup } from './user-manager.ts';

const made: StartRecord[] = [];
const keep = (home: Home): void => void made.push(...recordsIn(join(home.path, 'curfew')));
afterEach(async () => {
  for (const record of made.splice(0)) await until('its groups are removed', () => removeAgentGroups(record));
});

/** Reads lines, ends with 9 by Ctrl-C, and notes that its terminal is gone. */
const agent = (home: Home): string =>
  `trap "echo interrupted; exit 9" INT; trap "echo gone >${home.file('gone')}; exit 1" HUP; tty; echo ids $(ps -o pid=,pgid=,tpgid= -p $$); echo re""ady; while :; do read line && echo "got $line" || sleep 1; done`;

/**
 * What an agent and its shell make of a terminal and its keys, and of the end of the terminal.
 * Returns the status after Ctrl-C.
 */
const usesKeys = async (user: User, home: Home, loses?: () => void | Promise<void>): Promise<number> => {
  await user.runs(`bash -c '${agent(home)}'`, 'agent');
  await user.sees('/dev/pts/');
  const [, pid, pgid, tpgid] = /ids (\d+) (\d+) (\d+)/.exec(await user.sees(/ids \d+ \d+ \d+/)) ?? [];
  expect([pgid, tpgid]).toEqual([pid, pid]);
  await user.sees('ready\r');
  user.type('\u001A');
  await user.sees('Stopped');
  user.type('echo "shell"-answers\n');
  await user.sees('shell-answers');
  user.type('fg\n');
  await user.sees('agent -- bash');
  user.type('a line\n');
  await user.sees('got a line');
  user.type('\u0003');
  await user.sees('interrupted');
  const status = await user.status();
  keep(home);
  if (loses === undefined) return status;
  await user.runs(`bash -c '${agent(home)}'`, 'agent');
  await user.sees('ready\r');
  await loses();
  await until('the agent has seen that its terminal is gone', () => existsSync(home.file('gone')));
  keep(home);
  return status;
};

/** A shell inside, with the environment that `User.runs` needs. */
const shell = (home: Home): string =>
  `env NODE='${process.execPath}' CURFEW='${curfewFile}' HOME='${home.path}' CURFEW_HOME='${home.file('curfew')}' PS1='[inner]' bash --norc --noprofile --noediting -i`;

describe.skipIf(ownGroup === null)('an agent at a terminal', () => {
  test(
    'has the terminal and its keys: Ctrl-C, Ctrl-Z and fg are between it and the shell',
    atTerminal(async (user, home) => {
      expect(await usesKeys(user, home)).toBe(9);
    }),
  );

  test.skipIf(noSshd !== null)(
    `over ssh has them as well, and hears that the connection is lost ${skipped}`,
    atTerminal(async (user, home) => {
      const sshd = await openSshd(null);
      try {
        user.type(`${sshd.folder}/path/ssh -tt far "${shell(home)}"\n`);
        await user.sees('[inner]');
        await user.sees('[inner]');
        const status = await usesKeys(user, home, () => {
          const [client] = livingProcesses().filter(({ args }) => args.startsWith(`/usr/bin/ssh -F ${sshd.folder}`));
          if (client !== undefined) process.kill(client.pid, 'SIGKILL');
        });
        expect(status).toBe(9);
        user.type('echo "near"-again\n');
        await user.sees('near-again');
      } finally {
        sshd.close();
      }
    }),
  );

  test(
    'in screen has them as well, goes on while that is detached, and hears its end',
    atTerminal(async (user, home) => {
      mkdirSync(home.file('screens'), { mode: 0o700 });
      const screen = `SCREENDIR='${home.file('screens')}' TERM=xterm screen -c /dev/null`;
      user.type(`${screen} -S within ${shell(home)}\n`);
      await user.sees('[inner]');
      await user.sees('[inner]');
      const status = await usesKeys(user, home, async () => {
        user.type('\u0001d');
        await user.sees('detached');
        user.type(`${screen} -r within\n`);
        await user.sees('ready');
        user.type('once more\n');
        await user.sees('got once more');
        await home.start('sh', ['-c', `${screen} -S within -X quit`]).ended;
      });
      expect(status).toBe(9);
    }),
  );

  test(
    'in tmux is the process of its pane',
    withHome(async (home) => {
      const env = { TMUX_TMPDIR: home.path, TERM: 'screen' };
      const tmux = (...args: readonly string[]) =>
        home.start('tmux', ['-L', 'ceiling', '-f', '/dev/null', ...args], { env }).ended;
      await tmux('new-session', '-d', `${readableNode} ${curfewFile} agent -- sh -c 'tty > tty; exec sleep 607'`);
      try {
        const pane = await until('it sleeps', () => withText('sleep 607').find(({ args }) => args === 'sleep 607'));
        expect((await tmux('list-panes', '-F', '#{pane_pid} #{pane_tty}')).stdout).toBe(
          `${pane.pid} ${readFileSync(home.file('tty'), 'utf8')}`,
        );
        await tmux('send-keys', 'C-c');
        await until('its pane has ended', () => living(pane.pid) === null);
      } finally {
        await tmux('kill-server');
      }
      keep(home);
    }),
  );
});
