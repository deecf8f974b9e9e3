import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asBootId } from '../../../app/process/identity.ts';
import type { SessionDirectory } from '../../../app/model/session.ts';
import { ClaudeAdoptions } from '../../../main/agents/claude-code/adoptions.ts';
import { SessionReader } from '../../../main/agents/session-directory.ts';
import { ticksAtMs, ticksPerSecond } from '../../../main/os/processes/file-time.ts';
import { fakeMachine, type Plant } from './fake-table.ts';

const uid = process.getuid?.() ?? 0;
const session = '43c8e917-1111-4222-8333-444455556666';
const claude = ['C:/Users/me/.local/bin/claude'];
const startMs = Date.UTC(2026, 10, 20, 8, 30, 15, 250);
const startTicks = ticksAtMs(startMs);
/** FILETIME, 100 ns since 1601. */
const fileTime = BigInt(startMs) * 10_000n + 116_444_736_000_000_000n;
/** As .NET counts, by the clock on the wall there. */
const dotNet = (offsetHours: number): string =>
  String(fileTime + 504_911_232_000_000_000n + BigInt(offsetHours) * 36_000_000_000n);

const zone = process.env['TZ'];
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'curfew-windows-sessions-'));
  mkdirSync(join(home, '.claude/sessions'), { recursive: true });
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const read = (entry: object, plants: readonly Plant[], furtherFiles = true): SessionDirectory => {
  const content = { pid: 24, sessionId: session, cwd: 'c:\\work\\shop', pidDomain: `win32:${hostname()}`, ...entry };
  writeFileSync(join(home, '.claude/sessions/24.json'), JSON.stringify(content));
  const { table, source } = fakeMachine(plants);
  const bootId = asBootId('windows-1');
  const windows = {
    ...table,
    bootId,
    ticksPerSecond,
    takenAtMs: startMs + 60_000,
    nowTicks: ticksAtMs(startMs + 60_000),
  };
  const facts: typeof source.facts = (rows) =>
    new Map([...source.facts(rows)].map(([pid, fact]) => [pid, furtherFiles ? { ...fact, furtherFiles } : fact]));
  return new SessionReader({ source: { ...source, facts }, home, uid, platform: 'win32' }).read(windows);
};
const stateOf = (entry: object, plants: readonly Plant[]): string | undefined =>
  read(entry, plants).sessions.find(({ id }) => id === session)?.state;

const living: readonly Plant[] = [{ pid: 24, argv: claude, startTicks }];
const other: readonly Plant[] = [{ pid: 24, argv: ['C:/x/node'], startTicks: startTicks + 1 }];

describe('Claude Code’s registry on Windows', () => {
  test('a start in the system’s own count is compared exactly', () => {
    const entry = { procStartFt: String(fileTime) };
    expect(read(entry, living).sessions).toMatchObject([{ pid: 24, state: 'live', project: 'C:/work/shop' }]);
    expect(stateOf(entry, other)).toBe('gone');
    expect(stateOf(entry, [])).toBe('gone');
    expect(stateOf({ procStart: String(fileTime) }, living)).toBe('live');
    expect(stateOf({ procStart: String(fileTime) }, other)).toBe('gone');
  });

  test('a start by the clock on the wall proves a living session, and never a dead one', () => {
    process.env['TZ'] = 'Europe/Berlin';
    expect(stateOf({ procStart: dotNet(1) }, living)).toBe('live');
    expect(stateOf({ procStart: dotNet(2) }, living)).toBe('unknown');
    expect(stateOf({ procStart: dotNet(0) }, living)).toBe('unknown');
    expect(stateOf({ procStart: dotNet(1) }, [])).toBe('gone');
  });

  test('what can be no start proves nothing', () => {
    for (const procStartFt of ['', 'x', '0', '99999999999999999999', '13411728000000000'])
      expect([procStartFt, stateOf({ procStartFt }, living)]).not.toEqual([procStartFt, 'live']);
    expect(stateOf({}, living)).toBe('unknown');
  });

  test('sessions of WSL and of other machines are not of this one', () => {
    for (const pidDomain of ['linux:0123:pid:[4026531836]', 'linux::pid:[4026531836]', 'win32:elsewhere', 'win32'])
      expect([pidDomain, stateOf({ pidDomain, procStartFt: String(fileTime) }, [])]).toEqual([pidDomain, 'unknown']);
    expect(stateOf({ pidDomain: `win32:${hostname().toLowerCase()}`, procStartFt: String(fileTime) }, living)).toBe(
      'live',
    );
  });

  test('an older entry without a system may be of WSL, by the way in which it counts', () => {
    for (const start of [{ procStart: '104711' }, {}, { procStart: 'Fri Nov 20 08:30:15 2026' }])
      expect([start, stateOf({ pidDomain: undefined, ...start }, [])]).toEqual([start, 'unknown']);
    expect(stateOf({ pidDomain: undefined, procStartFt: String(fileTime) }, [])).toBe('gone');
  });

  test('a living agent of which not all files are told may have taken over any session', () => {
    const entry = { procStartFt: String(fileTime) };
    expect([...read(entry, living).opaqueFor]).toEqual(['claude-code']);
    expect(read(entry, living).completeFor.size).toBe(0);
    expect([...read(entry, living, false).opaqueFor]).toEqual([]);
    expect([...read(entry, []).opaqueFor]).toEqual([]);
  });
});

test('shells on their way to a background session are kept, by their start or by their pid', () => {
  const folder = join(home, '.claude/jobs/ab12');
  mkdirSync(folder, { recursive: true });
  const shells = [{ pid: 40, procStart: String(fileTime) }, { pid: 44, procStart: dotNet(1) }, { pid: 48 }];
  writeFileSync(join(folder, 'adopt.json'), JSON.stringify({ writtenAtMs: startMs, shells }));
  const kept = new ClaudeAdoptions(uid).handedOver([join(home, '.claude')], startMs + 1000);
  expect(kept.map(({ pid, startTicks: ticks }) => [Number(pid), ticks])).toEqual([
    [40, startTicks],
    [44, null],
  ]);
});
