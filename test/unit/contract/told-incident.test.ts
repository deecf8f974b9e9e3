import { expect, test } from 'vitest';
import { historyRow } from '../../../main/cli/commands/history/history-table.ts';
import { incidentFromView } from '../../../app/documents/incident.ts';
import { incidentViewSchema } from '../../../app/contract/views/incident-view.ts';

const moved = 'a\u001B[2J\nb';

test('no name in an incident that another machine tells moves a terminal or begins a line', () => {
  const view = incidentViewSchema.parse({
    id: moved,
    job: moved,
    agent: 'other',
    command: 'sleep 1',
    decidedBy: 'rule',
    reasons: [],
    signals: [],
    outcome: 'reaped',
    survivors: [],
    freed: { processes: 0, rssBytes: 0, ports: [], locks: [] },
    tookMs: 1,
    at: '2026-11-26T07:00:00.000Z',
    host: 'x',
    rule: moved,
    project: null,
    session: moved,
    task: null,
    output: null,
    ageSeconds: 1,
    owner: 'gone',
    ownerEvidence: 'x',
    verdict: moved,
    evidence: [],
    processes: [],
    firstSignal: 'TERM',
    graceSeconds: 1,
    events: [],
    outputTail: null,
  });
  const incident = incidentFromView(view, 'web1');
  expect([incident.id, incident.job, incident.rule, incident.verdict, incident.session]).toEqual(
    Array.from({ length: 5 }, () => 'a␛[2J⏎b'),
  );
  expect(historyRow(incident, { colour: false, columns: 100 }).join('')).not.toContain('\u001B');
});
