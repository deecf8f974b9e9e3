import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codexTurn } from '../../../main/agents/codex/turns.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'curfew-codex-turn-'));
});
afterEach(() => {
  rmSync(place, { recursive: true });
});

const id = '01a21cd8-e4c0-7070-aba4-0ba388e0fc64';

/** A line of a transcript, as 0.169 writes it. */
const line = (type: string, payload: object): string =>
  `${JSON.stringify({ timestamp: '2026-11-27T12:06:51.383Z', ordinal: 13, type, payload })}\n`;
const event = (type: string): string => line('event_msg', { type, turn_id: id });

const turnOf = (...lines: readonly string[]): ReturnType<typeof codexTurn> => {
  const folder = join(place, 'sessions/2026/11/27');
  mkdirSync(folder, { recursive: true });
  const source = join(folder, `rollout-2026-11-27T12-06-51-${id}.jsonl`);
  appendFileSync(source, lines.join(''));
  const session = { agent: 'codex', id: null, process: null, pid: null, state: 'live', project: null, source } as const;
  return codexTurn(session, process.getuid?.() ?? 0);
};

test('the last turn of a thread has ended by its last event, also where it was broken off', () => {
  expect(turnOf(line('session_meta', { id }))).toBeNull();
  expect(turnOf(event('task_started'))).toBe('open');
  expect(turnOf(event('task_complete'), event('token_count'))).toBe('ended');
  expect(turnOf(event('task_started'), line('response_item', { type: 'message' }))).toBe('open');
  expect(turnOf(event('turn_aborted'))).toBe('ended');
});

test('what was said is no event, and one too far from the end is unknown', () => {
  const said = line('response_item', { text: `\n${event('task_complete')}` });
  expect(turnOf(event('task_started'), said)).toBe('open');
  expect(turnOf(line('response_item', { text: 'x'.repeat(1024 * 1024) }))).toBeNull();
});
