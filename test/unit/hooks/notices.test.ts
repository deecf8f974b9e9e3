import { safe } from '../../ui/scene/safe.ts';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Incident } from '../../../app/history/incident.ts';
import { createHookFolders, hookFolders, type HookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { noticePath, queueSessionNotice } from '../../../main/agents/hooks/inbox/notices.ts';
import { takeSessionAnswer } from '../../../main/agents/hooks/inbox/session-answer.ts';

let root = '';
let folders: HookFolders;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-notices-'));
  folders = hookFolders({ hooks: join(root, 'hooks'), lock: join(root, 'supervisor.lock') });
  createHookFolders(folders);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const incident = (more: Partial<Omit<Incident, 'command'>> & { readonly command?: string }): Incident =>
  ({ project: '/home/me/shop', outcome: 'reaped', command: 'npm run dev', ageSeconds: 14_580, ...more }) as Incident;
const told = (project: string): string | null => {
  const answer = takeSessionAnswer(folders, 'claude-code', project);
  if (answer === null) return null;
  const { hookSpecificOutput } = JSON.parse(answer) as { hookSpecificOutput: { additionalContext: string } };
  return hookSpecificOutput.additionalContext;
};

test('the next session of the project is told once, all that was ended since', () => {
  expect(queueSessionNotice(folders, incident({}))).toBe(true);
  expect(queueSessionNotice(folders, incident({ command: 'echo "a\\b"\n\u001B[31m' }))).toBe(true);
  for (const command of ['c', 'd', 'e'.repeat(500)]) queueSessionNotice(folders, incident({ command }));
  expect(told('/home/me/other')).toBeNull();
  const text = told('/home/me/shop') ?? '';
  expect(text).toMatch(/^Curfew ended 5 background commands left running in this project since its last session: /);
  expect(text).toContain('`c` (after 4 h 3 min)');
  expect(text).toContain('and 2 more');
  expect(text).not.toMatch(/\p{Cc}/u);
  expect(text.length).toBeLessThan(600);
  expect(told('/home/me/shop')).toBeNull();
});

test('only what was really ended is told', () => {
  for (const outcome of ['spared', 'survived', 'vanished', 'interrupted', null] as const)
    expect(queueSessionNotice(folders, incident({ outcome }))).toBe(false);
  expect(queueSessionNotice(folders, incident({ project: null }))).toBe(false);
});

test('no project leads out of the folder', () => {
  for (const project of ['../../etc', '/home/../etc', 'home', '/', '/a//b', ''])
    expect(noticePath(folders, project)).toBeNull();
  expect(queueSessionNotice(folders, incident({ project: safe(`/${'long/'.repeat(2000)}`) }))).toBe(false);
  expect(readdirSync(folders.notices)).toEqual([]);
});

test('the line fits between the quotes of a JSON string', () => {
  queueSessionNotice(folders, incident({ command: 'printf "%s\\n" \'x\'' }));
  const [line = ''] = readFileSync(noticePath(folders, '/home/me/shop') ?? '', 'utf8').split('\n');
  expect(JSON.parse(`"${line}"`)).toContain('printf "%s\\n" \'x\'');
});

test.each(['', 'half a "line', '\u0001', '\\', '\n{"count":1}'])('what is no notice is not told: %j', (text) => {
  queueSessionNotice(folders, incident({}));
  writeFileSync(noticePath(folders, '/home/me/shop') ?? '', text);
  expect(told('/home/me/shop')).toBeNull();
});
