import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProcessRow } from '../../app/process/row.ts';
import { openMachine } from '../../main/os/open-machine.ts';
import { PortableSource } from '../../main/os/portable/source.ts';
import { Children, running } from './process-source-children.ts';

/** The source of ps-list, compared with /proc. */

let children: Children;
const uid = process.getuid?.() ?? 0;

beforeEach(() => {
  children = new Children();
});

afterEach(() => children.endAll());

const noPids = new Set<ProcessRow['pid']>();

test('this platform has its own source', () => {
  const kept = { get: () => null, keep: () => undefined };
  expect(openMachine({ environmentNames: [], uid, proves: false, kept }).source.name).toBe('procfs');
});

describe('ps-list', () => {
  test('agrees with /proc on parents and command lines, and never allows signals', async () => {
    const pid = await running(children.start('sleep', ['1000']).pid, 'sleep');
    const source = new PortableSource(uid);
    expect(() => source.scan(noPids)).toThrow('has not listed');
    await source.refresh();
    const row = source.scan(noPids).rows.get(pid);
    expect(row).toMatchObject({ pid, ppid: process.pid, comm: 'sleep', argv: ['sleep', '1000'], uid });
    expect(source.scan(noPids).complete).toBe(false);
    expect(source.canReap).toBe(false);
    expect(source.read()).toBeNull();
    await source.refresh();
    expect(source.scan(noPids).rows.get(pid)).toBe(row);
  });
});
