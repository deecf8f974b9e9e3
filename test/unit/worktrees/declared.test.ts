import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

const stateOf = (...paths: readonly string[]): string =>
  JSON.stringify({ instances: paths.map((path) => ({ title: 'x', worktree: { worktree_path: path } })) });

test('a worktree that claude-squad lists is left to it, whatever its place, and another is not', () => {
  const at = home();
  const listed = '/work/trees/grün "1"';
  write(join(at, '.claude-squad/state.json'), stateOf(listed));
  mkdirSync(join(at, 'trees/2'), { recursive: true });
  const lists = readLists(at);
  expect(declaredBy(listed, [], null, lists)).toBe('claude-squad');
  expect(declaredBy('/disk/1', [listed], null, lists)).toBe('claude-squad');
  expect(declaredBy(join(at, 'trees/2'), [], 'claude-squad', lists)).toBeNull();
});

test('claude-squad’s list is read as JSON, and its paths through links', () => {
  const at = home();
  const [tree, other] = [join(at, 'disk/a & b'), join(at, 'disk/c')];
  mkdirSync(tree, { recursive: true });
  mkdirSync(other);
  symlinkSync(join(at, 'disk'), join(at, 'link'));
  // As Go writes it.
  write(join(at, '.claude-squad/state.json'), stateOf(join(at, 'link/a & b')).replaceAll('&', String.raw`\u0026`));
  const lists = readLists(at);
  expect(declaredBy(tree, [], null, lists)).toBe('claude-squad');
  expect(declaredBy(other, [], 'claude-squad', lists)).toBeNull();
});

test.each([
  ['cut off', stateOf('/trees/1 & 2').slice(0, -3)],
  ['empty', ''],
  ['of another form', '{"instances":[{"path":"/trees/1 & 2"}]}'],
  ['without instances', '{"help_screens_seen":1}'],
  ['with a path that tells no place', stateOf('trees/1')],
  ['with too many paths', stateOf(...Array.from({ length: 10_001 }, () => '/trees/2'))],
])('a list of claude-squad that is %s proves nothing', (_, text) => {
  const at = home();
  write(join(at, '.claude-squad/state.json'), text.replaceAll('&', String.raw`\u0026`));
  const lists = readLists(at);
  expect(declaredBy(at, [], 'claude-squad', lists)).toBe('claude-squad');
  expect(declaredBy(at, [], 'Claude Code', lists)).toBeNull();
  expect(declaredBy('/trees/1 & 2', [], null, lists)).toBe(text.includes('&') ? 'claude-squad' : null);
});

test('a list in a database is read with what lies beside it, by every known path, and proves no absence', () => {
  const at = home();
  const path = join(at, '.crystal/sessions.db');
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE sessions (worktree_path TEXT)');
  database.prepare('INSERT INTO sessions VALUES (?)').run('/home/mara/trees/1');
  const lists = readLists(at);
  expect(declaredBy('/home/mara/trees/1', [], null, lists)).toBe('Crystal');
  expect(declaredBy('/disk/mara/trees/1', ['/home/mara/trees/1'], null, lists)).toBe('Crystal');
  expect(declaredBy('/shop/worktrees/a', [], 'Crystal', lists)).toBe('Crystal');
  expect(declaredBy('/shop/worktrees/a', [], 'Claude Code', lists)).toBeNull();
});

test('what lies at an orchestrator’s place is left to it while its list can’t be read', () => {
  const at = home();
  mkdirSync(join(at, '.crystal/sessions.db'), { recursive: true });
  const lists = readLists(at);
  expect(declaredBy('/shop/worktrees/a', [], 'Crystal', lists)).toBe('Crystal');
  expect(declaredBy('/shop/worktrees/a', [], null, lists)).toBeNull();
  expect(declaredBy('/shop/worktrees/a', [], 'Crystal', readLists(home()))).toBeNull();
});
