import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { decide } from '../../../app/guard/decide.ts';
import { readGuardSettings } from '../../../app/guard/read-settings.ts';
import { defaultGuard } from '../../../app/guard/settings.ts';
import { storedEvent, storedIntent } from '../../../app/history/stored.ts';
import { readSettingText } from '../../../app/settings/input.ts';
import { parseSettings } from '../../../app/settings/parse.ts';
import { claudeCodeGuard } from '../../../app/agents/claude-code/answers.ts';
import { guardAnswer, readGuardInput } from '../../../main/agents/guard/guard.ts';
import { ClaudeAdoptions } from '../../../main/agents/claude-code/adoptions.ts';
import { ClaudeRegistry } from '../../../main/agents/claude-code/registry.ts';
import { taskReportIn } from '../../../main/agents/claude-code/task-report.ts';
import { codexSessions } from '../../../main/agents/codex/records.ts';
import { CopilotSessions } from '../../../main/agents/copilot/session-state.ts';
import { eventText } from '../../../main/agents/hooks/inbox/drop-event.ts';
import { parseEventFile } from '../../../main/agents/hooks/inbox/event-file.ts';
import type { AgentFiles } from '../../../main/os/files/small-file.ts';
import { RunFolder } from '../../../main/run/record/run-folder.ts';
import { asRunId } from '../../../app/process/identity.ts';
import { readJsonFile } from '../../../main/store/files/json-file.ts';
import { storedLedgerEntry } from '../../../main/store/ledger/ledger-rows.ts';
import { fakeMachine } from '../../unit/agents/fake-table.ts';
import { ended, sampleIntent, sent } from '../../unit/history/sample.ts';
import { neverThrowsOrHangs } from './mutations.ts';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const session = '14c57292-7016-4f9d-a93e-baec75073ff0';
const { table } = fakeMachine([{ pid: 23, argv: ['claude'] }]);

/** One text for every file name. */
const disk = (bytes: Buffer): AgentFiles => ({
  stamp: () => ({ state: 'read', value: { stamp: '1', changedMs: 0 } }),
  text: () => ({ state: 'read', value: bytes.toString('utf8') }),
  names: (path) => ({
    state: 'read',
    value: [
      path.endsWith('sessions') ? '23.json' : 'a',
      'inuse.23.lock',
      'detached-shells',
      's.lease.json',
      ...bytes.toString('utf8', 0, 400).split('\n'),
    ],
  }),
});

neverThrowsOrHangs(
  'session files and registries of agents',
  [
    json({ pid: 23, sessionId: session, cwd: '/p', procStart: '1000', pidDomain: 'linux:x:pid:[1]' }),
    json({
      workers: {
        a: {
          replPid: 23,
          replProcStart: '1000',
          sessionId: session,
          dispatch: { launch: { sessionId: `/h/${session}.jsonl` } },
        },
      },
    }),
    json({ writtenAtMs: 1, shells: [{ pid: 23, startTimeTicks: 1000, procStart: 'Mon Nov  3 02:01:11 2025' }] }),
    json({ state: 'keep', supervisor: { pid: 23, pgid: 23, startTicks: 1000, bootId: 'boot' } }),
  ],
  (bytes) => {
    const files = disk(bytes);
    return [
      new ClaudeRegistry(0, null, files).read(['/h/.claude'], table),
      new ClaudeAdoptions(0, files).byRoster(['/h/.claude'], table),
      new ClaudeAdoptions(0, files).handedOver(['/h/.claude'], table.takenAtMs),
      new CopilotSessions(0, files).read('/h/.copilot', table),
    ];
  },
);
neverThrowsOrHangs(
  'transcripts and rollouts',
  [
    `{"type":"user","message":"<task-notification>\\n<task-id>b1</task-id>\\n<status>completed</status>\\n</task-notification>"}\n`,
    `/h/.codex/sessions/2026/11/21/rollout-2026-11-21T03-52-13-${session}.jsonl`,
  ],
  (bytes) => {
    const target = bytes.toString('utf8');
    const rows = [...table.rows.values()].map((row) => ({ row, files: [{ fd: 3, target, deleted: false }] }));
    return [taskReportIn(target, 'b1'), codexSessions(table, rows)];
  },
);

const payload = json({
  session_id: session,
  cwd: '/p',
  source: 'startup',
  tool_response: { backgroundTaskId: 'b1' },
  background_tasks: [{ id: 'b1', command: 'sleep 9' }],
});
neverThrowsOrHangs(
  'hook input and the inbox',
  [
    payload,
    `${JSON.stringify({ version: 1, agent: 'claude-code', event: 'stop', ancestors: [[23, 1000]], declaredPid: 23, session, project: '/p' })}\n{"background_tasks":[{"id":"b1","command":"a"}]}\n`,
  ],
  (bytes) => {
    const text = bytes.toString('utf8');
    const caller = { agent: 'claude-code', ancestors: [[23, 1000]], declaredPid: null } as const;
    return [
      parseEventFile(text, 0),
      eventText(text, { ...caller, event: 'stop' }),
      eventText(text, { ...caller, event: 'tool' }),
    ];
  },
);

const facts = { shell: claudeCodeGuard.shell, platform: 'linux', root: false, agentProcesses: [] } as const;
const everything = { ...defaultGuard, enabled: true };
neverThrowsOrHangs(
  'what the guard is told',
  [
    'npm run dev &',
    `cd /p && timeout 9 make > log 2>&1 <<'E'\nx\nE\n`,
    'while ! pgrep -f "a.*b"; do sleep 1; done; wait',
    'sudo kill -9 $(pgrep claude) | tail -f x',
  ].map((command) => json({ tool_name: 'Bash', tool_input: { command, run_in_background: true } })),
  (bytes) => {
    const input = readGuardInput(claudeCodeGuard, bytes.toString('utf8'));
    if (input === null) return;
    const decision = decide(input, facts, everything, { possible: true, program: () => 'timeout' });
    if (decision.kind !== 'pass') guardAnswer(claudeCodeGuard, decision, input.given);
  },
);

const folder = mkdtempSync(join(tmpdir(), 'curfew-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'settings.json');
const oneOfEachKind = [
  'backgroundMaxElapsedSeconds',
  'historyDays',
  'guard.enabled',
  'mode',
  'hosts',
  'rules',
] as const;
neverThrowsOrHangs(
  'settings',
  [
    json({
      schemaVersion: 1,
      mode: 'enforce',
      backgroundMaxElapsedSeconds: 1800,
      exemptions: [{ project: '~/p', createdAt: '2026-11-20T00:00:00Z' }],
      rules: [{ name: 'a', argv0: 'b', argv: ['c+'] }],
      hosts: ['me@h'],
      guard: { enabled: true, noTimeout: 'warn' },
    }),
    json({ bash: { backgroundKillSignal: 'TERM' } }),
  ],
  (bytes) => {
    writeFileSync(path, bytes);
    const file = readJsonFile(path);
    const value = file.kind === 'value' ? file.value : null;
    // One argument of a command line, as a user types it.
    const text = bytes.toString('utf8', 0, 16_384);
    return [parseSettings(value), readGuardSettings(value), oneOfEachKind.map((key) => readSettingText(key, text))];
  },
);

const mark = { pid: 23, startTicks: 1000 };
neverThrowsOrHangs(
  'rows of history, journal and ledger',
  [
    json(sampleIntent()),
    json(sent(1)),
    json(ended(2)),
    json({
      id: 'abcdef',
      bootId: 'b',
      agent: 'codex',
      rule: 'r',
      command: 'c',
      root: mark,
      members: [mark],
      groups: [23],
    }),
  ],
  (bytes) => {
    const text = bytes.toString('utf8');
    return [storedIntent(text), storedEvent(text), storedLedgerEntry(text)];
  },
);

const runs = new RunFolder(folder, asRunId('abcdefghjk'));
runs.create(folder);
neverThrowsOrHangs(
  'records of runs',
  [
    json({
      schema: 1,
      id: 'abcdefghjk',
      name: null,
      command: 'a',
      folder: '/p',
      startedAt: '2026-11-21T00:00:00Z',
      supervisor: mark,
      ancestors: [mark],
      end: null,
    }),
    '{"untilMs":1}',
    '143\n',
  ],
  (bytes) => {
    writeFileSync(runs.meta, bytes);
    writeFileSync(runs.exitCode, bytes);
    return [runs.read(), runs.readExitCode()];
  },
);
