import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hookCommand } from '../../../main/agents/hooks/form/hook-script.ts';
import { createHookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { queueSessionNotice } from '../../../main/agents/hooks/inbox/notices.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { StageError } from '../scene/stage-error.ts';
import { callHook, drained, hookScene, startTicksOf, type HookScene } from './hook-script.ts';

let scene: HookScene;
beforeEach(() => {
  scene = hookScene();
});
afterEach(() => scene.close());

const start = JSON.stringify({
  session_id: 's-1',
  transcript_path: '/home/me/.claude/projects/x.jsonl',
  cwd: '/home/mé/sh"op'.replace('"', ''),
  hook_event_name: 'SessionStart',
  source: 'startup',
});

/** As the supervisor records itself; this process is alive. */
const supervise = (pid = process.pid, startTicks = startTicksOf(process.pid)): void =>
  writeFileSync(
    scene.folders.supervisor,
    `${JSON.stringify({ pid, startTicks, sinceMs: 1, what: 'watch', mode: null })}\n`,
  );

const started = (): readonly string[] => readdirSync(scene.root).filter((name) => name.startsWith('started.'));
/** Waits until this many passes were started. */
const untilStarted = async (atLeast: number): Promise<void> => {
  for (let waited = 0; started().length < atLeast; waited += 1) {
    if (waited === 3000) throw new StageError(`waited in vain: ${atLeast} passes, and there were ${started().length}`);
    await pause(20);
  }
};
const silent = { code: 0, stdout: '', stderr: '' };

const shells = (
  [['dash'], ['bash'], ['bash', '--posix'], ['busybox', 'sh'], ['ksh'], ['mksh'], ['zsh', '--emulate', 'sh']] as const
).filter(([name]) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);

describe.each(shells.map((shell) => [shell.join(' '), shell] as const))('under %s', (_, shell) => {
  test('every event arrives, and nothing is printed', async () => {
    supervise();
    for (const event of ['session-start', 'tool', 'stop', 'session-end']) {
      expect(await callHook(scene, { event, input: start, shell, env: { CLAUDE_PID: '4711' } })).toEqual(silent);
      await pause(5);
    }
    const events = drained(scene);
    expect(events.map(({ kind }) => kind)).toEqual(['session-start', 'tool', 'stop', 'session-end']);
    expect(events[0]).toMatchObject({ session: 's-1', project: '/home/mé/shop', source: 'startup', declaredPid: 4711 });
    expect(events[0]?.ancestors[0]).toEqual({ pid: process.pid, startTicks: startTicksOf(process.pid) });
  });

  test('Gemini gets JSON', async () => {
    expect(await callHook(scene, { agent: 'gemini', event: 'session-end', input: start, shell })).toEqual({
      ...silent,
      stdout: '{}\n',
    });
    expect(await callHook(scene, { agent: 'gemini', event: 'tool', input: start, shell })).toEqual({
      ...silent,
      stdout: '{}\n',
    });
  });
});

test('the session is the first one that is named, not one in what a tool was told', async () => {
  supervise();
  const told = {
    timestamp: 1,
    cwd: '/srv/shop',
    toolName: 'x',
    toolArgs: { session_id: 's-2', conversation_id: 's-3' },
  };
  for (const input of [
    JSON.stringify({ sessionId: 's-1', ...told }),
    JSON.stringify({ sessionId: 's-1', ...told }, null, 1),
  ])
    await callHook(scene, { agent: 'copilot', event: 'tool', input });
  expect(drained(scene).map(({ session }) => session)).toEqual(['s-1', 's-1']);
});

test('a hundred at once lose none while a reader takes them out', async () => {
  supervise();
  const ids: string[] = [];
  const ended = new AbortController();
  const taking = (async () => {
    while (!ended.signal.aborted) {
      ids.push(...drained(scene).map(({ session }) => session));
      await pause(1);
    }
  })();
  const runs = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      callHook(scene, {
        event: index % 2 === 0 ? 'tool' : 'session-start',
        input: JSON.stringify({ session_id: `s-${index}` }),
      }),
    ),
  );
  ended.abort();
  await taking;
  ids.push(...drained(scene).map(({ session }) => session));
  expect(runs.filter(({ code, stdout, stderr }) => code !== 0 || stdout !== '' || stderr !== '')).toEqual([]);
  expect(ids.toSorted()).toEqual(Array.from({ length: 100 }, (_, index) => `s-${index}`).toSorted());
  expect(readdirSync(scene.folders.inbox)).toEqual([]);
});

describe('failures harm no agent', () => {
  test.each([
    ['closed input', null],
    ['no input', ''],
    ['ten megabytes', `{"session_id":"big","tool_response":"${'x'.repeat(10_000_000)}"}`],
    ['ten thousand lines', `{"session_id":\n${'\n'.repeat(10_000)}"x"}`],
    ['no text', Uint8Array.from({ length: 100_000 }, (_, index) => index % 256)],
    ['no JSON', '"session_id":"`reboot`$(reboot)\'; reboot"'],
    ['quotes and breaks inside', '{"session_id":"a\\"b","cwd":"/a\\\\","reason":"x\ny"}'],
  ])('%s', async (_, input) => {
    supervise();
    for (const event of ['session-start', 'tool', 'stop', 'session-end', 'probe', 'no-such-event'])
      expect(await callHook(scene, { event, input })).toEqual(silent);
    expect(drained(scene).every(({ session }) => ['big', 'x'].includes(session))).toBe(true);
  });

  test('a disk that is full, or is read-only', async () => {
    rmSync(scene.folders.inbox, { recursive: true });
    mkdirSync(scene.folders.inbox);
    const mount = (options: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', scene.folders.inbox]);
    expect(mount('size=4k,nr_inodes=3').status).toBe(0);
    try {
      writeFileSync(join(scene.folders.inbox, 'fill'), Buffer.alloc(4096));
      expect(await callHook(scene, { event: 'session-start', input: start })).toEqual(silent);
      expect(await callHook(scene, { agent: 'gemini', event: 'session-end', input: start })).toEqual({
        ...silent,
        stdout: '{}\n',
      });
      expect(readdirSync(scene.folders.inbox)).toEqual(['fill']);
      expect(mount('ro').status).toBe(0);
      expect(await callHook(scene, { event: 'session-end', input: start })).toEqual(silent);
      expect(spawnSync('umount', [scene.folders.inbox]).status).toBe(0);
    } finally {
      spawnSync('umount', [scene.folders.inbox]);
    }
  });

  test('a folder or a program that is missing', async () => {
    rmSync(scene.folders.inbox, { recursive: true });
    expect(await callHook(scene, { event: 'session-end', input: start })).toEqual(silent);
    createHookFolders(scene.folders);
    const text = readFileSync(scene.folders.script, 'utf8').replaceAll('/fixtures/hook-pass.sh', '/nowhere');
    rmSync(scene.folders.script);
    writeFileSync(scene.folders.script, text);
    expect(await callHook(scene, { event: 'session-end', input: start })).toEqual(silent);
    expect(drained(scene)).toHaveLength(1);
  });

  test('a hook whose script was deleted', () => {
    rmSync(scene.folders.folder, { recursive: true });
    const command = hookCommand(scene.folders.script, 'claude-code', 'stop');
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { input: start, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    // Cursor refuses a command whose hook prints nothing.
    const gate = hookCommand(scene.folders.script, 'cursor', 'pre-tool-use');
    const answered = spawnSync('/bin/sh', ['-c', gate], { input: start, encoding: 'utf8' });
    expect(answered).toMatchObject({ status: 0, stdout: '{"permission":"allow"}\n', stderr: '' });
  });

  test("a script that can't be read or run", () => {
    writeFileSync(scene.folders.script, 'if then (');
    const command = hookCommand(scene.folders.script, 'claude-code', 'stop');
    expect(spawnSync('/bin/sh', ['-c', command], { input: start }).status).toBe(0);
    chmodSync(scene.folders.script, 0);
    expect(spawnSync('/bin/sh', ['-c', command], { input: start }).status).toBe(0);
  });
});

test('other data of an agent is not stored', async () => {
  supervise();
  const input = JSON.stringify({
    session_id: 's-1',
    cwd: '/p',
    prompt: 'TELLTALE',
    tool_input: { command: 'export KEY=TELLTALE' },
    tool_response: { stdout: '"session_id":"TELLTALE"', backgroundTaskId: 'b1' },
  });
  for (const event of ['session-start', 'tool', 'session-end'])
    await callHook(scene, { event, input, env: { SECRET: 'TELLTALE' } });
  const texts = readdirSync(scene.folders.inbox).map((name) => readFileSync(join(scene.folders.inbox, name), 'utf8'));
  expect(texts).toHaveLength(3);
  expect(texts.join('')).not.toContain('TELLTALE');
  expect(drained(scene).find(({ kind }) => kind === 'tool')).toMatchObject({ session: 's-1', task: 'b1' });
});

describe('the pass', () => {
  const appeared = async (): Promise<Record<string, string>> => {
    await untilStarted(1);
    const [name = ''] = started();
    return Object.fromEntries(
      readFileSync(join(scene.root, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]),
    );
  };

  test.each(['session-start', 'session-end'])(
    "is started at %s, detached and without the agent's environment",
    async (event) => {
      const env = { CLAUDECODE: '1', CLAUDE_PID: '5', AI_AGENT: 'claude-code_1_harness', ANTHROPIC_API_KEY: 'x' };
      expect(await callHook(scene, { event, input: start, env })).toEqual(silent);
      const seen = await appeared();
      const { SESSION, SELF, WHERE, ARGUMENTS, ...environment } = seen;
      expect(SESSION).toBe(SELF);
      expect(WHERE).toBe('/');
      expect(ARGUMENTS).toMatch(/-- hook pass$/);
      const ofShell = new Set(['PWD', 'OLDPWD', 'SHLVL', '_']);
      expect(
        Object.keys(environment)
          .filter((name) => !ofShell.has(name))
          .toSorted(),
      ).toEqual(['CURFEW_HOME', 'HOME', 'PATH']);
      expect(environment['CURFEW_HOME']).toBe(scene.root);
      expect(drained(scene)).toHaveLength(1);
    },
  );

  test('is not started while a supervisor runs, nor within a session', async () => {
    await callHook(scene, { event: 'stop', input: start });
    await callHook(scene, { event: 'tool', input: start });
    expect(drained(scene)).toEqual([]);
    supervise();
    for (const event of ['session-start', 'tool', 'stop', 'session-end'])
      await callHook(scene, { event, input: start });
    await pause(300);
    expect(started()).toEqual([]);
  });

  test.each([
    ['that has ended', () => supervise(4_000_000)],
    ['whose pid another process has', () => supervise(process.pid, 1)],
    ['that left no sense', () => writeFileSync(scene.folders.supervisor, 'pid')],
  ])('is started if the recorded supervisor is %s', async (_, note) => {
    note();
    await callHook(scene, { event: 'session-end', input: start });
    expect(await appeared()).toMatchObject({ WHERE: '/' });
  });
});

test('of a hundred sessions that end at once one starts a pass; the next starts another once that has begun, or never did', async () => {
  const end = async (session: string): Promise<void> => {
    expect(await callHook(scene, { event: 'session-end', input: JSON.stringify({ session_id: session }) })).toEqual(
      silent,
    );
  };
  const starts = async (atLeast: number): Promise<number> => {
    await untilStarted(atLeast);
    await pause(300);
    return started().length;
  };
  await Promise.all(Array.from({ length: 100 }, async (_, index) => end(`s-${index}`)));
  expect(await starts(1)).toBe(1);
  expect(drained(scene)).toHaveLength(100);
  rmSync(scene.folders.passStarting);
  await end('s-100');
  expect(await starts(2)).toBe(2);
  await end('s-101');
  expect(await starts(2)).toBe(2);
  utimesSync(scene.folders.passStarting, Date.now() / 1000 - 130, Date.now() / 1000 - 130);
  await end('s-102');
  expect(await starts(3)).toBe(3);
});

test('a session is told once what was ended in its project', async () => {
  supervise();
  const project = join(scene.root, 'sh öp');
  mkdirSync(project);
  queueSessionNotice(scene.folders, { project, outcome: 'reaped', command: 'say "hi\\"', ageSeconds: 60 } as Incident);
  const call = { input: start, cwd: project } as const;
  expect(await callHook(scene, { ...call, event: 'session-end' })).toEqual(silent);
  expect(await callHook(scene, { ...call, cwd: '/', event: 'session-start' })).toEqual(silent);
  // It can't be told, so it takes nothing away from the one that can.
  expect(await callHook(scene, { ...call, agent: 'opencode', event: 'session-start' })).toEqual(silent);
  const { stdout, ...rest } = await callHook(scene, {
    ...call,
    agent: 'gemini',
    event: 'session-start',
    env: { CLAUDE_PROJECT_DIR: project },
    cwd: '/',
  });
  expect(rest).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: {
      hookEventName: 'SessionStart',
      additionalContext: expect.stringContaining('`say "hi\\"` (after 1 min)') as string,
    },
  });
  expect(await callHook(scene, { ...call, event: 'session-start' })).toEqual(silent);
  expect(existsSync(join(scene.folders.notices, project, '.notice'))).toBe(false);
});
