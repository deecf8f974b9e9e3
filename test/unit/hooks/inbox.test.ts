import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HookEvent } from '../../../app/jobs/sessions/hook-event.ts';
import { dropEvent, eventText } from '../../../main/agents/hooks/inbox/drop-event.ts';
import { createHookFolders, hookFolders, type HookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { drainInbox, peekInbox, takeProbe } from '../../../main/agents/hooks/inbox/inbox.ts';
import { canLink } from '../../needs.ts';

let root = '';
let folders: HookFolders;
const uid = process.getuid?.() ?? 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-inbox-'));
  folders = hookFolders({ hooks: join(root, 'hooks'), lock: join(root, 'supervisor.lock') });
  createHookFolders(folders);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

let letters = 0;
const put = (text: string | Uint8Array): void =>
  writeFileSync(join(folders.inbox, `${1000 + (letters += 1)}-7.event`), text);
const drained = (): readonly HookEvent[] => {
  const events: HookEvent[] = [];
  drainInbox(folders, uid, (more) => events.push(...more));
  return events;
};
const record = (more: object): string =>
  `${JSON.stringify({ version: 1, agent: 'claude-code', event: 'session-start', ancestors: [[9, 8]], declaredPid: null, session: 's-1', project: '/p', ...more })}\n`;

test('events come typed and in the order of their writing, once', () => {
  for (const [index, event] of (['session-start', 'tool', 'stop', 'session-end'] as const).entries()) {
    put(
      record({ event, source: 'startup', task: 'b1', reason: 'other' }) +
        (event === 'stop'
          ? '{"background_tasks":[{"id":"b1","status":"running","command":"curl -H \'Authorization: Bearer abcdefgh12345678\'"}],"session_crons":[]} \n'
          : ''),
    );
    utimesSync(join(folders.inbox, `${1000 + letters}-7.event`), 100 - index, 100 - index);
  }
  const common = {
    agent: 'claude-code',
    session: 's-1',
    project: '/p',
    ancestors: [{ pid: 9, startTicks: 8 }],
    declaredPid: null,
  };
  expect(peekInbox(folders, uid)).toHaveLength(4);
  expect(drained()).toEqual([
    { ...common, kind: 'session-end', atMs: 97_000, reason: 'other' },
    {
      ...common,
      kind: 'stop',
      atMs: 98_000,
      backgroundTasks: [{ id: 'b1', status: 'running', command: "curl -H 'Authorization: Bearer ***'" }],
    },
    { ...common, kind: 'tool', atMs: 99_000, task: 'b1' },
    { ...common, kind: 'session-start', atMs: 100_000, source: 'startup' },
  ]);
  expect(drained()).toEqual([]);
  expect(readdirSync(folders.inbox)).toEqual([]);
});

test('what is no event is cleared away and harms nothing', () => {
  for (const text of [
    '',
    'null',
    '{',
    '[]',
    '\0\0',
    '{"version":1}',
    record({ agent: 'no-agent' }),
    record({ event: 'explode' }),
    record({ session: '../../etc' }),
    record({ session: undefined }),
    record({ ancestors: [[-1, 5]] }),
    record({ version: 2 }),
    '['.repeat(100_000),
    '9'.repeat(300_000),
  ])
    put(text);
  put(new Uint8Array([0xff, 0xfe, 0x00]));
  mkdirSync(join(folders.inbox, '5-5.event'));
  // Behind a link stands what would be taken.
  writeFileSync(join(root, 'elsewhere'), record({}));
  if (canLink()) symlinkSync(join(root, 'elsewhere'), join(folders.inbox, '6-6.event'));
  put(record({ project: 'relative', declaredPid: 'x', source: 7 }));
  expect(drained()).toMatchObject([{ kind: 'session-start', project: null, declaredPid: null, source: null }]);
  expect(readdirSync(folders.inbox)).toEqual([]);
});

test('a half list of tasks costs only the list', () => {
  put(`${record({ event: 'stop' })}{"background_tasks":[{"id":"b1","comm`);
  expect(drained()).toMatchObject([{ kind: 'stop', backgroundTasks: null }]);
});

test('a process that takes them and fails gets them again', () => {
  put(record({}));
  expect(() =>
    drainInbox(folders, uid, () => {
      throw new Error('crash');
    }),
  ).toThrow('crash');
  expect(drained()).toHaveLength(1);
});

test('what is being written is left alone; what a dead writer left goes', () => {
  writeFileSync(join(folders.inbox, '.1-1'), record({}));
  writeFileSync(join(folders.inbox, '.2-2'), 'old');
  utimesSync(join(folders.inbox, '.2-2'), 1, 1);
  expect(drained()).toEqual([]);
  expect(readdirSync(folders.inbox)).toEqual(['.1-1']);
});

test('a probe waits for its sender', () => {
  put(record({ event: 'probe', session: 'probe-1' }));
  expect(drained()).toEqual([]);
  expect(takeProbe(folders, uid, 'probe-2')).toBe(false);
  expect(takeProbe(folders, uid, 'probe-1')).toBe(true);
  expect(readdirSync(folders.inbox)).toEqual([]);
});

test('without a folder nothing waits', () => {
  rmSync(folders.inbox, { recursive: true });
  expect(drained()).toEqual([]);
  expect(peekInbox(folders, uid)).toEqual([]);
});

test('an event that Node notes is like one of the script', () => {
  const payload = JSON.stringify({
    session_id: 's-2',
    cwd: '/a "b"',
    hook_event_name: 'Stop',
    background_tasks: [{ id: 'b1' }],
  });
  const text = eventText(payload, {
    agent: 'claude-code',
    event: 'stop',
    ancestors: [
      [5, 6],
      [4, null],
    ],
    declaredPid: 4,
  });
  dropEvent(folders, { pid: 77, startTicks: 88 }, text ?? '');
  expect(drained()).toMatchObject([
    {
      kind: 'stop',
      session: 's-2',
      project: '/a "b"',
      ancestors: [
        { pid: 5, startTicks: 6 },
        { pid: 4, startTicks: null },
      ],
      declaredPid: 4,
      backgroundTasks: [{ id: 'b1', status: null, command: null }],
    },
  ]);
  expect(eventText('no JSON', { agent: 'codex', event: 'tool', ancestors: [], declaredPid: null })).toBeNull();
});
