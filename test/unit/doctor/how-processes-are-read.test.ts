import { spoken } from '../text/spoken.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { expect, test } from 'vitest';
import { germanVoice } from '../../../app/text/de/voice.ts';
import { howProcessesAreRead } from '../../../main/doctor/check-up.ts';
import { rowOf, tableOf } from '../judge/job-builder.ts';

const table = { rows: tableOf(rowOf(1, ['/sbin/launchd']), rowOf(7, ['/opt/bin/node'])), complete: true };
const source = { name: 'libproc', canReap: true };

const withUnanswered = (...pids: readonly number[]) => ({
  ...source,
  gaps: { sessions: 'kept' as const, hidesEnvironment: () => false, unanswered: () => pids },
});

test('all is well where every question is answered', () => {
  const text = '2 read through libproc.';
  const found = howProcessesAreRead(source, table);
  expect({ ...found, text: inEnglish(found.text) }).toEqual({ what: 'Processes', level: 'ok', text });
  expect(howProcessesAreRead(withUnanswered(), table).level).toBe('ok');
});

test('names the processes about which the system does not answer, in each language', () => {
  const found = howProcessesAreRead(withUnanswered(7, 9), table);
  expect(found).toMatchObject({ what: 'Processes', level: 'note' });
  expect(inEnglish(found.text)).toBe(
    '2 read through libproc. The system does not tell what these have open, as where a network volume is out of reach: 7, 9. That proves nothing, and ends nothing.',
  );
  expect(germanVoice.said(found.text)).toContain('sagt das System nicht');
});

test('says first what is worse', () => {
  expect(howProcessesAreRead({ ...withUnanswered(7), canReap: false }, table).level).toBe('problem');
  expect(spoken(howProcessesAreRead(withUnanswered(7), { ...table, complete: false }).text)).toContain('hides a part');
  const unread = howProcessesAreRead(source, { ...table, complete: false, unread: 3 });
  expect([unread.level, spoken(unread.text)]).toEqual(['problem', expect.stringContaining('could not read 3 of')]);
});
