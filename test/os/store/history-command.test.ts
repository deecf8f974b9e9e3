import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { incidentViewSchema } from '../../../app/contract/views/incident-view.ts';
import { incidentId } from '../../../app/history/incident-id.ts';
import type { Intent } from '../../../app/history/incident.ts';
import { say } from '../../../app/text/say.ts';
import { historyPlace } from '../../../main/store/history/history-design.ts';
import { recordRemovals } from '../../../main/store/history/removals.ts';
import { ended, sampleIntent, type IntentChanges, sent } from '../../unit/history/sample.ts';
import { curfewFile } from '../scene/curfew.ts';
import { emptyFolder, recordIn } from './support.ts';
import { safe } from '../../unit/safe-text.ts';

const history = (home: string, ...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [curfewFile, 'history', ...args], {
    encoding: 'utf8',
    env: { ...process.env, CURFEW_HOME: home },
    maxBuffer: 200_000_000,
  });

const removalShape = {
  at: z.iso.datetime(),
  kind: z.string(),
  what: z.unknown(),
  path: z.string(),
  files: z.number(),
  bytes: z.number(),
  why: z.unknown(),
  by: z.string(),
};

const documentSchema = z.strictObject({
  schema: z.literal(1),
  host: z.literal('local'),
  incidents: z.array(incidentViewSchema),
  removals: z.array(z.strictObject(removalShape)),
});

const minutesAgo = (minutes: number, changes: IntentChanges = {}): Intent => {
  const atMs = Date.now() - minutes * 60_000;
  return sampleIntent({ id: incidentId(atMs, minutes), atMs, ...changes });
};

/** Three incidents: a minute, an hour and a day ago. */
const home = (): string => {
  const folder = emptyFolder();
  const { journal } = recordIn(folder);
  const young = minutesAgo(1, { command: 'npm run dev' });
  const older = minutesAgo(60, {
    command: 'sleep 3600',
    agent: 'codex',
    project: safe('/home/me/tools'),
    decidedBy: 'command',
  });
  const oldest = minutesAgo(1_440, { command: '=cmd|/c calc "x"\u001B[2J', project: null });
  for (const intent of [young, older, oldest]) journal.begin(intent);
  journal.append(young.id, sent(young.atMs));
  journal.append(young.id, ended(young.atMs + 180));
  const survivor = { pid: 40, ppid: 1, startTicks: 5, args: safe('node server.js'), rssBytes: 5 };
  journal.append(older.id, ended(older.atMs + 9_000, { outcome: 'survived', survivors: [survivor] }));
  journal.close();
  return folder;
};

const commands = (result: SpawnSyncReturns<string>): readonly string[] =>
  documentSchema.parse(JSON.parse(result.stdout)).incidents.map(({ command }) => command);

describe('as one document', () => {
  test('it has every incident in the published form, newest first', () => {
    const result = history(home(), '--json');
    expect([result.status, result.stderr]).toEqual([0, '']);
    const { incidents } = documentSchema.parse(JSON.parse(result.stdout));
    expect(incidents.map(({ outcome }) => outcome)).toEqual(['reaped', 'survived', null]);
    expect(incidents[0]).toMatchObject({
      agent: 'claude-code',
      reasons: [{ code: 'owner-gone', text: 'its session ended 12 min ago' }],
      signals: [{ signal: 'TERM', target: 'group 39', pids: [39, 40], result: 'sent' }],
      freed: { processes: 2, rssBytes: 94_000_000, cameAndWent: 0, ports: [3000], locks: [] },
      tookMs: 180,
      session: '43c8e917-0000-4000-8000-000000000000',
    });
    expect(incidents[1]?.survivors).toMatchObject([{ pid: 40 }]);
  });

  test('--format json is the same', () => {
    const folder = home();
    expect(history(folder, '--format', 'json').stdout).toBe(history(folder, '--json').stdout);
  });

  test('an empty record is an empty document, and no file is created', () => {
    const folder = emptyFolder();
    const result = history(folder, '--json');
    expect(documentSchema.parse(JSON.parse(result.stdout)).incidents).toEqual([]);
    expect(existsSync(join(folder, 'history.db'))).toBe(false);
  });
});

test.each([
  [
    ['--since', '2h'],
    ['npm run dev', 'sleep 3600'],
  ],
  [['--agent', 'codex'], ['sleep 3600']],
  [['--project', 'shop'], ['npm run dev']],
  [
    ['--project', '/home/me'],
    ['npm run dev', 'sleep 3600'],
  ],
  [['--outcome', 'survived'], ['sleep 3600']],
  [['--limit', '1'], ['npm run dev']],
  [['--since', '2h', '--agent', 'claude-code', '--outcome', 'survived'], []],
])('%j chooses %j', (args, expected) => {
  expect(commands(history(home(), ...args, '--json'))).toEqual(expected);
});

test.each([
  [['--since', 'yesterday'], /--since/],
  [['--limit', '0'], /--limit/],
  [['--outcome', 'eaten'], /ended, killed/],
  [['--agent', 'nobody'], /claude-code/],
  [['--format', 'xml'], /table, json, csv/],
  [['--json', '--format', 'csv'], /exclude/],
])('%j is a wrong call, in one line', (args, words) => {
  const result = history(home(), ...args);
  expect(result.status).toBe(2);
  expect(result.stdout).toBe('');
  expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(result.stderr).toMatch(words);
});

describe('for a user', () => {
  test('it says in words what was ended, its owner, why, and the outcome, within 100 columns', () => {
    const result = history(home());
    expect(result.status).toBe(0);
    for (const line of result.stdout.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(100);
    const [young = '', older = '', oldest = ''] = result.stdout.split(/^(?=\d{4}-)/m);
    expect(young).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}ended +npm run dev\n/);
    expect(young).toContain('Claude Code, in shop, 2 h 3 min old: its session ended 12 min ago');
    expect(young).toContain('freed 2 processes, 94 MB and port 3000');
    expect(older).toMatch(/survived +sleep 3600\n.*Codex.*in tools.*by command/);
    expect(older).toContain('still running: 40 node server.js');
    expect(oldest).toMatch(/not finished/);
    expect(result.stdout).not.toContain('\u001B');
  });

  test('it says so if there is nothing', () => {
    expect(history(emptyFolder()).stdout).toBe('Nothing has been recorded yet.\n');
    expect(history(home(), '--outcome', 'killed').stdout).toBe('No incident matches.\n');
  });
});

const placeIn = (folder: string) => historyPlace(join(folder, 'history.db'), Date.now, () => undefined);

describe('what was removed', () => {
  const withRemovals = (): string => {
    const folder = home();
    const removal = {
      kind: 'worktree',
      what: say('worktree'),
      files: 1,
      bytes: 12,
      why: say('it has submodules'),
      by: 'person',
    } as const;
    recordRemovals(placeIn(folder), [
      { ...removal, atMs: Date.now() - 30 * 60_000, path: '/home/me/shop/.claude/worktrees/a' },
      {
        ...removal,
        atMs: Date.now() - 90 * 60_000,
        kind: 'files',
        what: 'debug logs',
        path: `/home/me/tools/token=ghp_${'0123456789'.repeat(4)}`,
        files: 3,
        by: 'command',
      },
    ]);
    return folder;
  };
  const firstLines = (text: string): readonly string[] =>
    text
      .split('\n')
      .flatMap((line) => /^\d{4}-\d\d-\d\d \d\d:\d\d {2}(.*)$/u.exec(line)?.[1]?.replaceAll(/ +/gu, ' ') ?? []);

  test('stands between what was ended, in its order, with its size, what asked for it and why', () => {
    const { stdout, stderr } = history(withRemovals());
    expect(stderr).toBe('');
    expect(firstLines(stdout).map((line) => line.slice(0, 26))).toEqual([
      'ended npm run dev',
      'removed /home/me/shop/.cla',
      'survived sleep 3600',
      'removed /home/me/tools/tok',
      'not finished =cmd|/c calc ',
    ]);
    expect(stdout).toContain('worktree, 12 B, by hand: ');
    expect(stdout).toContain('debug logs, 3 files, 12 B, by command: ');
    expect(stdout).not.toContain('ghp_0123456789');
    expect(firstLines(history(withRemovals(), '--limit', '2').stdout)).toHaveLength(2);
  });

  test('is on record where nothing was ended', () => {
    const folder = emptyFolder();
    const atMs = Date.now();
    recordRemovals(placeIn(folder), [
      {
        atMs,
        kind: 'lock',
        what: 'lock',
        path: '/shop/.git/index.lock',
        files: 1,
        bytes: 0,
        why: 'why',
        by: 'command',
      },
    ]);
    expect(firstLines(history(folder).stdout)).toEqual(['removed /shop/.git/index.lock']);
    expect(JSON.parse(history(folder, '--json').stdout)).toMatchObject({ incidents: [], removals: [{ kind: 'lock' }] });
  });
});

test('as a table for programs it runs no formula and moves no cursor', () => {
  const result = history(home(), '--format', 'csv');
  const [header = '', ...lines] = result.stdout.split('\r\n');
  expect(header.split(',').slice(0, 4)).toEqual(['at', 'id', 'host', 'agent']);
  expect(lines).toHaveLength(4);
  expect(lines[2]).toContain(`"'=cmd|/c calc ""x""␛[2J"`);
  expect(result.stdout).not.toContain('\u001B');
});

test('a reader that goes away ends it silently', async () => {
  const folder = emptyFolder();
  const { journal } = recordIn(folder);
  journal.together(() => {
    for (let number = 0; number < 3_000; number += 1) journal.begin(minutesAgo(number, { command: 'x'.repeat(500) }));
  });
  journal.close();
  const child = spawn(process.execPath, [curfewFile, 'history', '--json'], {
    env: { ...process.env, CURFEW_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += String(data)));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await once(child, 'close');
  expect([child.exitCode, errors]).toEqual([0, '']);
});

test('many incidents don’t fill memory', () => {
  const folder = emptyFolder();
  const { journal } = recordIn(folder);
  for (let part = 0; part < 10; part += 1) {
    journal.together(() => {
      for (let number = 0; number < 1_000; number += 1) {
        journal.begin(minutesAgo(part * 1_000 + number, { command: 'x'.repeat(3_000) }));
      }
    });
  }
  journal.close();
  // All of them would be over 50 MB.
  const result = spawnSync(process.execPath, ['--max-old-space-size=28', curfewFile, 'history', '--json'], {
    encoding: 'utf8',
    env: { ...process.env, CURFEW_HOME: folder },
    maxBuffer: 500_000_000,
  });
  expect([result.status, result.stderr]).toEqual([0, '']);
  expect(result.stdout.length).toBeGreaterThan(30_000_000);
  expect(commands(result)).toHaveLength(10_000);
});

test('a damaged record is reported on standard error, and only the document is on standard output', () => {
  const folder = home();
  writeFileSync(join(folder, 'history.db'), 'damaged '.repeat(1_000));
  const result = history(folder, '--json');
  expect(documentSchema.parse(JSON.parse(result.stdout)).incidents).toEqual([]);
  expect(result.stderr).toMatch(/was damaged .* set aside .*history\.corrupt-/);
  expect(result.status).toBe(0);
});

test('an unreadable record is an error, without half a document', () => {
  const folder = home();
  const { journal } = recordIn(folder);
  journal.close();
  const made = spawnSync(process.execPath, [
    '-e',
    `const { DatabaseSync } = require('node:sqlite'); new DatabaseSync(process.argv[1]).exec('PRAGMA user_version = 99')`,
    join(folder, 'history.db'),
  ]);
  expect(made.status).toBe(0);
  const result = history(folder, '--json');
  expect([result.status, result.stdout]).toEqual([3, '']);
  expect(result.stderr).toMatch(/written by a newer Curfew/);
});
