import { describe, expect, test } from 'vitest';
import { foldIncident, interruption } from '../../../app/history/fold.ts';
import { ended, nothing, sampleIntent, sent } from './sample.ts';

const intent = sampleIntent();
const { atMs } = intent;

describe('an incident is what was journalled', () => {
  test('an intent alone is an incident in progress', () => {
    expect(foldIncident(intent, [])).toEqual({
      ...intent,
      events: [],
      signals: [],
      outcome: null,
      survivors: [],
      freed: nothing,
      outputTail: null,
      tookMs: null,
    });
  });

  test('signals are collected, the ending says the rest', () => {
    const events = [sent(atMs + 5), sent(atMs + 10_005, [40]), ended(atMs + 10_100, { outcome: 'killed' })];
    const incident = foldIncident(intent, events);
    expect(incident.signals.map((signal) => signal.pids)).toEqual([[39, 40], [40]]);
    expect(incident).toMatchObject({ outcome: 'killed', tookMs: 10_100, freed: { processes: 2, ports: [3000] } });
    expect(incident.events).toEqual(events);
  });

  test('events after the outcome are kept', () => {
    const late = sent(atMs + 20);
    const incident = foldIncident(intent, [ended(atMs + 10), late]);
    expect(incident.outcome).toBe('reaped');
    expect(incident.signals).toHaveLength(1);
  });

  test('a clock that was set back makes no negative duration', () => {
    expect(foldIncident(intent, [ended(atMs - 3_600_000)]).tookMs).toBe(0);
  });

  test('the real outcome wins over an assumed interruption, in either order', () => {
    const real = ended(atMs + 900, { outcome: 'survived' });
    const guess = ended(atMs + 500, { outcome: 'interrupted', freed: nothing });
    expect(foldIncident(intent, [guess, real]).outcome).toBe('survived');
    expect(foldIncident(intent, [real, guess]).outcome).toBe('survived');
    expect(foldIncident(intent, [guess]).outcome).toBe('interrupted');
  });
});

describe('the ending of an incident whose Curfew died', () => {
  test('counts only what the record confirms as dead', () => {
    const died = { kind: 'died', atMs: atMs + 50, pids: [40] } as const;
    const incident = foldIncident(intent, [sent(atMs + 5), died, died]);
    expect(interruption(incident, atMs + 60_000)).toEqual({
      kind: 'ended',
      atMs: atMs + 60_000,
      outcome: 'interrupted',
      survivors: [],
      freed: { processes: 1, rssBytes: 90_000_000, cameAndWent: 0, ports: [], locks: [] },
      outputTail: null,
    });
  });

  test('claims nothing as freed if no death was confirmed', () => {
    expect(interruption(foldIncident(intent, [sent(atMs)]), atMs + 1).freed).toEqual(nothing);
  });
});
