import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { unifiedFolder } from '../../../main/os/containment/control-group.ts';
import { asksForSilence, reachedLimit, secondsToNextLimit } from '../../../main/run/limit-clock.ts';
import { placementFor } from '../../../main/run/members/placement.ts';
import { LimitRefused, limitsFor, type RunRequest } from '../../../main/run/request.ts';
import { newRunId } from '../../../main/run/record/run-folder.ts';
import { runIdPattern } from '../../../app/process/identity.ts';
import { recordedStatus, runStatus, statusOfFailedStart } from '../../../main/run/record/run-status.ts';

const request: RunRequest = {
  command: ['true'],
  maxElapsedSeconds: null,
  hardCapSeconds: null,
  signal: null,
  graceSeconds: null,
  idleAfter: null,
  idleGraceSeconds: null,
  memoryBytes: null,
  tasks: null,
  lock: null,
  name: null,
  workspace: null,
  strict: false,
};
const at = (elapsedSeconds: number, silent: boolean | null = null, idleSinceSeconds: number | null = null) => ({
  elapsedSeconds,
  silent,
  idleSinceSeconds,
});

describe('limits', () => {
  test('the hard cap of the settings always holds; their max elapsed only in the background', () => {
    const foreground = limitsFor(request, defaultSettings, false);
    expect(foreground).toMatchObject({
      maxElapsedSeconds: null,
      hardCapSeconds: 14_400,
      signal: 'TERM',
      graceSeconds: 10,
    });
    expect(reachedLimit(foreground, at(14_399))).toBeNull();
    expect(reachedLimit(foreground, at(14_400))).toBe('hard-cap');
    expect(limitsFor(request, defaultSettings, true).maxElapsedSeconds).toBe(1800);
  });

  test('in the background the limit of the settings spares a working command, as configured', () => {
    const limits = limitsFor(request, defaultSettings, true);
    expect(asksForSilence(limits, 1799)).toBe(false);
    expect(asksForSilence(limits, 1800)).toBe(true);
    expect(reachedLimit(limits, at(2000, false))).toBeNull();
    expect(reachedLimit(limits, at(2000, null))).toBeNull();
    expect(reachedLimit(limits, at(2000, true))).toBe('max-elapsed');
    const notify = limitsFor(request, { ...defaultSettings, atMaxElapsed: 'notify' }, true);
    expect(reachedLimit(notify, at(2000, true))).toBeNull();
    expect(secondsToNextLimit(notify, at(2000))).toBe(12_400);
    const reap = limitsFor(request, { ...defaultSettings, atMaxElapsed: 'reap' }, true);
    expect(reachedLimit(reap, at(2000, false))).toBe('max-elapsed');
  });

  test('a requested limit ends a working command; the hard cap comes first', () => {
    const limits = limitsFor({ ...request, maxElapsedSeconds: 5 }, defaultSettings, false);
    expect(reachedLimit(limits, at(5, false))).toBe('max-elapsed');
    const capped = limitsFor({ ...request, maxElapsedSeconds: 9, hardCapSeconds: 3 }, defaultSettings, false);
    expect(reachedLimit(capped, at(3))).toBe('hard-cap');
    expect(secondsToNextLimit(capped, at(1))).toBe(2);
  });

  test('after its result a command has the idle grace', () => {
    const limits = limitsFor({ ...request, idleAfter: 'x', idleGraceSeconds: 4 }, defaultSettings, false);
    expect(reachedLimit(limits, at(10, null, 7))).toBeNull();
    expect(secondsToNextLimit(limits, at(10, null, 7))).toBe(1);
    expect(reachedLimit(limits, at(11, null, 7))).toBe('idle');
  });

  test('no call makes a limit unlimited', () => {
    expect(() => limitsFor({ ...request, hardCapSeconds: 86_401 }, defaultSettings, false)).toThrow(LimitRefused);
    expect(() => limitsFor({ ...request, hardCapSeconds: 0 }, defaultSettings, false)).toThrow(LimitRefused);
    expect(() => limitsFor({ ...request, maxElapsedSeconds: 0 }, defaultSettings, false)).toThrow(LimitRefused);
  });
});

test('exit statuses', () => {
  const exited = { kind: 'exited', code: 3 } as const;
  const killed = { kind: 'signalled', signal: 9 } as const;
  expect(runStatus('command', exited)).toBe(3);
  expect(runStatus('signal', killed)).toBe(137);
  expect(runStatus('max-elapsed', exited)).toBe(124);
  expect(runStatus('idle', killed)).toBe(124);
  expect(runStatus('signal', null)).toBe(137);
  expect(recordedStatus('command', killed, 'killed')).toBe(137);
  expect(recordedStatus('command', exited, 'killed')).toBe(3);
  expect(recordedStatus('signal', exited, 'reaped')).toBe(143);
  expect(recordedStatus('max-elapsed', exited, 'killed')).toBe(137);
  expect(recordedStatus('signal', exited, null)).toBe(143);
  expect([statusOfFailedStart('ENOENT'), statusOfFailedStart('EACCES'), statusOfFailedStart('E2BIG')]).toEqual([
    127, 126, 126,
  ]);
});

test('where a command is put', () => {
  const terminal = { background: false, onTerminal: true, groups: true, alone: true, foreground: true };
  expect(placementFor(terminal)).toBe('terminal');
  expect(placementFor({ ...terminal, foreground: false })).toBe('group');
  expect(placementFor({ ...terminal, alone: false })).toBe('shared');
  expect(placementFor({ ...terminal, groups: false })).toBe('shared');
  expect(placementFor({ ...terminal, onTerminal: false })).toBe('session');
  expect(placementFor({ ...terminal, background: true })).toBe('session');
});

test('the unified control group is found where it is mounted, and not where our own lies outside of that', () => {
  const line = (root: string, point: string, kind = 'cgroup2'): string =>
    `36 25 0:31 ${root} ${point} rw,relatime shared:9 - ${kind} cgroup2 rw`;
  expect(unifiedFolder(line('/', '/sys/fs/cgroup'), '0::/user.slice/a.scope\n')).toBe(
    '/sys/fs/cgroup/user.slice/a.scope',
  );
  const hybrid = `${line('/', '/sys/fs/cgroup/pids', 'cgroup')}\n${line('/', String.raw`/sys/fs/cgroup/uni\040fied`)}`;
  expect(unifiedFolder(hybrid, '8:pids:/x\n0::/y\n')).toBe('/sys/fs/cgroup/uni fied/y');
  expect(unifiedFolder(line('/docker/1', '/sys/fs/cgroup'), '0::/docker/1/a\n')).toBe('/sys/fs/cgroup/a');
  expect(unifiedFolder(line('/docker/1', '/sys/fs/cgroup'), '0::/docker/12\n')).toBeNull();
  expect(unifiedFolder(line('/', '/sys/fs/cgroup'), '0::/../../x\n')).toBeNull();
  expect(unifiedFolder('', '0::/x\n')).toBeNull();
});

test('ids are what the pattern says', () => {
  for (let round = 0; round < 200; round += 1) expect(newRunId()).toMatch(runIdPattern);
});
