import { inEnglish } from '../../../app/text/say.ts';
import { germanVoice } from '../../../app/text/de/voice.ts';
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sayStatusLine } from '../../../app/text/status-line.ts';
import { dropMinutes, lineSeen, looksFolder, takeMinute } from '../../../main/agents/status-line/looks.ts';
import {
  removeStatusLineScript,
  statusLineScript,
  writeStatusLineScript,
} from '../../../main/agents/status-line/script.ts';
import { readStatusLine, StatusLineFile } from '../../../main/publishing/status-line-file.ts';
import { hasShell, keepsModes } from '../../needs.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "curfew status'line-"));
});
// The script goes on in the background, and may write a file in the very moment.
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

const path = () => join(folder, 'status-line');
/** What the script starts: it notes that it ran, and with what. */
const program = (): { readonly command: [string, string]; readonly environment: Record<string, string> } => {
  const file = join(folder, 'curfew');
  writeFileSync(file, `echo "$@ $CURFEW_HOME" >>'${folder.replaceAll("'", String.raw`'\''`)}/started'\n`);
  return { command: ['/bin/sh', file], environment: { CURFEW_HOME: "a 'place" } };
};
/** What the script says; asked only where it can run. */
const printed = (): string => {
  writeStatusLineScript(folder, path(), program());
  const { stdout, stderr, status } = spawnSync('/bin/sh', [statusLineScript(folder)], {
    input: '{}',
    encoding: 'utf8',
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
};

/** How often a look was started. */
const started = (): string =>
  existsSync(join(folder, 'started')) ? readFileSync(join(folder, 'started'), 'utf8') : '';
const minutes = (): readonly string[] => readdirSync(looksFolder(path())).filter((name) => name.startsWith('minute-'));

const worthless = ['', 'nonsense', '99999999999\n', '99999999999\n\n', '1e9\ntext\n', '$(touch x)\n$(touch y)\n'];

describe('the status line', () => {
  const job = (state: 'live' | 'gone', rssBytes: number) => ({
    job: { owner: { state, evidence: '', process: null, sinceMs: null }, holds: { rssBytes } as never },
    verdict: { state: 'within' } as const,
  });

  test('counts jobs, leftovers and memory, and is empty where nothing runs', () => {
    const two = sayStatusLine([job('live', 500e6), job('gone', 600e6)]);
    expect(inEnglish(two)).toBe('2 jobs, 1 left over, 1.1 GB');
    expect(germanVoice.said(two)).toBe('2 Jobs, 1 übrig geblieben, 1,1 GB');
    expect(inEnglish(sayStatusLine([job('live', 3e6)]))).toBe('1 job, 3.0 MB');
    expect(sayStatusLine([])).toBe('');
    const living = job('live', 1);
    expect(sayStatusLine([{ ...living, job: { ...living.job, server: { standing: 'living' } } }])).toBe('');
  });

  test('is what the supervisor noted, in the command', () => {
    new StatusLineFile(path()).note('2 jobs, 1.1 GB', Date.now(), 5);
    expect(readStatusLine(path(), Date.now())).toEqual({
      kind: 'line',
      text: '2 jobs, 1.1 GB',
      english: '2 jobs, 1.1 GB',
    });
  });

  test.skipIf(!keepsModes())('is for the user alone', () => {
    new StatusLineFile(path()).note('2 jobs', Date.now(), 5);
    expect(statSync(path()).mode & 0o077).toBe(0);
  });

  test('says that it is old where no supervisor has written it lately', () => {
    new StatusLineFile(path()).note('2 jobs', Date.now() - 3_600_000, 5);
    expect(readStatusLine(path(), Date.now())).toEqual({ kind: 'old' });
  });

  test.each(worthless)('says nothing for a file with %j', (text) => {
    writeFileSync(path(), text);
    expect(readStatusLine(path(), Date.now())).toEqual({ kind: 'none' });
  });

  test('says nothing without a file', () => {
    expect(readStatusLine(path(), Date.now())).toEqual({ kind: 'none' });
  });

  test('is written again when it changes or grows old, and not before', () => {
    const file = new StatusLineFile(path());
    const now = Date.now();
    file.note('a', now, 5);
    writeFileSync(path(), 'untouched');
    file.note('a', now + 10_000, 5);
    expect(readFileSync(path(), 'utf8')).toBe('untouched');
    file.note('a', now + 40_000, 5);
    expect(readStatusLine(path(), now)).toEqual({ kind: 'line', text: 'a', english: 'a' });
    file.note('b', now + 41_000, 5);
    expect(readStatusLine(path(), now)).toEqual({ kind: 'line', text: 'b', english: 'b' });
    file.remove();
    expect(readStatusLine(path(), now)).toEqual({ kind: 'none' });
  });

  test('its script is taken away', () => {
    writeStatusLineScript(folder, path(), program());
    expect(existsSync(statusLineScript(folder))).toBe(true);
    removeStatusLineScript(folder);
    expect(existsSync(statusLineScript(folder))).toBe(false);
  });
});

// Claude Code runs it by a POSIX shell.
describe.skipIf(!hasShell())('the script of the status line', () => {
  test('says what the supervisor noted, and that it is old where none has written it lately', () => {
    const file = new StatusLineFile(path());
    file.note('2 jobs, 1.1 GB', Date.now(), 5);
    expect(printed()).toBe('2 jobs, 1.1 GB\n');
    new StatusLineFile(path()).note('2 jobs', Date.now() - 3_600_000, 5);
    expect(printed()).toBe('Curfew is not watching\n');
  });

  test('says it in the language of the supervisor, and documents keep English', () => {
    const english = { text: '2 jobs, 1.1 GB', old: 'Curfew überwacht nicht' };
    new StatusLineFile(path()).note('2 Jobs, 1,1 GB', Date.now(), 5, english);
    expect(printed()).toBe('2 Jobs, 1,1 GB\n');
    expect(readStatusLine(path(), Date.now())).toEqual({
      kind: 'line',
      text: '2 Jobs, 1,1 GB',
      english: '2 jobs, 1.1 GB',
    });
    new StatusLineFile(path()).note('2 Jobs', Date.now() - 3_600_000, 5, english);
    expect(printed()).toBe('Curfew überwacht nicht\n');
  });

  test.each(worthless)('says nothing for a file with %j', (text) => {
    writeFileSync(path(), text);
    expect(printed()).toBe('');
  });

  test('without a supervisor starts one look a minute, of all callers, and says what it saw', async () => {
    const before = Math.trunc(Date.now() / 60_000);
    const said = [printed(), printed(), printed()];
    const most = Math.trunc(Date.now() / 60_000) - before + 1;
    expect(said.join('')).toBe('');
    await expect.poll(started).toContain("statusline --look a 'place\n");
    expect(minutes().length).toBeLessThanOrEqual(most);
    await expect.poll(() => started().split('\n').length - 1).toBe(minutes().length);
    new StatusLineFile(lineSeen(path())).note('1 job, 1 left over, 3.0 MB', Date.now(), 0);
    expect(printed()).toBe('1 job, 1 left over, 3.0 MB\n');
    new StatusLineFile(lineSeen(path())).note('1 job', Date.now() - 3_600_000, 0);
    expect(printed()).toBe('');
    dropMinutes(path(), Date.now() + 3_600_000);
    expect(minutes()).toEqual([]);
  });

  test('starts none beside a supervisor, and none where it can note nothing', () => {
    new StatusLineFile(path()).note('2 jobs, 1.1 GB', Date.now(), 5);
    expect(printed()).toBe('2 jobs, 1.1 GB\n');
    expect(minutes()).toEqual([]);
    rmSync(path());
    writeFileSync(path(), '');
    expect(takeMinute(join(path(), 'below'), Date.now())).toBe(false);
  });

  // `sudo -E` keeps the user's HOME.
  test.skipIf(process.getuid?.() !== 0)(
    'starts none where the folder is another user’s (SKIPPED: only root makes such a folder)',
    () => {
      writeStatusLineScript(folder, path(), program());
      chownSync(looksFolder(path()), 65_534, 65_534);
      expect(printed()).toBe('');
      expect(takeMinute(path(), Date.now())).toBe(false);
      expect([minutes(), started()]).toEqual([[], '']);
    },
  );

  test('leaves no files of minutes that are over, where each look fails, too', async () => {
    writeStatusLineScript(folder, path(), program());
    const old = ['minute-1', 'minute-28000000'];
    for (const name of old) writeFileSync(join(looksFolder(path()), name), '');
    printed();
    await expect.poll(() => minutes().filter((name) => old.includes(name))).toEqual([]);
    for (const name of old) writeFileSync(join(looksFolder(path()), name), '');
    expect(takeMinute(path(), Date.now() + 240_000)).toBe(true);
    expect(minutes()).toHaveLength(1);
  });

  test('shares the minute with the command', () => {
    writeStatusLineScript(folder, path(), program());
    // A minute may end between the two.
    const taken = [0, 60_000].map((later) => takeMinute(path(), Date.now() + later));
    expect(taken).toEqual([true, true]);
    expect(takeMinute(path(), Date.now())).toBe(false);
    printed();
    expect(started()).toBe('');
  });
});
