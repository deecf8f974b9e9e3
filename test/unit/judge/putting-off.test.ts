import { describe, expect, test } from 'vitest';
import { judge } from '../../../app/judge/judge.ts';
import { putOff } from '../../../app/judge/putting-off.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { jobOf } from './job-builder.ts';

const settings = { ...defaultSettings, mode: 'enforce' as const };
const cap = settings.backgroundMaxElapsedSecondsHardCap;
const at = { table: { nowTicks: 5_000 }, settings };
const young = { ageSeconds: 1_800, announcedSeconds: null };
/** Its end at the hard cap was announced 20 s ago. */
const told = { ageSeconds: cap - 40, announcedSeconds: 20 };
const past = { ageSeconds: cap + 900, announcedSeconds: null };

const secondsOf = (...call: Parameters<typeof putOff>): number | null => {
  const put = putOff(...call);
  return put.kind === 'keep' ? put.keep.seconds : null;
};

describe('a job is put off', () => {
  test('to its hard cap at most, before the user is told of that', () => {
    expect(putOff(young, at, { seconds: 600, by: 'user' })).toEqual({
      kind: 'keep',
      keep: { fromTicks: 5_000, seconds: 600, by: 'user', capSeconds: null },
      atHardCap: false,
    });
    expect(secondsOf(young, at, { seconds: 10 * cap, by: 'user' })).toBe(cap - 1_800);
  });

  test('by one hard cap at most, by the user who was told of it, as often as they say so', () => {
    expect(secondsOf(told, at, { seconds: 600, by: 'user' })).toBe(600);
    expect(secondsOf(told, at, { seconds: 10 * cap, by: 'user' })).toBe(cap + 40);
    expect(secondsOf(past, at, { seconds: 10 * cap, by: 'user' })).toBe(cap);
    const moved = { ageSeconds: 2 * cap - 30, announcedSeconds: 10, capSeconds: 2 * cap };
    expect(secondsOf(moved, at, { seconds: 10 * cap, by: 'user' })).toBe(cap + 30);
    const toldOfNothing = { ...moved, ageSeconds: cap + 900, announcedSeconds: null };
    expect(secondsOf(toldOfNothing, at, { seconds: 10 * cap, by: 'user' })).toBe(cap - 900);
  });

  test('by a session never beyond the cap, nor where the job is a `curfew run`', () => {
    expect(secondsOf(told, at, { seconds: 600, by: 'session' })).toBe(40);
    expect(putOff(past, at, { seconds: 600, by: 'session' })).toEqual({ kind: 'past-cap', capSeconds: cap });
    const { run } = jobOf(0, { run: { hardCapSeconds: 900 } as never });
    if (run === undefined) throw new Error('it is no run');
    expect(putOff({ ...past, run }, at, { seconds: 600, by: 'user' })).toEqual({ kind: 'past-cap', capSeconds: 900 });
  });
});

describe('the moved cap', () => {
  const context = { nowMs: 1_000_000, vetoes: [] };
  const state = (ageSeconds: number, capSeconds?: number): string => {
    const { state: said, action } = judge(
      jobOf(ageSeconds, { announcedSeconds: 3_600, ...(capSeconds === undefined ? {} : { capSeconds }) }),
      settings,
      context,
    );
    return `${said} ${action}`;
  };

  test('ends the job there, and only that job', () => {
    expect(state(cap + 1)).toBe('past-cap reap');
    expect(state(cap + 1, cap + 600)).not.toContain('past-cap');
    expect(state(cap + 601, cap + 600)).toBe('past-cap reap');
  });

  test('is never earlier than that of the settings', () => {
    expect(state(cap - 100, 60)).not.toContain('past-cap');
  });
});

test('what began before Curfew’s memory was lost is told, and not ended by itself, at the hard cap too', () => {
  const job = jobOf(cap + 1, { announcedSeconds: 3_600 });
  const context = { nowMs: 1_000_000, vetoes: [] };
  expect(judge(job, settings, context).action).toBe('reap');
  for (const terms of [undefined, { kind: 'command', minAgeSeconds: 0 }, { kind: 'session-said-so' }] as const) {
    const verdict = judge(job, settings, { ...context, isForgotten: true, ...(terms === undefined ? {} : { terms }) });
    expect(verdict).toMatchObject({ state: 'past-cap', action: 'notify' });
    expect(verdict.reasons.map(({ code }) => code)).toContain('memory-lost');
  }
});
