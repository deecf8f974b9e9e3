import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import { HelperAsker, useHelper } from '../../../main/os/console/asker.ts';
import { membersIn } from '../../../main/os/console-helper.ts';
import { forkedHelper } from '../../../main/shell/console/fork-helper.ts';
import { utilityProcess } from '../../desktop/stand-in/fake-utility-process.ts';

beforeEach(() => {
  vi.useFakeTimers();
  utilityProcess.started.length = 0;
});
afterEach(() => void vi.useRealTimers());

const member = { bootId: 'b' as never, pid: asPid(104), startTicks: 3_600_000_000_000_000 };

test('the app asks a console by a process of its own, and does not wait for it', () => {
  useHelper(forkedHelper('C:\\Curfew\\resources\\app.asar\\build\\out\\shell\\console-helper.js'));
  const asker = new HelperAsker({ hasConsole: () => true, consoleMates: () => [] });
  expect(asker.ask(member)).toBe('on-its-way');
  const [child, ...more] = utilityProcess.started;
  expect(more).toEqual([]);
  expect(child?.modulePath).toMatch(/console-helper\.js$/u);
  expect(child?.options).toMatchObject({ stdio: 'ignore' });
  expect(membersIn(child?.given ?? [])).toEqual([{ pid: 104, startTicks: member.startTicks }]);
});

test('a helper that does not end is ended, one that has ended is not', async () => {
  const start = forkedHelper('console-helper.js');
  start([member]);
  start([member]);
  const [first, second] = utilityProcess.started;
  first?.emit('exit', 0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([first?.killed, second?.killed]).toEqual([false, true]);
});
