import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FilesView } from '../../../app/contract/views/files-view.ts';
import { filesAnswers } from '../../../main/interface/answers/files-answers.ts';

const commandLine = join(import.meta.dirname, '../../../build/out/cli/curfew.js');
const days = 86_400;
const answers = filesAnswers(commandLine);

let home: string;
let before: string | undefined;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-files-')));
  before = process.env['HOME'];
  process.env['HOME'] = home;
});

afterEach(() => {
  process.env['HOME'] = before;
  rmSync(home, { recursive: true, force: true });
});

const log = (folder: string, name = '2026-01-17T12-00-00-000Z.txt'): string => {
  const path = join(home, '.cache/claude-cli-nodejs/-home-shop', folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
  const at = Date.now() / 1000 - 70 * days;
  utimesSync(path, at, at);
  return path;
};

const listed = async (): Promise<FilesView> => {
  const answer = await answers['files.list']({});
  if (!answer.ok) throw new Error(JSON.stringify(answer.failure));
  const { groups } = answer.value;
  // The machine of this test may have others.
  return { ...answer.value, groups: groups.filter(({ path }) => path.startsWith(home)) };
};

const removed = async (...entries: readonly { readonly id: string }[]): Promise<FilesView> => {
  const answer = await answers['files.remove']({ ids: entries.map(({ id }) => id) });
  if (!answer.ok) throw new Error(JSON.stringify(answer.failure));
  return answer.value;
};

test('the windows see and remove files as the command does, only those that are named, and the record says so', async () => {
  const [named, other] = [log('mcp-logs-a'), log('mcp-logs-b')];
  const due = (await listed()).groups.filter(({ action }) => action === 'delete');
  expect(due.map(({ path }) => path).toSorted()).toEqual([named, other]);
  expect(existsSync(named)).toBe(true);
  const done = await removed(...due.filter(({ path }) => path === named));
  expect({ named: existsSync(named), other: existsSync(other) }).toEqual({ named: false, other: true });
  expect(done).toMatchObject({ problems: [], changed: [] });
  expect(done.removals).toMatchObject([{ kind: 'files', path: named, files: 1, bytes: 1, by: 'person' }]);
});

test('what became due in a folder after it was shown stays, with the rest of it', async () => {
  const all = [log('mcp-logs-a', '2026-01-17T12-00-00-000Z.txt'), log('mcp-logs-a', '2026-01-18T12-00-00-000Z.txt')];
  const [group] = (await listed()).groups;
  if (group === undefined) throw new Error('nothing was found');
  const later = log('mcp-logs-a', '2026-01-19T12-00-00-000Z.txt');
  expect((await removed(group)).changed).toEqual([group.id]);
  expect([...all, later].filter(existsSync)).toHaveLength(3);
  await removed(...(await listed()).groups);
  expect([...all, later].filter(existsSync)).toEqual([]);
});

test('what lies in a folder whose name is hidden can be removed, and the name is not shown', async () => {
  const file = log('mcp-logs-ghp_0123456789abcdefghijklmnopqrstuvwxyz');
  const view = await listed();
  expect(view.groups).toMatchObject([{ action: 'delete' }]);
  const done = await removed(...view.groups);
  expect(JSON.stringify([view, done])).not.toContain('ghp_0123456789');
  expect(existsSync(file)).toBe(false);
});
