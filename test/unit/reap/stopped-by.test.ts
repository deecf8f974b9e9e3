import { describe, expect, test } from 'vitest';
import type { Decider } from '../../../app/history/incident.ts';
import type { Owner } from '../../../app/model/job.ts';
import { judge } from '../../../app/judge/judge.ts';
import { stoppedBy } from '../../../app/reap/stopped-by.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { jobOf, nowMs } from '../judge/job-builder.ts';

const gone: Owner = { state: 'gone', sinceMs: nowMs - 720_000, evidence: 'its process has ended' };
const unknown: Owner = { state: 'unknown', evidence: 'no session id' };
const hourS = 3600;

interface Now {
  readonly age?: number;
  readonly decidedBy?: Decider;
  readonly ownerAtStart?: Owner['state'];
  readonly owner?: Owner;
  readonly paused?: boolean;
  readonly kept?: boolean;
  readonly mode?: 'enforce' | 'observe';
}

/**
 * What stops the reaping of a job an hour old whose session was gone when it began, and still is.
 */
const stopped = ({ age = hourS, decidedBy = 'rule', ownerAtStart = 'gone', owner = gone, ...now }: Now) => {
  const job = jobOf(age, { owner, ...(now.kept === true ? { keptUntilMs: nowMs + 600_000 } : {}) });
  const settings = { ...defaultSettings, mode: now.mode ?? 'enforce' };
  const verdict = judge(job, settings, { nowMs, vetoes: [] });
  return stoppedBy({ job, verdict, decidedBy, ownerAtStart, abandonedAtStart: false, paused: now.paused === true });
};

/** Of a kind that every settings file allows: the hard cap is at most 24 h. */
const pastCap = 25 * hourS;

describe('a reaping in progress', () => {
  test.each(['rule', 'hook', 'person', 'command'] as const)(
    'begun by a %s goes on while nothing changes',
    (decidedBy) => {
      expect(stopped({ decidedBy })).toBeNull();
    },
  );

  test.each(['rule', 'hook'] as const)('that began by itself (%s) stops when the user puts it off', (decidedBy) => {
    expect(stopped({ decidedBy, paused: true })).toBe('put-off');
    expect(stopped({ decidedBy, mode: 'observe' })).toBe('put-off');
    expect(stopped({ decidedBy, kept: true })).toBe('put-off');
  });

  test('stops past the hard cap only for a pause or for observing: a keep does not reach that far', () => {
    expect(stopped({ age: pastCap, paused: true })).toBe('put-off');
    expect(stopped({ age: pastCap, mode: 'observe' })).toBe('put-off');
    expect(stopped({ age: pastCap, kept: true })).toBeNull();
    expect(stopped({ age: pastCap, owner: unknown })).toBeNull();
  });

  test.each(['person', 'command'] as const)('that a %s began is not stopped by what stops rules', (decidedBy) => {
    expect(stopped({ decidedBy, paused: true })).toBeNull();
    expect(stopped({ decidedBy, mode: 'observe' })).toBeNull();
    expect(stopped({ decidedBy, kept: true })).toBeNull();
  });

  test('of an orphan stops when its session turns out to live, or may; but not when a user began it', () => {
    const live = jobOf(0).owner;
    expect(live.state).toBe('live');
    expect(stopped({ owner: live })).toBe('owner-returned');
    expect(stopped({ owner: unknown })).toBe('owner-returned');
    expect(stopped({ owner: live, decidedBy: 'command' })).toBe('owner-returned');
    expect(stopped({ owner: live, decidedBy: 'person' })).toBeNull();
  });

  test('of a job that was not ended as an orphan has no session to return', () => {
    expect(stopped({ owner: unknown, ownerAtStart: 'unknown' })).toBeNull();
    expect(stopped({ owner: unknown, ownerAtStart: 'live' })).toBeNull();
  });
});
