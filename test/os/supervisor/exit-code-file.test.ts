import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileAtPath } from '../../../main/os/files/held-file.ts';
import { type ExitCode, writeExitCode } from '../../../main/output/tell-agent.ts';

const uid = process.getuid?.() ?? 0;
let root = '';
let order: ExitCode;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-mux-'));
  const folder = join(root, 'mux-bashes/workspace/bash_1');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'output.log');
  writeFileSync(path, 'said\n');
  const file = fileAtPath(path);
  if (file === null) throw new Error('no output');
  order = { folder, file: 'exit_code', output: { path, file }, uid, code: 137 };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the code is written in the form of mux, once', () => {
  expect(writeExitCode(order)).toEqual({ kind: 'written' });
  expect(readFileSync(join(order.folder, 'exit_code'), 'utf8')).toBe('137\n');
  expect(writeExitCode({ ...order, code: 143 })).toEqual({ kind: 'there' });
  expect(readFileSync(join(order.folder, 'exit_code'), 'utf8')).toBe('137\n');
});

test('a link under its name is left alone, wherever it leads', () => {
  symlinkSync(join(root, 'elsewhere'), join(order.folder, 'exit_code'));
  expect(writeExitCode(order)).toEqual({ kind: 'there' });
  expect(readdirSync(root)).toEqual(['mux-bashes']);
});

test.each(['bash_1', 'workspace'])('nothing is written where %s became a link', (name) => {
  const there = name === 'bash_1' ? order.folder : join(order.folder, '..');
  const away = join(root, 'away');
  renameSync(there, away);
  symlinkSync(away, there);
  expect(writeExitCode(order)).toMatchObject({ kind: 'refused' });
  expect(
    readdirSync(away, { recursive: true })
      .map(String)
      .filter((one) => one.includes('exit_code')),
  ).toEqual([]);
});

test("nor into another folder, nor into another user's", () => {
  expect(writeExitCode({ ...order, uid: uid + 1 })).toMatchObject({ kind: 'refused' });
  renameSync(order.folder, join(root, 'away'));
  expect(writeExitCode(order)).toMatchObject({ kind: 'refused' });
  mkdirSync(order.folder);
  writeFileSync(order.output.path, 'said\n');
  expect(writeExitCode(order)).toMatchObject({ kind: 'refused' });
  expect(readdirSync(order.folder)).toEqual(['output.log']);
});
