import * as fc from 'fast-check';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import { outcomes, type IncidentEvent, type Intent, type RecordedProcess } from '../../../app/history/incident.ts';
import { incidentId } from '../../../app/history/incident-id.ts';
import { asSafe } from '../../ui/scene/safe.ts';
import { safe } from '../../unit/safe-text.ts';

/** Times within a few days, so that filters and equal times meet. */
export const moment = fc.integer({ min: 1_763_600_000_000, max: 1_763_600_000_400 });

const pid = fc.integer({ min: 2, max: 4_194_304 });
const pids = fc.array(pid, { maxLength: 4 });

/** Texts that were made to break what reads them. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '%',
    '_',
    '\\',
    "'; DROP TABLE event; --",
    'a\u0000b',
    '\uD800',
    'É',
    'e\u0301',
    'İ',
    '100%_\\',
    'npm run dev',
    ' tee  LOG ',
  ),
);

const recordedProcess: fc.Arbitrary<RecordedProcess> = fc.record({
  pid,
  ppid: pid,
  startTicks: fc.nat(),
  args: hostileText.map(safe),
  rssBytes: fc.nat(),
});

const project = fc.option(
  fc.constantFrom(
    '/',
    '/home/me',
    '/home/me/shop',
    '/home/me/shop/',
    '/srv/shop',
    '/home/me/Shop',
    'C:\\shop',
    '\uD800/x',
  ),
  { nil: null },
);

/** Intents as they may be found in a record; ids fit their times, as `incidentId` makes them. */
export const intent: fc.Arbitrary<Intent> = fc
  .record({
    atMs: moment,
    random: fc.nat({ max: 30_000_000 }),
    host: fc.constantFrom('local', 'build.example', '\uD800'),
    bootId: fc.constantFrom('boot-a', 'boot-b'),
    writer: fc.record({ pid, startTicks: fc.nat() }),
    job: fc.constantFrom('00000001', '0000000f'),
    agent: fc.constantFrom(...agentIds),
    rule: fc.constant('claude-shell'),
    command: hostileText.map(safe),
    project,
    session: fc.option(fc.uuid(), { nil: null }),
    task: fc.constant(null),
    output: fc.constant(null),
    ageSeconds: fc.nat(),
    owner: fc.constantFrom('live', 'gone', 'unknown'),
    ownerEvidence: hostileText,
    decidedBy: fc.constantFrom('rule', 'person', 'hook', 'command', 'agent'),
    verdict: fc.constantFrom('orphaned', 'past-cap'),
    reasons: fc.constant([{ code: 'owner-gone', figures: { sinceSeconds: 5 } }] as const),
    evidence: fc.array(hostileText, { maxLength: 3 }),
    processes: fc.array(recordedProcess, { maxLength: 3 }),
    firstSignal: fc.constantFrom('TERM', 'HUP'),
    graceSeconds: fc.nat({ max: 300 }),
  } as const)
  .map(({ random, ...rest }) => asSafe<Intent>({ ...rest, id: incidentId(rest.atMs, random) }));

/** Any event. */
export const event: fc.Arbitrary<IncidentEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('signal' as const),
    signal: fc.record({
      atMs: moment,
      signal: fc.constantFrom('TERM', 'KILL', 'CONT'),
      target: fc.constantFrom('group 39', 'process 40'),
      pids,
      result: fc.constantFrom('sent', 'gone', 'refused', 'vetoed'),
      note: fc.option(
        hostileText.map((text) => safe(text)),
        { nil: null },
      ),
    } as const),
  }),
  fc.record({ kind: fc.constant('died' as const), atMs: moment, pids }),
  fc.record({ kind: fc.constant('note' as const), atMs: moment, text: hostileText.map((text) => safe(text)) }),
  fc.record({
    kind: fc.constant('ended' as const),
    atMs: moment,
    outcome: fc.constantFrom(...outcomes),
    survivors: fc.array(recordedProcess, { maxLength: 2 }),
    freed: fc.record({
      processes: fc.nat({ max: 500 }),
      rssBytes: fc.nat(),
      cameAndWent: fc.nat({ max: 9 }),
      ports: fc.array(fc.nat({ max: 65_535 }), { maxLength: 2 }),
      locks: fc.array(
        hostileText.map((text) => safe(text)),
        { maxLength: 2 },
      ),
    }),
    outputTail: fc.option(
      hostileText.map((text) => safe(text)),
      { nil: null },
    ),
  }),
);
