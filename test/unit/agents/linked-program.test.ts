import { linkSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asBootId, asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { FileClock } from '../../../main/store/file-clock.ts';
import { linkedProgramOf, mayLeadElsewhereSince, programEvidence } from '../../../main/observing/linked-program.ts';

const row = (...argv: readonly string[]): ProcessRow => ({
  pid: asPid(30),
  ppid: asPid(1),
  pgid: asGroupId(30),
  sid: asKernelSessionId(30),
  tty: 0,
  state: 'S',
  startTicks: 1,
  cpuMs: 0,
  rssBytes: 0,
  uid: 1000,
  comm: 'MainThread',
  argv,
  kernelThread: false,
});

const links = new Map([
  ['/usr/local/bin/cn', '/usr/local/lib/node_modules/@continuedev/cli/dist/cn.js'],
  ['/usr/local/bin/serve', '/usr/local/lib/node_modules/serve/build/main.js'],
  ['/home/me/bin/cn', '/home/me/tools/cn.js'],
]);
const agentOf = (...argv: readonly string[]) => linkedProgramOf(row(...argv), (path) => links.get(path) ?? null);

test('the link of a package manager leads to the package that tells the agent', () => {
  expect(agentOf('node', '/usr/local/bin/cn', '-p', 'x')).toBe('continue');
  expect(agentOf('node', '/usr/local/bin/serve')).toBeNull();
});

test('a program of the same name that leads into no such package is no agent', () => {
  expect(agentOf('node', '/home/me/bin/cn')).toBeNull();
  expect(agentOf('node', '/opt/bin/cn')).toBeNull();
  expect(agentOf('node', 'bin/cn')).toBeNull();
  expect(agentOf('python3', '/usr/local/bin/cn')).toBeNull();
  expect(agentOf('vim', '/usr/local/bin/cn')).toBeNull();
});

describe('a link in a project', () => {
  let project: string;
  /** Beside it: a folder changes with each file that is made in it. */
  let beside: string;
  let since: number;
  const at = (path: string): string => join(project, path);

  /** The clock of files. */
  const now = (): number => {
    const file = join(beside, 'clock');
    rmSync(file, { force: true });
    writeFileSync(file, '');
    return lstatSync(file).ctimeMs;
  };

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'linked-'));
    beside = mkdtempSync(join(tmpdir(), 'clock-'));
    for (const folder of ['node_modules/.bin', 'node_modules/run-all/bin', 'other/.bin', 'node_modules/aider'])
      mkdirSync(at(folder), { recursive: true });
    for (const file of ['node_modules/run-all/bin/run.js', 'node_modules/aider/aider']) writeFileSync(at(file), '');
    symlinkSync('../run-all/bin/run.js', at('node_modules/.bin/run-all'));
    symlinkSync('../../node_modules/aider/aider', at('other/.bin/run-all'));
    since = now();
    // What is done from here on is later.
    while (now() <= since);
  });
  afterEach(() => {
    for (const folder of [project, beside]) rmSync(folder, { recursive: true, force: true });
  });

  const link = 'node_modules/.bin/run-all';
  const leadsElsewhere = (): boolean => mayLeadElsewhereSince(at(link), since);
  const program = () => {
    const evidence = programEvidence(() => since);
    const one = row('node', at(link));
    return { agent: evidence.program(one), relinked: evidence.mayBeRelinked(one) };
  };

  test('leads where it led as long as nothing on the way was replaced, whatever else changes there', () => {
    expect(leadsElsewhere()).toBe(false);
    writeFileSync(at('node_modules/.bin/new'), '');
    writeFileSync(at('node_modules/run-all/bin/run.js'), 'changed');
    expect(leadsElsewhere()).toBe(false);
    expect(program()).toEqual({ agent: null, relinked: false });
  });

  test.each<[string, () => void]>([
    [
      'the link is another one',
      () => {
        rmSync(at(link));
        symlinkSync('../aider/aider', at(link));
      },
    ],
    ['another link, which was there before, has its name', () => renameSync(at('other/.bin/run-all'), at(link))],
    [
      'another link has its name as a second one',
      () => {
        rmSync(at(link));
        linkSync(at('other/.bin/run-all'), at(link));
      },
    ],
    [
      'its folder is another one, which was there before',
      () => {
        renameSync(at('node_modules/.bin'), at('node_modules/.old'));
        renameSync(at('other/.bin'), at('node_modules/.bin'));
      },
    ],
    [
      'what it leads to is another link',
      () => {
        rmSync(at('node_modules/run-all/bin/run.js'));
        symlinkSync('../../aider/aider', at('node_modules/run-all/bin/run.js'));
      },
    ],
    [
      'a folder on its way is a link now',
      () => {
        renameSync(at('node_modules'), at('modules'));
        symlinkSync('modules', at('node_modules'));
      },
    ],
    ['it is gone', () => rmSync(at(link))],
  ])('may lead elsewhere where %s', (_how, change) => {
    change();
    expect(leadsElsewhere()).toBe(true);
  });

  test('that leads to an agent since the process began makes it one that witnesses nothing', () => {
    renameSync(at('other/.bin/run-all'), at(link));
    expect(program()).toEqual({ agent: 'aider', relinked: true });
  });

  test('that leads to one since then does so too once the clock of files is put forward', () => {
    const one = row('node', at(link));
    const clock = new FileClock(null);
    const look = (ticks: number, takenAtMs: number) =>
      clock.note({ bootId: asBootId('boot'), takenAtMs, nowTicks: one.startTicks + ticks, ticksPerSecond: 100 });
    look(0, since);
    renameSync(at('other/.bin/run-all'), at(link));
    look(100, since + 36_000_000);
    const evidence = programEvidence(({ startTicks }) => clock.startedMs(startTicks));
    expect({ agent: evidence.program(one), relinked: evidence.mayBeRelinked(one) }).toEqual({
      agent: 'aider',
      relinked: true,
    });
  });

  test('that led to an agent before makes it one that does', () => {
    renameSync(at('other/.bin/run-all'), at(link));
    since = now();
    expect(program()).toEqual({ agent: 'aider', relinked: false });
    const unknown = programEvidence(() => null);
    expect(unknown.mayBeRelinked(row('node', at(link)))).toBe(true);
    expect(unknown.mayBeRelinked(row('aider'))).toBe(false);
  });
});
