import { say } from '../../../app/text/say.ts';
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { filesHere } from '../../../main/os/files/small-file.ts';
import { readSettingsDocument } from '../../../main/agents/hooks/form/settings-document.ts';
import { readBounded } from '../../../main/os/files/bounded-read.ts';
import { readJsonFile } from '../../../main/store/files/json-file.ts';

const main = join(import.meta.dirname, '../../../main');

const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-endless-'));
  // What a hook started may still write there.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
};

/** Runs a program with standard input that never ends, and returns its status. */
const withEndlessInput = async (words: readonly string[]): Promise<number | null> => {
  const home = emptyFolder();
  const input = openSync('/dev/zero', 'r');
  onTestFinished(() => closeSync(input));
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env['PATH'], HOME: home, CURFEW_HOME: home },
    stdio: [input, 'ignore', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise((resolve) => {
    child.once('exit', resolve);
  });
};

test.runIf(process.platform !== 'win32').each([
  ['the list of machines', 2, ['cli/index.ts', 'scan', '--hosts-from', '/dev/zero']],
  ['the list of machines on standard input', 2, ['cli/index.ts', 'scan', '--hosts-from', '-']],
  ['the input of a hook', 0, ['cli/index.ts', 'hook', 'session-end', '--agent', 'claude-code']],
  ['the input of a hook that asks', 0, ['cli/index.ts', 'hook', 'pre-tool-use', '--agent', 'claude-code']],
  ['the input of the guard', 0, ['cli/guard.ts', 'claude-code']],
  ['a call of the mcp worker', 0, ['cli/index.ts', 'mcp', '--call']],
])('%s ends although its input does not', async (_, status, [file = '', ...words]) => {
  expect(await withEndlessInput([join(main, file), ...words])).toBe(status);
});

test.runIf(process.platform !== 'win32')('files that never end are read by no reader', () => {
  const folder = emptyFolder();
  const path = join(folder, 'endless');
  symlinkSync('/dev/zero', path);
  expect(readJsonFile(path)).toMatchObject({ kind: 'bad', why: say('it is not a regular file') });
  expect(readSettingsDocument(path)).toMatchObject({ kind: 'refused' });
  expect(filesHere.text('/dev/zero', 0)).toEqual({ state: 'unreadable' });
  mkdirSync(join(folder, 'folder'));
  expect(readJsonFile(join(folder, 'folder'))).toMatchObject({ kind: 'bad', why: say('it is not a regular file') });
  const descriptor = openSync('/dev/zero', 'r');
  expect(readBounded(descriptor, 1_000_000)).toBeNull();
  closeSync(descriptor);
});
