import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldIncident } from '../../../app/history/fold.ts';
import { recordableEvent, recordableIntent } from '../../../app/history/redaction.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { endedLine } from '../../../app/incident-lines/job-lines.ts';
import { journalFields, lineText } from '../../../app/incident-lines/journal-fields.ts';
import { lineSchema } from '../../../app/incident-lines/line.ts';
import { problemLine } from '../../../app/incident-lines/trouble-lines.ts';
import { event, hostileText, intent } from '../history/arbitraries.ts';
import { safe } from '../../unit/safe-text.ts';

const source = { version: '0.1.0', hostName: 'build7', userName: 'me' };
const where = { host: 'local', atMs: 1_763_600_000_000 };

/** What ends a line, moves a cursor or turns text round. Joiners are parts of words. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const controls = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** 48 KB: where journald splits a line of a service. */
const maxLineBytes = 48 * 1024;

test('whatever is on record, its line fits the schema, is one line, and holds no control character', () => {
  fc.assert(
    fc.property(intent, fc.array(event, { maxLength: 6 }), (begun, events) => {
      const line = endedLine(source, foldIncident(begun, events));
      if (line === null) return;
      expect(lineSchema().parse(line)).toEqual(line);
      const text = lineText(line);
      expect(text).not.toMatch(controls);
      expect(JSON.parse(text)).toEqual(line);
      for (const [, value] of journalFields(line)) expect(value).not.toMatch(controls);
    }),
  );
});

test('no length of any text makes a line longer than journald takes whole', () => {
  const unit = fc.constantFrom('x', '"', '\\', '\n', '\u200D', '👩‍👩‍👧‍👦', 'é', '\uD800');
  fc.assert(
    fc.property(intent, event, unit, fc.integer({ min: 1, max: 30_000 }), (begun, last, piece, times) => {
      const long = safe(piece.repeat(times));
      const process = { pid: 5, ppid: 1, startTicks: 1, args: long, rssBytes: 1 };
      const processes = Array.from({ length: 20 }, () => process);
      const survived = { ...(last.kind === 'ended' ? last : { kind: 'ended' as const, atMs: begun.atMs }) };
      const freed = {
        processes: 1,
        rssBytes: 1,
        cameAndWent: 0,
        ports: Array.from({ length: 500 }, (_, at) => at),
        locks: [long],
      };
      const line = endedLine(
        source,
        foldIncident({ ...begun, command: long, project: long, session: long, verdict: long, processes }, [
          { ...survived, outcome: 'survived', survivors: processes, freed, outputTail: long },
        ]),
      );
      expect(line).not.toBeNull();
      if (line === null) return;
      expect(Buffer.byteLength(lineText(line))).toBeLessThan(maxLineBytes);
    }),
    { numRuns: 30 },
  );
});

test('a secret that the record would hide is in no line, whether the record hid it or not', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9]{16,24}$/u);
  const around = fc.oneof(hostileText, fc.constantFrom('', ' ', '\n', 'x '.repeat(1_000)));
  fc.assert(
    fc.property(intent, event, secret, around, around, (begun, last, value, before, after) => {
      const leak = safe(
        `${before} curl --password ${value} -H "Authorization: Bearer ${value}" PGPASSWORD=${value} ${after}`,
      );
      fc.pre(!redactCommand(leak).includes(value));
      const process = { pid: 5, ppid: 1, startTicks: 1, args: leak, rssBytes: 1 };
      const raw = { ...begun, command: leak, processes: [process], ownerEvidence: leak };
      const end = { ...(last.kind === 'ended' ? last : { kind: 'ended' as const, atMs: begun.atMs }) };
      const ended = {
        ...end,
        outcome: 'survived' as const,
        survivors: [process],
        freed: { processes: 0, rssBytes: 0, cameAndWent: 0, ports: [], locks: [] },
        outputTail: leak,
      };
      const kept = foldIncident(recordableIntent(raw, redactCommand), [recordableEvent(ended, redactCommand)]);
      for (const incident of [kept, foldIncident(raw, [ended])]) {
        const line = endedLine(source, incident);
        expect(line === null ? '' : JSON.stringify(journalFields(line))).not.toContain(value);
      }
      expect(lineText(problemLine(source, { ...where, problem: leak }))).not.toContain(value);
    }),
  );
});
