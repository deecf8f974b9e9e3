import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { declaredBy } from '../../../app/worktrees/orchestrators.ts';
import { readLists } from '../../../main/worktrees/declared.ts';

const home = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-declared-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

test('a worktree that claude-squad lists is left to it, whatever its place, and another is not', () => {
  const at = home();
  const listed = '/work/trees/grün "1"';
  const state = { instances: [{ title: 'x', worktree: { worktree_path: listed } }] };
  write(join(at, '.claude-squad/state.json'), JSON.stringify(state));
  const lists = readLists(at);
  expect(declaredBy(listed, null, lists)).toBe('claude-squad');
  expect(declaredBy('/work/trees/2', 'claude-squad', lists)).toBeNull();
});

test('a list in a database is read with what lies beside it; vibe-kanban names the folder around', () => {
  const at = home();
  const path = join(at, '.local/share/vibe-kanban/db.v2.sqlite');
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE workspaces (container_ref TEXT)');
  database.prepare('INSERT INTO workspaces VALUES (?)').run('/var/tmp/vibe-kanban/worktrees/915e-fix');
  const lists = readLists(at);
  expect(declaredBy('/var/tmp/vibe-kanban/worktrees/915e-fix/shop', 'vibe-kanban', lists)).toBe('vibe-kanban');
  expect(declaredBy('/var/tmp/vibe-kanban/worktrees/915e-other/shop', 'vibe-kanban', lists)).toBeNull();
  // Another tool's worktree in a listed folder is not vibe-kanban's.
  expect(declaredBy('/var/tmp/vibe-kanban/worktrees/915e-fix/shop', 'Crystal', lists)).toBeNull();
});

test('what lies at an orchestrator’s place is left to it while its list can’t be read', () => {
  const at = home();
  mkdirSync(join(at, '.crystal/sessions.db'), { recursive: true });
  const lists = readLists(at);
  expect(declaredBy('/shop/worktrees/a', 'Crystal', lists)).toBe('Crystal');
  expect(declaredBy('/shop/worktrees/a', null, lists)).toBeNull();
  expect(declaredBy('/shop/worktrees/a', 'Crystal', readLists(home()))).toBeNull();
});
