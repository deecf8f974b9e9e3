import type { QuestionOutput } from '../../../app/contract/contract.ts';
import type { IncidentSummary } from '../../../app/contract/views/incident-view.ts';
import { moment } from '../../../app/format/moment.ts';
import type { Evidence } from '../../../app/model/evidence.ts';
import { evidenceSaid, sayEvidence } from '../../../app/text/evidence.ts';
import { inEnglish, say } from '../../../app/text/say.ts';
import { randomFrom } from './random.ts';
import { asSafe, safe } from './safe.ts';

const noteOfOutput = say('Noted in the agent’s output file, {path}.', { path: '/tmp/claude/tasks/b83bdcc.output' });

const ownerSaid = {
  gone: say('agent process {pid} is gone', { pid: 4711 }),
  live: say('agent process {pid} is running', { pid: 4711 }),
};

const evidence: readonly Evidence[] = [
  { code: 'wrapper', figures: { rule: 'claude-shell' } },
  { code: 'marker', figures: { rule: 'claude-marker' } },
  { code: 'ledger', figures: { firstSeenMs: Date.UTC(2026, 10, 20, 8, 12) } },
];

const commands = [
  'npm run dev',
  'npx vitest --run --coverage',
  'pytest -n 8 tests/integration --maxfail=1',
  'sleep 3600 & echo started',
  'until curl -sf localhost:8080/health; do sleep 2; done',
  'docker compose up --build',
  'cargo test --workspace',
  'jq \'.items[] | select(.state == "open")\' > open.json',
  'python -m http.server 8000',
  'tsc --noEmit --watch',
  'wrangler dev --port 8787',
  'git gc --prune=now',
] as const;
const projects = ['shop-frontend', 'api', 'landing-page', 'engine', 'model', 'infra'] as const;
const agents = ['claude-code', 'claude-code', 'claude-code', 'codex', 'copilot', 'gemini', 'opencode'] as const;
const outcomes = [
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'reaped',
  'killed',
  'killed',
  'killed',
  'killed',
  'vanished',
  'vanished',
  'spared',
  'survived',
] as const;

const pick = <Item>(items: readonly [Item, ...Item[]], random: () => number): Item =>
  items[Math.floor(random() * items.length)] ?? items[0];

/**
 * A history of `count` incidents that ends at `nowMs`, newest first; mostly by day, hardly at
 * night.
 */
export const sceneIncidents = (count: number, nowMs: number): readonly IncidentSummary[] => {
  const random = randomFrom(7);
  let atMs = nowMs - 720_000;
  return Array.from({ length: count }, (_, index): IncidentSummary => {
    atMs -= Math.round((0.2 + random() * random() * 9) * 3_600_000 * Math.min(1, 900 / count));
    const outcome = pick(outcomes, random);
    const ended = outcome === 'reaped' || outcome === 'killed' || outcome === 'survived';
    const ports = ended && random() < 0.3 ? [3000 + Math.floor(random() * 3000)] : [];
    return {
      id: `incident-${index}`,
      at: moment(atMs),
      host: random() < 0.1 ? 'build-box' : 'local',
      job: (0xa0_00 + index).toString(16),
      agent: pick(agents, random),
      project: safe(`/home/mara/work/${pick(projects, random)}`),
      command: safe(pick(commands, random)),
      decidedBy: random() < 0.25 ? 'person' : 'rule',
      verdict: random() < 0.5 ? 'orphaned' : 'past-cap',
      outcome,
      freed: {
        processes: ended ? 1 + Math.floor(random() * 9) : 0,
        cameAndWent: 0,
        rssBytes: ended ? Math.floor(random() * random() * 3_000_000_000) : 0,
        ports,
        locks: [],
      },
      tookMs: outcome === 'killed' || outcome === 'survived' ? 10_240 : 180 + Math.floor(random() * 900),
      ageSeconds: 1800 + Math.floor(random() * random() * 60_000),
    };
  });
};

/** The whole record of an incident of which the scene has the summary. */
export const sceneIncident = (summary: IncidentSummary): QuestionOutput<'history.incident'> => {
  const startMs = Date.parse(summary.at);
  const killed = summary.outcome === 'killed' || summary.outcome === 'survived';
  const pids = [4710, 4711, 4719];
  const signals: QuestionOutput<'history.incident'>['signals'] =
    summary.outcome === 'vanished' || summary.outcome === 'spared'
      ? []
      : [
          { at: moment(startMs + 12), signal: 'TERM', target: 'group 4710', pids, result: 'sent', note: null },
          { at: moment(startMs + 13), signal: 'CONT', target: 'group 4710', pids, result: 'sent', note: null },
          ...(killed
            ? ([
                {
                  at: moment(startMs + 10_013),
                  signal: 'KILL',
                  target: 'process 4719',
                  pids: [4719],
                  result: 'sent',
                  note: null,
                },
              ] as const)
            : []),
        ].map(
          (signal) => ({ ...signal, pids: [...signal.pids] }) as QuestionOutput<'history.incident'>['signals'][number],
        );
  const owner = summary.verdict === 'orphaned' ? 'gone' : 'live';
  return asSafe<QuestionOutput<'history.incident'>>({
    ...summary,
    rule: 'claude-shell',
    session: '43c8e917-2f0b-4c0e-9f39-5f4b1f0c7a10',
    task: safe('b83bdcc'),
    output: safe('/tmp/claude-1000/-home-mara/43c8e917/tasks/b83bdcc.output'),
    owner,
    ownerEvidence: safe(inEnglish(ownerSaid[owner])),
    ownerSaid: ownerSaid[owner],
    reasons: [
      summary.verdict === 'orphaned'
        ? { code: 'owner-gone', text: 'its session had ended 12 min before', figures: { sinceSeconds: 720 } }
        : {
            code: 'past-hard-cap',
            text: 'it was past the hard cap of 4 h',
            figures: { ageSeconds: 15_300, limitSeconds: 14_400 },
          },
      { code: 'silent', text: safe('it had been idle for 41 min'), figures: { silentSeconds: 2460 } },
    ],
    evidence: evidence.map(sayEvidence).map(safe),
    evidenceSaid: evidence.map(evidenceSaid),
    processes: pids.map((pid, index) => ({
      pid,
      ppid: index === 0 ? 1 : 4710,
      args: index === 0 ? safe(`/bin/bash -c … eval '${summary.command}'`) : summary.command,
      rssBytes: Math.round(summary.freed.rssBytes / 3),
    })),
    firstSignal: 'TERM',
    graceSeconds: 10,
    signals,
    survivors:
      summary.outcome === 'survived' ? [{ pid: 4719, ppid: 1, args: summary.command, rssBytes: 12_000_000 }] : [],
    events: [
      ...(summary.outcome === 'spared'
        ? [
            {
              kind: 'veto' as const,
              at: moment(startMs + 9),
              vetoes: [
                { code: 'identity-changed', text: 'process 4711 is another process now', pid: 4711, figures: {} },
              ],
            },
          ]
        : []),
      ...[
        ...signals.map((signal) => ({ kind: 'signal' as const, at: signal.at, signal })),
        ...(signals.length > 0 ? [{ kind: 'died' as const, at: moment(startMs + 140), pids: [4710, 4711] }] : []),
        {
          kind: 'note' as const,
          at: moment(startMs + 160),
          text: inEnglish(noteOfOutput),
          said: noteOfOutput,
        },
      ].toSorted((left, right) => left.at.localeCompare(right.at)),
      { kind: 'ended', at: moment(startMs + (summary.tookMs ?? 0)), outcome: summary.outcome ?? 'reaped' },
    ],
    outputTail:
      '> shop@1.4.0 dev\n> vite\n\n  \u001B[32m\u001B[1mVITE\u001B[22m v8.3.8\u001B[39m  \u001B[2mready in\u001B[22m 412 ms\n\n  \u001B[32m➜\u001B[39m  Local:   \u001B[36mhttp://localhost:5173/\u001B[39m\n',
  });
};
