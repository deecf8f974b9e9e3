import { describe, expect, test } from 'vitest';
import { claimed } from '../../../app/model/proof.ts';
import type { Job, Owner } from '../../../app/model/job.ts';
import type { Terms } from '../../../app/judge/context.ts';
import { judge } from '../../../app/judge/judge.ts';
import type { Verdict } from '../../../app/judge/verdict.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { jobOf, nowMs } from './job-builder.ts';

const settings = { ...defaultSettings, mode: 'enforce' as const };
const owners: Readonly<Record<'live' | 'gone' | 'unknown' | 'none left', Owner>> = {
  live: { state: 'live', process: null, evidence: '' },
  gone: { state: 'gone', sinceMs: null, evidence: '' },
  unknown: { state: 'unknown', evidence: '' },
  'none left': { state: 'unknown', evidence: '', noneLeft: true },
};

const verdictOf = (owner: keyof typeof owners, ageSeconds: number, more: Partial<Job> = {}, terms?: Terms): Verdict => {
  const job = jobOf(ageSeconds, { proof: claimed, owner: owners[owner], announcedSeconds: 9999, ...more });
  return judge(job, settings, { nowMs, vetoes: [], ...(terms === undefined ? {} : { terms }) });
};

describe('a job that only marks name', () => {
  test.each([
    ['live', 'within', 'overdue'],
    ['unknown', 'within', 'overdue'],
    ['gone', 'probable', 'probable'],
    ['none left', 'probable', 'probable'],
  ] as const)('of an owner that is %s is told at its limit, and ended at no age', (owner, young, old) => {
    expect(verdictOf(owner, 60)).toMatchObject({ state: young, action: 'none' });
    expect(verdictOf(owner, settings.backgroundMaxElapsedSeconds)).toMatchObject({ state: old, action: 'notify' });
    for (const ageSeconds of [settings.backgroundMaxElapsedSecondsHardCap, 1e7]) {
      const verdict = verdictOf(owner, ageSeconds);
      expect(verdict).toMatchObject({ state: old, action: 'notify' });
      expect(verdict.announces).toBeUndefined();
    }
  });

  test('is ended neither by the word of its session nor by the user’s command without --probable', () => {
    const said = verdictOf('gone', 1e5, {}, { kind: 'session-said-so' });
    const commanded = verdictOf('gone', 1e5, {}, { kind: 'command', minAgeSeconds: 0 });
    expect([said.action, commanded.action]).toEqual(['notify', 'notify']);
  });

  const probable: Terms = { kind: 'command', minAgeSeconds: 30, endsProbable: true };

  test('is ended by --probable once it is probable and old enough', () => {
    expect(verdictOf('gone', 31, {}, probable)).toMatchObject({ state: 'probable', action: 'reap' });
    expect(verdictOf('none left', 31, {}, probable)).toMatchObject({ state: 'probable', action: 'reap' });
    expect(verdictOf('gone', 29, {}, probable).action).toBe('none');
  });

  test('is not ended by it while a session that lives could own it, nor where it is kept or in use', () => {
    const client = { by: 'connection', at: 'port 3000', from: null } as const;
    expect(verdictOf('live', 1e5, {}, probable).action).not.toBe('reap');
    expect(verdictOf('unknown', 1e5, {}, probable).action).not.toBe('reap');
    expect(verdictOf('gone', 1e5, { keptUntilMs: nowMs + 1000 }, probable)).toMatchObject({ state: 'kept' });
    expect(verdictOf('gone', 1e5, { client }, probable)).toMatchObject({ state: 'kept', action: 'none' });
  });

  test('is a server whose ends are closed: probable, never due', () => {
    const server = { server: { standing: 'abandoned' }, kind: 'server' } as const;
    expect(verdictOf('gone', 1e6, server)).toMatchObject({ state: 'probable', action: 'notify' });
  });
});
