import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import { ask, type Job, scanForm } from '../../../build/vscode/ask.ts';
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

/** Looks until it is seen: the first may join a look that began before. */
const looked = async (): Promise<void> => {
  await run('curfew.refresh');
  await run('curfew.refresh');
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

test('a command that gives no whole answer in time is ended', async () => {
  answers({ scan: { jobs: [] } });
  writeFileSync(join(folder, 'curfew'), '#!/bin/sh\necho {\nexec sleep 300\n');
  await expect(ask(join(folder, 'curfew'), ['scan'], scanForm, 50)).rejects.toThrow('no answer in time');
});

test('End shows what would be ended, and ends it only when the user says so', async () => {
  answers({
    scan: { jobs: left },
    plan: { incidents: [incident(null, 2)] },
    reap: { incidents: [incident('reaped', 2)] },
  });
  await looked();
  await run('curfew.end', left[0]);
  expect(seen.said).toEqual([expect.stringContaining('Processes: 2, 2.0 kB\nits session has ended')]);
  expect(asked()).toEqual(['reap --job a1 --dry-run --json']);
  seen.press = 'End';
  await run('curfew.end', left[0]);
  expect(asked()).toContain('reap --job a1 --json');
  expect(seen.said.at(-1)).toBe('Ended, 5.0 MB freed.');
});

test('what programs wrote is shown in one line, and is no link of a notice', async () => {
  const [first] = left;
  const forged = { ...first, command: 'sleep \u202E1\nProcesses: 1' } as Job;
  const shown = 'sleep ⟨U+202E⟩1⏎Processes: 1';
  const item = new JobList().getTreeItem({ ...forged, project: '/a\nb', agent: 'x' });
  expect(item).toMatchObject({ label: shown, tooltip: `${shown}\nx, /a⏎b\nits session has ended` });
  const link = '[it](command:x)';
  const plan = { ...incident(null, 1), reasons: [{ text: 'a\nb' }] };
  const reap = { ...incident('failed', 1), reasons: [{ text: link }] };
  answers({ scan: { jobs: [forged] }, plan: { incidents: [plan] }, reap: { incidents: [reap] } });
  await looked();
  seen.press = 'End';
  await run('curfew.end', forged);
  expect(seen.said).toEqual([`End this?\n${shown}\n\nProcesses: 1, 1.0 kB\na⏎b`, 'Not ended: [it] (command:x)']);
});

test('an end is asked for only of a job that is in the list now', async () => {
  answers({ scan: { jobs: left }, plan: { incidents: [incident(null, 2)] } });
  await looked();
  seen.press = 'End';
  for (const wrong of [undefined, null, 'a1', {}, { id: 'a9' }, { id: 'a1 & calc' }, { id: ['a1'] }])
    await run('curfew.end', wrong);
  expect([asked(), seen.said]).toEqual([[], []]);
});

test('the command gets what it needs of the environment, in the folder of the user', async () => {
  answers({ scan: { jobs: [] } });
  writeFileSync(
    join(folder, 'curfew'),
    `#!/bin/sh\npwd > '${folder}/where'\nenv >> '${folder}/where'\ncat '${folder}/scan'\n`,
  );
  vi.stubEnv('NODE_OPTIONS', '--no-warnings');
  vi.stubEnv('CLAUDECODE', '1');
  vi.stubEnv('CURFEW_HOME', '/a/home');
  await looked();
  vi.unstubAllEnvs();
  const [where, ...environment] = readFileSync(join(folder, 'where'), 'utf8').split('\n');
  expect(where).toBe(realpathSync(homedir()));
  const names = environment.map((line) => line.split('=', 1)[0]);
  expect(environment).toContain('CURFEW_HOME=/a/home');
  expect(names).toContain('PATH');
  expect(names).not.toContain('NODE_OPTIONS');
  expect(names).not.toContain('CLAUDECODE');
});

test('what Curfew spares is said, and no end is asked for', async () => {
  answers({ scan: { jobs: left }, plan: { incidents: [incident('spared', 0)] } });
  await looked();
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

test.each([1e10, 'soon'])('it looks again later where the setting says %j, not at once', async (given) => {
  answers({ scan: { jobs: [] } });
  seen.settings.set('everySeconds', given);
  onTestFinished(() => void seen.settings.delete('everySeconds'));
  const waiting = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => waiting.mockRestore());
  activate({ subscriptions } as unknown as vscode.ExtensionContext);
  const waits = (): readonly unknown[] => waiting.mock.calls.map(([, ms]) => ms);
  await expect.poll(() => waits().some((ms) => Number(ms) > 0)).toBe(true);
  // A timer takes no more than 31 bits.
  for (const ms of waits()) expect(ms).toSatisfy((one: number) => one >= 0 && one < 2 ** 31);
});
