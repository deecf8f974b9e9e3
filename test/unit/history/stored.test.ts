import { describe, expect, test } from 'vitest';
import { safeName } from '../../../app/format/secrets/safe-view.ts';
import { recordableIntent } from '../../../app/history/redaction.ts';
import { storedEvent, storedIntent } from '../../../app/history/stored.ts';
import { knownBy } from '../../../app/model/owner-sign.ts';
import { notedEvidence } from '../../../app/text/noted.ts';
import { inEnglish, say } from '../../../app/text/say.ts';
import { ended, sampleIntent, sent } from './sample.ts';

const body = (value: unknown): string => JSON.stringify(value);

describe('an intent that is read back', () => {
  test('is what was written', () => {
    const intent = sampleIntent();
    expect(storedIntent(body(intent))).toEqual(intent);
  });

  test('says its evidence by key too, without secrets, and an older one has the English alone', () => {
    const found = [
      knownBy('agent process {pid} is gone', { pid: 7 }),
      say('it was started by {agent}', { agent: 'A' }),
    ];
    const hidden = say('it writes to the output file of a task ({path})', { path: '/tmp/TOKEN=hunter2hunter2/a' });
    const intent = { ...sampleIntent(), ...notedEvidence([...found, hidden]) };
    const kept = storedIntent(body(recordableIntent(intent, safeName)));
    expect(kept?.evidenceSaid?.slice(0, 2)).toEqual(found);
    expect(kept?.evidenceSaid?.map(inEnglish)).toEqual(kept?.evidence);
    expect(JSON.stringify(kept)).not.toContain('hunter2');
    expect(storedIntent(body({ ...intent, evidenceSaid: [{ key: 5 }] }))).toEqual({
      ...sampleIntent(),
      evidence: intent.evidence,
    });
  });

  test.each(['id', 'atMs', 'job', 'command', 'decidedBy'])('is refused without %s', (field) => {
    expect(storedIntent(body({ ...sampleIntent(), [field]: undefined }))).toBeNull();
  });

  test('keeps the rest where a detail makes no sense', () => {
    const broken = {
      ...sampleIntent(),
      agent: 'an agent of 2028',
      processes: [{ pid: 'x' }, { pid: 7, ppid: 1, startTicks: 5, args: 3, rssBytes: -1 }],
      ageSeconds: 'old',
      owner: 5,
      evidence: 'none',
      writer: undefined,
    };
    expect(storedIntent(body(broken))).toEqual({
      ...sampleIntent(),
      agent: 'other',
      processes: [{ pid: 7, ppid: 1, startTicks: 5, args: '', rssBytes: 0 }],
      ageSeconds: 0,
      owner: 'unknown',
      evidence: [],
      writer: { pid: 0, startTicks: 0 },
    });
  });

  test('keeps a reason of another version of Curfew', () => {
    const reasons = [{ code: 'moon-phase', figures: { nights: 3 } }];
    expect(storedIntent(body({ ...sampleIntent(), reasons }))?.reasons).toEqual(reasons);
  });

  test('is refused if the text is cut, empty or something else', () => {
    const whole = body(sampleIntent());
    for (const text of [whole.slice(0, -1), '', 'null', '[]', '"x"', '{}', '\u0000']) {
      expect(storedIntent(text)).toBeNull();
    }
  });
});

describe('an event that is read back', () => {
  test('is what was written', () => {
    const events = [
      sent(5),
      { kind: 'veto', atMs: 5, vetoes: [{ code: 'keep-marker', pid: 40, figures: {} }] },
      { kind: 'died', atMs: 5, pids: [39] },
      { kind: 'note', atMs: 5, text: 'a note' },
      ended(9),
    ];
    for (const event of events) expect(storedEvent(body(event))).toEqual(event);
  });

  test('is refused if its kind, time or outcome is unknown', () => {
    for (const event of [
      { ...ended(9), outcome: 'eaten' },
      { ...ended(9), atMs: null },
      { kind: 'dance', atMs: 5 },
      { kind: 'signal', signal: { atMs: 5, signal: 'USR1', result: 'sent' } },
    ]) {
      expect(storedEvent(body(event))).toBeNull();
    }
  });

  test('has a time that can be shown as a date', () => {
    expect(storedEvent(body({ kind: 'note', atMs: 9e15, text: 'x' }))).toBeNull();
  });
});
