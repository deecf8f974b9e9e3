import { inEnglish } from '../../../app/text/say.ts';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { logPath, openLog, type Log, type LogOptions } from '../../../main/store/files/log.ts';
import { emptyFolder, smallDisk, start } from './support.ts';

const entrySchema = z.looseObject({
  time: z.iso.datetime(),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  pid: z.number(),
  message: z.string(),
});
type Entry = z.infer<typeof entrySchema>;

const opened = (
  folder: string,
  options: Partial<LogOptions> = {},
): { readonly log: Log; readonly warnings: readonly string[] } => {
  const warnings: string[] = [];
  const log = openLog({ folder, redact: redactCommand, warn: (said) => warnings.push(inEnglish(said)), ...options });
  onTestFinished(() => {
    log.close();
  });
  return { log, warnings };
};

const files = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => /^curfew\.log(\.\d+)?$/.test(name));

const entriesIn = (path: string): readonly Entry[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => entrySchema.parse(JSON.parse(line)));

const allEntries = (folder: string): readonly Entry[] => files(folder).flatMap((name) => entriesIn(join(folder, name)));

test('an entry is a line of JSON, written at once and readable by the user alone', () => {
  const folder = join(emptyFolder(), 'logs');
  const { log, warnings } = opened(folder, { now: () => Date.UTC(2026, 10, 21, 2) });
  log.info('reaping', { job: '1a2b3c4d', figures: { seconds: 5 }, none: undefined, deep: [[[[[1]]]]] });
  log.error('problem', { error: new TypeError('no such job', { cause: new Error('why') }) });
  const [first, second] = entriesIn(logPath(folder));
  expect(first).toEqual({
    time: '2026-11-21T02:00:00.000Z',
    level: 'info',
    pid: process.pid,
    message: 'reaping',
    job: '1a2b3c4d',
    figures: { seconds: 5 },
    deep: [[[['…']]]],
  });
  expect(second).toMatchObject({ level: 'error', error: { name: 'TypeError', message: 'no such job' } });
  expect(JSON.stringify(second)).toContain('why');
  expect(statSync(logPath(folder)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(warnings).toEqual([]);
});

test('no secret gets into it, by message, field, list, error or name of a field', () => {
  const folder = emptyFolder();
  const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
  const { log } = opened(folder);
  log.info(`token ${secret}`, { command: `GITHUB_TOKEN=${secret} npm publish`, list: [{ args: secret }] });
  log.error('failed', { error: new Error(`bad ${secret}`), map: new Map([['a', secret]]) });
  const text = readFileSync(logPath(folder), 'utf8');
  expect(text).not.toContain(secret);
  expect(text).toContain('npm publish');
});

test('for any input it writes a line and throws nothing', () => {
  const folder = emptyFolder();
  const { log, warnings } = opened(folder);
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  log.info('circle', circle);
  log.info('odd', {
    big: 5n,
    f: () => 1,
    s: Symbol('x'),
    d: new Date(Number.NaN),
    long: 'x '.repeat(1_000_000),
    time: 'mine',
  });
  log.info('\uD800\n{"level":"forged"}');
  const [first, second, third] = allEntries(folder);
  expect(first?.message).toBe('circle');
  expect(second).toMatchObject({ big: '5', d: null, message: 'odd' });
  expect(second?.time).not.toBe('mine');
  expect(third?.level).toBe('info');
  expect(allEntries(folder)).toHaveLength(3);
  expect(warnings).toEqual([]);

  const trap = {
    get now(): never {
      throw new Error('trapped');
    },
  };
  log.info('trap', trap);
  expect(warnings).toHaveLength(1);
});

describe('it stays within its bounds', () => {
  test('in size and number of files, and has the newest entries', () => {
    const folder = emptyFolder();
    const { log } = opened(folder, { limits: { bytes: 2_000, files: 3 } });
    for (let number = 0; number < 500; number += 1) log.info('entry', { number });
    expect(files(folder).toSorted()).toEqual(['curfew.log', 'curfew.log.1', 'curfew.log.2']);
    for (const name of files(folder)) expect(statSync(join(folder, name)).size).toBeLessThan(2_500);
    expect(entriesIn(logPath(folder)).at(-1)).toMatchObject({ number: 499 });
    const numbers = ['curfew.log.2', 'curfew.log.1', 'curfew.log'].flatMap((name) =>
      entriesIn(join(folder, name)).map((entry) => entry['number']),
    );
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 500 - numbers.length + index));
  });

  test('with several processes at once, none of which loses a line', async () => {
    const folder = emptyFolder();
    const writers = Array.from({ length: 6 }, (_, number) => start('log', folder, String(number), '200'));
    for (const writer of writers) expect([await writer.end, writer.errors()]).toEqual([0, '']);
    const seen = allEntries(folder).map((entry) => `${String(entry['label'])}/${String(entry['number'])}`);
    expect(new Set(seen).size).toBe(6 * 200);
    expect(seen).toHaveLength(6 * 200);
    expect(files(folder).length).toBeGreaterThan(5);
  });
});

test('a killed Curfew has written everything it logged', async () => {
  const folder = emptyFolder();
  const writer = start('log', folder, '1', '1000000');
  await writer.line(() => writer.lines.length >= 30);
  writer.child.kill('SIGKILL');
  await writer.end;
  const numbers = new Set(allEntries(folder).map((entry) => entry['number']));
  const oldestKept = Math.min(...[...numbers].map(Number));
  const said = writer.lines.map(Number).filter((number) => number >= oldestKept);
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((number) => !numbers.has(number))).toEqual([]);
});

test('a log that was removed or rotated continues in a new file', () => {
  const folder = emptyFolder();
  const { log, warnings } = opened(folder);
  log.info('before');
  rmSync(logPath(folder));
  log.info('after');
  expect(allEntries(folder).map(({ message }) => message)).toEqual(['after']);
  expect(warnings).toEqual([]);
});

describe('if it can’t be written', () => {
  test('on a full disk, that is reported once, and the number of lost entries once there is space', () => {
    const disk = smallDisk(400_000);
    const { log, warnings } = opened(disk.folder);
    log.info('before');
    disk.fill();
    for (let number = 0; number < 200; number += 1) log.info('lost', { filler: 'x'.repeat(1_000) });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/can't be written: .*Curfew goes on without it; free space/);
    disk.makeRoom();
    log.info('after');
    const lines = readFileSync(logPath(disk.folder), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'));
    const [before, ...rest] = lines.map((line) => entrySchema.parse(JSON.parse(line)));
    expect(before?.message).toBe('before');
    expect(rest.at(-1)?.message).toBe('after');
    const lost = 200 - rest.filter(({ message }) => message === 'lost').length;
    expect(lost).toBeGreaterThan(150);
    expect(rest.at(-2)).toMatchObject({ message: 'entries could not be written', dropped: lost });
    expect(warnings).toHaveLength(1);
  });

  test('because a file is in the way, nothing else is disturbed', () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'logs'), 'a file');
    const { log, warnings } = opened(join(folder, 'logs'));
    log.error('lost');
    log.error('lost');
    log.close();
    expect(warnings).toHaveLength(1);
    rmSync(join(folder, 'logs'));
    mkdirSync(join(folder, 'logs'));
    log.error('kept');
    expect(allEntries(join(folder, 'logs')).map(({ message }) => message)).toEqual([
      'entries could not be written',
      'kept',
    ]);
  });
});
