import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bootId } from './fake-table.ts';
import { home, read, states, write } from './registry-home.ts';

describe('Copilot', () => {
  const session = '85751dee-7d59-4439-b02d-27bdf2265c6c';
  const folder = `.copilot/session-state/${session}`;
  const lease = (state: string, boot = bootId): object => ({
    version: 1,
    sessionId: session,
    shellId: '1',
    owner: { pid: 30, startTicks: 202_350, bootId: boot },
    supervisor: { pid: 86, pgid: 86, startTicks: 202_604, bootId: boot },
    state,
    graceMs: 60_000,
  });

  test('a lock with a living copilot behind it is a session', () => {
    write(`${folder}/inuse.30.lock`, '30');
    expect(states(read([{ pid: 30, argv: ['copilot'] }]))).toEqual([`copilot 85751dee 30 live`]);
    expect(states(read([]))).toEqual([`copilot 85751dee 30 gone`]);
    expect([...read([]).completeFor]).toEqual(['copilot']);
  });

  test('a lock with another living process behind it may be a program that contains Copilot', () => {
    write(`${folder}/inuse.30.lock`, '30');
    expect(states(read([{ pid: 30, argv: ['code'] }]))).toEqual([`copilot 85751dee 30 unknown`]);
  });

  test('a file of another name beside a lock contradicts nothing, unless it names another living process', () => {
    write(`${folder}/inuse.30.lock`, '30');
    write(`${folder}/inuse.30.hold`, '');
    write('.copilot/session-state/.session-operation-locks/x', '');
    expect(states(read([{ pid: 30, argv: ['copilot'] }]))).toEqual(['copilot 85751dee 30 live']);
    expect(states(read([]))).toEqual(['copilot 85751dee 30 gone']);
    write(`${folder}/inuse.31.hold`, '');
    expect(read([]).unclear).toEqual([]);
    expect(read([{ pid: 31, argv: ['x'], state: 'Z' }]).unclear).toEqual([]);
    expect(read([{ pid: 31, argv: ['x'] }]).unclear).toMatchObject([{ agent: 'copilot', session }]);
    rmSync(join(home, folder, 'inuse.30.lock'));
    expect(read([]).unclear).toMatchObject([{ agent: 'copilot', session }]);
  });

  test('a lock without a pid says that its session may be in use', () => {
    write(`${folder}/inuse.lock`, '');
    expect(read([]).unclear).toMatchObject([{ agent: 'copilot', session }]);
    expect(read([]).completeFor.size).toBe(0);
  });

  test('detached shells are kept when the lease says so or a file beside it does, of this boot only', () => {
    write(`${folder}/detached-shells/1.lease.json`, lease('active'));
    expect(read([]).keptByAgent).toEqual([]);
    write(`${folder}/detached-shells/1.keep`, '');
    expect(read([]).keptByAgent).toMatchObject([{ agent: 'copilot', pid: 86, pgid: 86, startTicks: 202_604 }]);
    rmSync(join(home, folder, 'detached-shells/1.keep'));
    write(`${folder}/detached-shells/1.lease.json`, lease('keep'));
    expect(read([]).keptByAgent).toHaveLength(1);
    write(`${folder}/detached-shells/1.lease.json`, lease('keep', '00000000-0000-0000-0000-000000000000'));
    expect(read([]).keptByAgent).toEqual([]);
    write(`${folder}/detached-shells/1.lease.json`, '{"state":"keep"');
    expect(read([]).keptByAgent).toEqual([]);
  });
});
