import { createServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { asPid, asRunId } from '../../../../app/process/identity.ts';
import { inEnglish } from '../../../../app/text/say.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { FirstSignalName } from '../../../../app/process/signal.ts';
import { lockedText } from '../../../../main/cli/commands/run/run-words.ts';
import { askRunToEnd, listenForEnd } from '../../../../main/run/ending/end-requests.ts';
import { JobLeavers } from '../../../../main/run/members/containment.ts';
import { statusWords } from '../../../../main/run/record/run-status.ts';
import { renameOver } from '../../../../main/store/files/whole-file.ts';

const run = asRunId('abcdefghjk');
let folder = '';
let made = 0;
const place = (): string => {
  made += 1;
  if (process.platform === 'win32') return String.raw`\\.\pipe\curfew-test-${process.pid}-${made}`;
  folder = mkdtempSync(join(tmpdir(), 'curfew-ask-'));
  return join(folder, 'pipe');
};
afterEach(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
  folder = '';
});

describe('a run that is asked to end', () => {
  test('takes it as TERM, each time, and says so', async () => {
    const path = place();
    const taken: FirstSignalName[] = [];
    await listenForEnd(run, { take: (signal) => taken.push(signal) }, () => undefined, path);
    expect(await askRunToEnd(run, path)).toBe('sent');
    expect(await askRunToEnd(run, path)).toBe('sent');
    expect(taken).toEqual(['TERM', 'TERM']);
  });

  test('is gone where nothing listens, and where what listens says nothing', async () => {
    expect(await askRunToEnd(run, place())).toBe('gone');
    const path = place();
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => void server.listen(path, resolve));
    expect(await askRunToEnd(run, path)).toBe('gone');
    server.close();
  });

  test('goes on where it can not be asked, and says so', async () => {
    const warned: string[] = [];
    await listenForEnd(
      run,
      { take: () => undefined },
      (said) => warned.push(inEnglish(said)),
      `${place()}/no/such/folder\0`,
    );
    expect(warned).toEqual([expect.stringContaining('curfew terminate')]);
  });

  test('elsewhere hears signals and opens nothing', async () => {
    await expect(listenForEnd(run, { take: () => undefined }, () => undefined, null)).resolves.toBeUndefined();
  });
});

const row = (pid: number, startTicks = pid): ProcessRow =>
  ({ pid: asPid(pid), startTicks, comm: 'tool' }) as ProcessRow;
const members = (...rows: readonly ProcessRow[]) =>
  new Map(rows.map((one) => [one.pid, { row: one, by: ['tree' as const] }]));

describe('a process outside of the job object of its run', () => {
  test('is told once, after two looks', () => {
    const leavers = new JobLeavers();
    const sight = { members: members(row(8), row(12)), inJob: new Set([8]) };
    expect(leavers.look(sight)).toEqual([]);
    expect(leavers.look(sight).map(inEnglish)).toEqual([expect.stringContaining('process 12 (tool)')]);
    expect(leavers.look(sight)).toEqual([]);
  });

  test('is not told when it ended between table and list, and its pid is another', () => {
    const leavers = new JobLeavers();
    expect(leavers.look({ members: members(row(12, 1)), inJob: new Set() })).toEqual([]);
    expect(leavers.look({ members: members(row(12, 2)), inJob: new Set() })).toEqual([]);
    expect(leavers.look({ members: members(), inJob: new Set() })).toEqual([]);
    expect(leavers.look({ members: members(row(12, 2)), inJob: new Set() })).toEqual([]);
  });

  test('is nothing where there is no job object', () => {
    const leavers = new JobLeavers();
    const sight = { members: members(row(12)), inJob: null };
    expect([leavers.look(sight), leavers.look(sight)]).toEqual([[], []]);
  });
});

test.each([
  [0xc000013a, 'status 0xC000013A, ended by Ctrl-C, Ctrl-Break or its closed window'],
  [0xc0000005, 'status 0xC0000005, access violation'],
  [0xc0000006, 'status 0xC0000006'],
  [0x40010004, 'status 0x40010004, ended by a debugger'],
])('status %i is said in words', (status, words) => {
  expect(statusWords(status)).toBe(words);
});

test.each([0, 1, 137, 255, 259, 0x80000000, 2 ** 32])('status %i is the own one of a program', (status) => {
  expect(statusWords(status)).toBeNull();
});

test('a lock of unknown origin is removed by a command that cmd and PowerShell know', () => {
  const attempt = { taken: false as const, by: null, why: 'foreign' as const, text: '4711' };
  expect(inEnglish(lockedText(attempt, String.raw`C:\my locks\a.lock`, 'win32'))).toContain(
    String.raw`del "C:\my locks\a.lock"`,
  );
  expect(inEnglish(lockedText(attempt, '/tmp/a.lock', 'linux'))).toContain('rm /tmp/a.lock');
});

describe('renaming over a file', () => {
  /** Refuses so many times, and tells how often it was asked. */
  const refusing = (times: number, code: string) => {
    const asked: string[] = [];
    return {
      asked,
      rename: (from: string): void => {
        asked.push(from);
        if (asked.length <= times) throw Object.assign(new Error(code), { code });
      },
    };
  };

  test('is tried again on Windows, where a reader holds the other', () => {
    const { asked, rename } = refusing(3, 'EPERM');
    renameOver('a', 'b', 'win32', rename);
    expect(asked).toHaveLength(4);
  });

  test('fails at once elsewhere, and for other reasons', () => {
    expect(() => renameOver('a', 'b', 'linux', refusing(1, 'EPERM').rename)).toThrow('EPERM');
    expect(() => renameOver('a', 'b', 'win32', refusing(1, 'ENOENT').rename)).toThrow('ENOENT');
  });
});
