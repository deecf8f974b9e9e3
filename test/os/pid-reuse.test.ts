import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { asPid } from '../../app/process/identity.ts';
import { openMachine } from '../../main/os/open-machine.ts';

const lastPid = '/proc/sys/kernel/ns_last_pid';

// Starts children of a shell until one has the wanted pid; says its pid and waits for it. In a
// namespace the next number can be chosen, again after something else got it; elsewhere what is far
// away is a fork that ends at once, so that all numbers come round in a minute.
const untilPid = `wanted=$1; near=0
while :; do
  if [ $near = 0 ] && [ -w ${lastPid} ]; then near=1; echo $((wanted - 2)) > ${lastPid}; fi
  if [ $near = 1 ]; then sleep 600 & else ( : ) & fi
  pid=$!
  if [ $near = 1 ] && [ $pid = $wanted ]; then echo $pid; wait; exit; fi
  [ $near = 1 ] && kill $pid
  wait $pid 2>/dev/null
  if [ $pid -lt $wanted ] && [ $pid -gt $((wanted - 60)) ]; then near=1; else near=0; fi
done`;

test('a process that got the number of one that was held or named is never signalled', async () => {
  const { source, signaller } = openMachine({
    environmentNames: [],
    uid: process.getuid?.() ?? 0,
    proves: true,
    kept: { get: () => null, keep: () => undefined },
  });
  const first = spawn('sleep', ['600']);
  const { pid = 0 } = first;
  const row = source.read(asPid(pid));
  if (row === null) throw new Error('the first process is not shown');
  const identity = { bootId: source.bootId, pid: row.pid, startTicks: row.startTicks };
  const held = signaller.open(identity);
  expect(held?.alive()).toBe(true);
  const ended = once(first, 'exit');
  first.kill('SIGKILL');
  await ended;
  // Two that start within one tick (10 ms) can't be told apart, and on no machine does a number
  // come round so soon.
  await pause(30);
  const shell = spawn('sh', ['-c', untilPid, 'sh', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => {
    spawnSync('kill', ['-9', String(pid)]);
    shell.kill('SIGKILL');
  });
  await once(shell.stdout, 'data');
  const stranger = source.read(asPid(pid));
  expect(stranger?.startTicks).not.toBe(row.startTicks);
  expect(held?.send('KILL')).toBe('gone');
  held?.close();
  expect(signaller.open(identity)).toBeNull();
  expect(source.read(asPid(pid))).toMatchObject({ startTicks: stranger?.startTicks });
});
