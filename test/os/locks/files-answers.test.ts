import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { filesAnswers } from '../../../main/interface/answers/files-answers.ts';

const commandLine = join(import.meta.dirname, '../../../build/out/cli/curfew.js');
const days = 86_400;

test('the windows see and remove files as the command does, only those that are named, and the record says so', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-files-')));
  const before = process.env['HOME'];
  process.env['HOME'] = home;
  onTestFinished(() => {
    process.env['HOME'] = before;
    rmSync(home, { recursive: true, force: true });
  });
  const log = (folder: string): string => {
    const path = join(home, '.cache/claude-cli-nodejs/-home-shop', folder, '2026-01-17T12-00-00-000Z.txt');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
    const at = Date.now() / 1000 - 70 * days;
    utimesSync(path, at, at);
    return path;
  };
  const [named, other] = [log('mcp-logs-a'), log('mcp-logs-b')];
  const answers = filesAnswers(commandLine);
  const listed = await answers['files.list']({});
  if (!listed.ok) throw new Error(JSON.stringify(listed.failure));
  const due = listed.value.groups.filter(({ action }) => action === 'delete').map(({ path }) => path);
  expect(due.toSorted()).toEqual([named, other]);
  expect(existsSync(named)).toBe(true);
  const removed = await answers['files.remove']({ paths: [named] });
  if (!removed.ok) throw new Error(JSON.stringify(removed.failure));
  expect({ named: existsSync(named), other: existsSync(other) }).toEqual({ named: false, other: true });
  expect(removed.value.problems).toEqual([]);
  expect(removed.value.removals).toMatchObject([{ kind: 'files', path: named, files: 1, bytes: 1, by: 'person' }]);
});
