import { expect, test } from 'vitest';
import { asPid } from '../../../../app/process/identity.ts';
import { InnerPids } from '../../../../main/os/linux/proc/inner-pids.ts';
import { ProcReader, statusField } from '../../../../main/os/linux/proc/proc-reader.ts';
import { machineOf } from '../../jobs/machine.ts';

/** Each process has pid 34 in a namespace of its own, and is in as many groups as there can be. */
class Status extends ProcReader {
  override readText(_path: string, limit = 1_048_576): string {
    return `Name:\tagent\nGroups:\t${'4294967294 '.repeat(65_536)}\nNSpid:\t81\t34\n`.slice(0, limit);
  }
}

test('a process of a nested pid namespace is one that lives, and began no later than what names it', () => {
  const { rows: all } = machineOf([{ pid: 81, argv: 'agent', start: 80 }]).table();
  const rows = new Map([...all].filter(([pid]) => pid === asPid(81)));
  const inner = new InnerPids(new Status(), 'another');
  const found = (ticks?: number) => inner.find(asPid(34), rows, 1, ticks === undefined ? ticks : { ticks });
  expect([7999, 8000, 8001, undefined].map(found)).toEqual([null, 81, 81, 81]);
  expect(inner.find(asPid(35), rows, 1)).toBeNull();
  expect(inner.find(asPid(34), new Map(), 2)).toBeNull();
});

test('what a process calls itself is none of its fields', () => {
  const status = 'Name:\t\rPPid:\t7\nState:\tS (sleeping)\nPPid:\t5 \nGroups:\t \n';
  expect(['Name', 'State', 'PPid', 'Groups', 'Tgid'].map((name) => statusField(status, name))).toEqual([
    '\rPPid:\t7',
    'S (sleeping)',
    '5',
    '',
    null,
  ]);
});
