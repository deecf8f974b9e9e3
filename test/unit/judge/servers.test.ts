import { describe, expect, test } from 'vitest';
import type { Job, Owner } from '../../../app/model/job.ts';
import { freeHelperSeconds, serverReports, type ServerState } from '../../../app/model/server-state.ts';
import { claimed } from '../../../app/model/proof.ts';
import { judge } from '../../../app/judge/judge.ts';
import { stoppedBy } from '../../../app/reap/stopped-by.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { jobOf, nowMs } from './job-builder.ts';

const gone: Owner = { state: 'gone', sinceMs: null, evidence: 'agent process 7 is gone' };
const live: Owner = { state: 'live', process: null, evidence: 'agent process 7 is running' };
const abandoned: ServerState = { standing: 'abandoned' };
const day = 86_400;
const settings = { ...defaultSettings, mode: 'enforce' } as const;
const command = { kind: 'command', minAgeSeconds: 0 } as const;

const serverOf = (server: ServerState, ageSeconds: number, more: Partial<Job> = {}): Job =>
  jobOf(ageSeconds, { owner: gone, kind: 'server', server, ...more });

describe('a server that is abandoned', () => {
  test('is left over from the first look on, announced, and then ended', () => {
    const context = { nowMs, vetoes: [] };
    expect(judge(serverOf(abandoned, 60), settings, context)).toMatchObject({ state: 'orphaned', action: 'none' });
    const due = serverOf(abandoned, 700);
    expect(judge(due, settings, context)).toMatchObject({ action: 'notify', announces: true });
    expect(judge({ ...due, announcedSeconds: 60 }, settings, context).action).toBe('reap');
  });

  test('says why', () => {
    const { reasons } = judge(serverOf(abandoned, 700), settings, { nowMs, vetoes: [], terms: command });
    expect(reasons.map(({ code }) => code)).toEqual(expect.arrayContaining(['owner-gone', 'closed-ends']));
  });

  test.each([
    ['in use', { client: { by: 'connection', at: 'port 1', from: null } }],
    ['kept by the user', { keptUntilMs: nowMs + 60_000 }],
    ['without an owner that is known to be gone', { owner: { state: 'unknown', evidence: 'x' } }],
  ] as const)('is spared at every age while it is %s', (_what, more) => {
    for (const age of [700, 2 * day])
      expect(judge(serverOf(abandoned, age, more), settings, { nowMs, vetoes: [], terms: command })).toMatchObject({
        state: 'kept',
        action: 'none',
      });
  });

  test('is only shown where the settings say so, but for a command that names servers', () => {
    const shown = { ...settings, sessionServers: 'show' } as const;
    const job = serverOf(abandoned, 2 * day, { announcedSeconds: 60 });
    expect(judge(job, shown, { nowMs, vetoes: [] })).toMatchObject({ state: 'orphaned', action: 'none', atMs: null });
    expect(judge(job, shown, { nowMs, vetoes: [], terms: command }).action).toBe('none');
    expect(judge(job, shown, { nowMs, vetoes: [], terms: { ...command, endsServers: true } }).action).toBe('reap');
  });
});

test.each(serverReports)('a server that is reported (%s) is never ended, also past the hard cap', (why) => {
  for (const age of [0, 700, 2 * day])
    for (const terms of [undefined, { ...command, endsServers: true } as const])
      expect(
        judge(serverOf({ standing: 'reported', why: [why] }, age, { announcedSeconds: 999 }), settings, {
          nowMs,
          vetoes: [],
          ...(terms === undefined ? {} : { terms }),
        }),
      ).toMatchObject({ state: 'kept', action: 'none', atMs: null });
});

test('a server that its living agent replaced is left over, and never ended by itself', () => {
  const replaced: ServerState = { standing: 'replaced' };
  for (const age of [0, 700, 2 * day])
    for (const terms of [undefined, { ...command, endsServers: true } as const]) {
      const context = { nowMs, vetoes: [], ...(terms === undefined ? {} : { terms }) };
      const job = serverOf(replaced, age, { owner: live, announcedSeconds: 999 });
      const { reasons, ...verdict } = judge(job, settings, context);
      expect(verdict).toEqual({ state: 'orphaned', action: 'none', atMs: null });
      expect(reasons.map(({ code }) => code)).toContain('server-replaced');
      const kept = judge({ ...job, keptUntilMs: nowMs + 60_000 }, settings, context);
      expect(kept).toMatchObject({ state: 'kept', action: 'none' });
    }
});

describe('a helper that detached itself', () => {
  const context = { nowMs, vetoes: [], terms: { ...command, endsServers: true, endsProbable: true } } as const;
  const freeFor = (freeSeconds: number, more: Partial<Job> = {}) =>
    judge(serverOf({ standing: 'detached', why: ['own-session'], freeSeconds }, 2 * day, more), settings, context);

  test('is only shown until looks saw no client of it for two hours', () => {
    for (const seconds of [0, freeHelperSeconds - 1])
      expect(freeFor(seconds)).toMatchObject({ state: 'kept', action: 'none', atMs: null });
  });

  test('is offered to the user from then on, and never ended by itself or by a pass', () => {
    for (const seconds of [freeHelperSeconds, 9 * day]) {
      const { reasons, ...verdict } = freeFor(seconds, { announcedSeconds: 999 });
      expect(verdict).toEqual({ state: 'orphaned', action: 'none', atMs: null });
      expect(reasons.map(({ code }) => code)).toContain('server-detached');
      expect(freeFor(seconds, { proof: claimed }).state).toBe('probable');
    }
  });

  test.each([
    ['in use', { client: { by: 'connection', at: '/tmp/a.sock', from: null } }],
    ['in use by what can not be seen', { client: { by: 'unknown', at: 'x', from: null } }],
    ['kept by the user', { keptUntilMs: nowMs + 60_000 }],
  ] as const)('is left alone while it is %s', (_what, more) => {
    expect(freeFor(9 * day, more)).toMatchObject({ state: 'kept', action: 'none' });
  });
});

test('a server of a living session has no limit', () => {
  for (const age of [0, 3600, 2 * day])
    expect(
      judge(serverOf({ standing: 'living' }, age, { owner: live }), settings, { nowMs, vetoes: [], terms: command }),
    ).toMatchObject({ state: 'within', action: 'none', atMs: null });
});

describe('a reaping of an abandoned server', () => {
  const stops = (server: ServerState, owner: Owner = gone): string | null => {
    const job = serverOf(server, 700, { owner });
    const verdict = judge(job, settings, { nowMs, vetoes: [], terms: command });
    const now = { decidedBy: 'rule', ownerAtStart: 'gone', abandonedAtStart: true, paused: false } as const;
    return stoppedBy({ job, verdict, ...now });
  };

  test.each(['agent-lives', 'ends-open', 'connected'] as const)('stops when a process speaks to it (%s)', (why) => {
    expect(stops({ standing: 'reported', why: [why] })).toBe('spoken-to');
  });

  test.each(['works', 'no-channel', 'own-session'] as const)('goes on with what is left of it (%s)', (why) => {
    expect(stops({ standing: 'reported', why: [why] })).toBeNull();
  });

  test('stops when its agent lives after all and left it', () => {
    expect(stops({ standing: 'replaced' })).toBe('spoken-to');
  });

  test('stops when its agent turns out to live', () => {
    expect(stops({ standing: 'living' }, live)).toBe('owner-returned');
  });
});
