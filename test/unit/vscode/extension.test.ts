import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import type { Job } from '../../../build/vscode/ask.ts';
import { activate } from '../../../build/vscode/extension.ts';
import { JobList, leftOver } from '../../../build/vscode/list.ts';
import { seen } from './stand-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'curfew-vscode-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const job = (id: string, state: string, rssBytes: number): Job => ({
  id,
  agent: 'an agent',
  command: `sleep ${id}`,
  project: '/work/shop',
  ageSeconds: 300,
  holds: { rssBytes, ports: [3000] },
  verdict: { state, reasons: [{ text: 'its session has ended' }] },
});

const incident = (outcome: string | null, processes: number): object => ({
  reasons: [{ text: 'its session has ended' }],
  outcome,
  freed: { rssBytes: 5_000_000 },
  processes: Array.from({ length: processes }, () => ({ rssBytes: 1000 })),
});

/** A command that answers from files, and notes what it was asked. */
const answers = (files: Readonly<Record<string, object>>): void => {
  for (const name of ['scan', 'plan', 'reap']) rmSync(join(folder, name), { force: true });
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(value));
  writeFileSync(
    join(folder, 'curfew'),
    `#!/bin/sh\ncd '${folder}'\necho "$*" >> asked\ncase "$*" in *--dry-run*) cat plan ;; reap*) cat reap ;; *) cat scan ;; esac\n`,
  );
  chmodSync(join(folder, 'curfew'), 0o755);
};

/** What it was asked besides looks. */
const asked = (): readonly string[] =>
  readFileSync(join(folder, 'asked'), 'utf8')
    .split('\n')
    .filter((words) => words.startsWith('reap'));

const run = async (command: string, ...args: readonly unknown[]): Promise<void> => {
  await seen.commands.get(command)?.(...(args as never[]));
};

const subscriptions: (vscode.Disposable | undefined)[] = [];

beforeEach(() => {
  rmSync(join(folder, 'asked'), { force: true });
  seen.said.length = 0;
  seen.press = undefined;
  seen.settings.set('command', join(folder, 'curfew'));
  activate({ subscriptions } as unknown as vscode.ExtensionContext);
});

afterEach(() => {
  for (const one of subscriptions.splice(0)) one?.dispose();
});

const left = [job('a1', 'orphaned', 1_000_000), job('a2', 'probable', 9_000_000)];

test('the status bar counts what is left over, and the list shows it, the largest first', async () => {
  answers({ scan: { jobs: [...left, job('a3', 'within', 1)] } });
  await run('curfew.refresh');
  expect(seen.item).toEqual({ text: '$(history) 2 left over · 10 MB', shown: true });
  expect(leftOver([...left, job('a3', 'within', 1)]).map(({ id }) => id)).toEqual(['a2', 'a1']);
  const item = new JobList().getTreeItem(job('a1', 'orphaned', 1_000_000));
  expect(item).toMatchObject({ label: 'sleep a1', description: '5 min · 1.0 MB · port 3000' });
});

test('where the command is missing the editor shows nothing in its status bar', async () => {
  seen.settings.set('command', join(folder, 'none'));
  await run('curfew.refresh');
  expect([seen.context, seen.item.shown]).toEqual(['missing', false]);
});

test('an answer that can’t be read is said, not taken for nothing', async () => {
  answers({ scan: { jobs: 'none' } });
  await run('curfew.refresh');
  expect([seen.context, seen.item.shown]).toEqual(['failed', true]);
});

test('End shows what would be ended, and ends it only when the user says so', async () => {
  answers({
    scan: { jobs: left },
    plan: { incidents: [incident(null, 2)] },
    reap: { incidents: [incident('reaped', 2)] },
  });
  await run('curfew.end', left[0]);
  expect(seen.said).toEqual([expect.stringContaining('Processes: 2, 2.0 kB\nits session has ended')]);
  expect(asked()).toEqual(['reap --job a1 --dry-run --json']);
  seen.press = 'End';
  await run('curfew.end', left[0]);
  expect(asked()).toContain('reap --job a1 --json');
  expect(seen.said.at(-1)).toBe('Ended, 5.0 MB freed.');
});

test('what Curfew spares is said, and no end is asked for', async () => {
  answers({ scan: { jobs: left }, plan: { incidents: [incident('spared', 0)] } });
  seen.press = 'End';
  await run('curfew.end', left[0]);
  expect(seen.said).toEqual(['Curfew ends nothing of it: its session has ended']);
  expect(asked()).toEqual(['reap --job a1 --dry-run --json']);
});

test('every text of the extension is there in German', () => {
  const source = join(import.meta.dirname, '../../../build/vscode');
  const read = (name: string): object => JSON.parse(readFileSync(join(source, name), 'utf8')) as object;
  const code = ['extension.ts', 'list.ts'].map((name) => readFileSync(join(source, name), 'utf8')).join('\n');
  const texts = [...code.matchAll(/\bt\(\s*'([^']+)'/gu)].map(([, text = '']) => text);
  expect(Object.keys(read('l10n/bundle.l10n.de.json')).toSorted()).toEqual([...new Set(texts)].toSorted());
  const [english, german] = [read('package.nls.json'), read('package.nls.de.json')];
  expect(Object.keys(german)).toEqual(Object.keys(english));
  const manifest = readFileSync(join(source, 'manifest.json'), 'utf8');
  expect([...manifest.matchAll(/"%(\w+)%"/gu)].map(([, key = '']) => key).toSorted()).toEqual(
    Object.keys(english).toSorted(),
  );
});
