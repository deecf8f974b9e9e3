import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MetricsFile, readMetricsFile } from '../../../main/publishing/metrics-file.ts';
import { writeTextfile } from '../../../main/publishing/textfile.ts';
import { metricsToken } from '../../../main/web/token-file.ts';
import { sampleLook } from '../metrics/sample-facts.ts';

const hasModes = process.platform !== 'win32';

const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-metrics-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the textfile', () => {
  test.runIf(hasModes)('can be read by everyone, whatever the umask, and nothing is left beside it', () => {
    const folder = emptyFolder();
    const path = join(folder, 'curfew.prom');
    const before = process.umask(0o077);
    onTestFinished(() => void process.umask(before));
    writeTextfile(path, 'curfew_up 1\n');
    writeTextfile(path, 'curfew_up 0\n');
    expect(readFileSync(path, 'utf8')).toBe('curfew_up 0\n');
    expect(modeOf(path)).toBe(0o644);
    expect(readdirSync(folder)).toEqual(['curfew.prom']);
  });

  test.runIf(hasModes)('replaces a link and does not write through it', () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'precious'), 'mine');
    symlinkSync(join(folder, 'precious'), join(folder, 'curfew.prom'));
    writeTextfile(join(folder, 'curfew.prom'), 'curfew_up 1\n');
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'curfew.prom'), 'utf8')).toBe('curfew_up 1\n');
  });

  // Never a device of the machine itself: a writer that forgets to look would replace it for all.
  test.runIf(hasModes)('replaces no pipe, nor a link to a device', () => {
    const folder = emptyFolder();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    symlinkSync('/dev/null', join(folder, 'curfew.prom'));
    for (const path of [pipe, join(folder, 'curfew.prom')])
      expect(() => writeTextfile(path, 'x')).toThrow('it is a device, a pipe or a socket');
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  test('that can’t be written says what to do, and makes no folder', () => {
    const folder = emptyFolder();
    const inNone = join(folder, 'none', 'curfew.prom');
    expect(() => writeTextfile(inNone, '')).toThrow(
      `${inNone} was not written: there is no folder ${join(folder, 'none')}; make it`,
    );
    expect(readdirSync(folder)).toEqual([]);
    expect(() => writeTextfile(folder, '')).toThrow('it is a folder; name a file in it, for example curfew.prom');
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeTextfile(join(folder, 'file', 'curfew.prom'), '')).toThrow('there is no folder');
  });
});

describe('the token', () => {
  test('is made once, for the user only, and stays the same', () => {
    const path = join(emptyFolder(), 'metrics-token');
    const token = metricsToken(path);
    expect(token).toMatch(/^[\w-]{43}$/u);
    expect(metricsToken(path)).toBe(token);
    expect(readFileSync(path, 'utf8')).toBe(`${token}\n`);
    expect(hasModes ? modeOf(path) : 0o600).toBe(0o600);
    expect(metricsToken(join(emptyFolder(), 'metrics-token'))).not.toBe(token);
  });

  test.runIf(hasModes)('that others can read, or that is a link, is not used', () => {
    const folder = emptyFolder();
    const path = join(folder, 'metrics-token');
    metricsToken(path);
    for (const mode of [0o640, 0o604, 0o620, 0o666]) {
      chmodSync(path, mode);
      expect(() => metricsToken(path)).toThrow(`${path}, can't be used: other users can read or change it; remove it`);
    }
    chmodSync(path, 0o600);
    symlinkSync(path, join(folder, 'link'));
    expect(() => metricsToken(join(folder, 'link'))).toThrow('it is no regular file');
    mkdirSync(join(folder, 'folder'));
    expect(() => metricsToken(join(folder, 'folder'))).toThrow('it is no regular file');
  });

  test.each(['', 'short', 'x'.repeat(500), `two\nlines${'x'.repeat(40)}`, 'ü'.repeat(40)])(
    'of the user’s own that is none is not used: %j',
    (text) => {
      const path = join(emptyFolder(), 'metrics-token');
      writeFileSync(path, text, { mode: 0o600 });
      expect(() => metricsToken(path)).toThrow('it is not 32 to 200 letters and digits');
    },
  );
});

const facts = { ...sampleLook, lastScanMs: 1_000_000 };

describe('what a supervisor publishes', () => {
  test('counts for two minutes, or three looks where those take longer', () => {
    const path = join(emptyFolder(), 'metrics.json');
    new MetricsFile(path).note(facts, 5);
    expect(readMetricsFile(path, 1_120_000)).toEqual({ kind: 'watching', facts });
    expect(readMetricsFile(path, 1_120_001)).toEqual({ kind: 'ended', lastScanMs: 1_000_000 });
    new MetricsFile(path).note(facts, 100);
    expect(readMetricsFile(path, 1_300_000)).toEqual({ kind: 'watching', facts });
    expect(readMetricsFile(path, 1_300_001).kind).toBe('ended');
  });

  test('is written at once when a count changes, and else twice a minute', () => {
    const path = join(emptyFolder(), 'metrics.json');
    const file = new MetricsFile(path);
    const published = (): unknown => {
      const read = readMetricsFile(path, 1_000_000);
      return read.kind === 'watching' ? read.facts : read;
    };
    file.note(facts, 5);
    const heavier = { ...facts, lastScanMs: 1_029_999, jobs: facts.jobs.map((one) => ({ ...one, rssBytes: 9 })) };
    file.note(heavier, 5);
    expect(published()).toEqual(facts);
    file.note({ ...heavier, lastScanMs: 1_030_000 }, 5);
    expect(published()).toEqual({ ...heavier, lastScanMs: 1_030_000 });
    const paused = { ...heavier, lastScanMs: 1_030_001, isPaused: true };
    file.note(paused, 5);
    expect(published()).toEqual(paused);
  });

  test('ends with the supervisor, and keeps when it looked last', () => {
    const path = join(emptyFolder(), 'metrics.json');
    const file = new MetricsFile(path);
    file.end();
    expect(readMetricsFile(path, 1_000_000)).toEqual({ kind: 'never' });
    file.note(facts, 5);
    file.end();
    expect(readMetricsFile(path, 1_000_000)).toEqual({ kind: 'ended', lastScanMs: 1_000_000 });
  });

  test('from a clock that was set back since is no news', () => {
    const path = join(emptyFolder(), 'metrics.json');
    new MetricsFile(path).note(facts, 5);
    expect(readMetricsFile(path, 500_000)).toEqual({ kind: 'ended', lastScanMs: 1_000_000 });
  });

  test.each(['', '{', '[]', '{"schema":2}', '{"schema":1,"validUntilMs":9e15,"facts":{}}'])(
    'says nothing where it can’t be read: %j',
    (text) => {
      const path = join(emptyFolder(), 'metrics.json');
      writeFileSync(path, text);
      expect(readMetricsFile(path, 1_000_000)).toEqual({ kind: 'never' });
    },
  );
});
