import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Incident } from '../../../app/history/incident.ts';
import type { HookEvent } from '../../../app/jobs/sessions/hook-event.ts';
import { hookFolders, type HookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { writeHookScript } from '../../../main/agents/hooks/form/hook-script.ts';
import { drainInbox } from '../../../main/agents/hooks/inbox/inbox.ts';
import { queueSessionNotice } from '../../../main/agents/hooks/inbox/notices.ts';
import { StageError } from '../scene/stage-error.ts';
import { ownHome } from './hook-script.ts';

// The program that agents run on Windows needs nothing of Windows: here it runs on this system.

let root = '';
let folders: HookFolders;
/**
 * Stands for the command line: leaves a file with its arguments and the names of its environment.
 */
const pass = `const { renameSync, writeFileSync } = require('node:fs');
const written = process.env.CURFEW_HOME + '/being-written.' + process.pid;
writeFileSync(written, JSON.stringify([process.argv.slice(2), process.env]));
renameSync(written, process.env.CURFEW_HOME + '/started.' + process.pid);`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "curfew windows hook's "));
  folders = hookFolders({ hooks: join(root, 'hooks'), lock: join(root, 'supervisor.lock') });
  writeFileSync(join(root, 'curfew.js'), pass);
  writeHookScript(
    folders,
    { command: [process.execPath, join(root, 'curfew.js')], environment: { CURFEW_HOME: root } },
    'win32',
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 }));

interface Call {
  readonly agent?: string;
  readonly event: string;
  readonly input: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input is left open. */
  readonly open?: true;
}

const callHook = async ({ agent = 'claude-code', event, input, env, open }: Call) => {
  const child = spawn(process.execPath, [folders.windowsScript, agent, event], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', HOME: ownHome, SECRET: 'hunter2', ...env },
  });
  const out: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (part: Buffer) => out.push(part));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  child.stdin.write(input);
  if (open === undefined) child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: Buffer.concat(out).toString('latin1'), stderr };
};
const silent = { code: 0, stdout: '', stderr: '' };

const drained = (): readonly HookEvent[] => {
  const events: HookEvent[] = [];
  drainInbox(folders, process.getuid?.() ?? 0, (more) => events.push(...more));
  return events;
};
const supervise = (pid = process.pid): void =>
  writeFileSync(folders.supervisor, `${JSON.stringify({ pid, startTicks: 1 })}\n`);
const started = (): readonly string[] => readdirSync(root).filter((name) => name.startsWith('started.'));
const untilStarted = async (): Promise<readonly string[]> => {
  for (let waited = 0; started().length === 0; waited += 1) {
    if (waited === 1500) throw new StageError('waited in vain: a pass');
    await pause(20);
  }
  return started();
};

const start = { session_id: 's-1', cwd: 'C:\\work\\sh\u00F6p', source: 'startup', prompt: 'a secret' };

describe('events', () => {
  test('arrive, whatever stands around them and however long they are', async () => {
    supervise();
    const json = JSON.stringify(start, null, 2);
    for (const input of [json, `\uFEFF${json}`, json.replaceAll('\n', '\r\n'), `${json}\r\n`, ` ${json} \n`]) {
      expect(await callHook({ event: 'session-start', input, env: { CLAUDE_PID: '4711' } })).toEqual(silent);
      expect(drained()).toMatchObject([
        { kind: 'session-start', session: 's-1', project: 'C:/work/sh\u00F6p', source: 'startup', declaredPid: 4711 },
      ]);
    }
    const long = JSON.stringify({ ...start, output: 'x\r\n"'.repeat(500_000) });
    await callHook({ event: 'session-start', input: long });
    expect(drained()).toMatchObject([{ session: 's-1', ancestors: [{ pid: process.pid, startTicks: null }] }]);
  });

  test('of every kind keep what is needed and nothing else', async () => {
    supervise();
    const tasks = [{ id: 'b1', status: 'running', command: 'npm run dev' }];
    await callHook({ event: 'tool', input: JSON.stringify({ ...start, tool_response: { backgroundTaskId: 'b1' } }) });
    await callHook({ event: 'stop', input: JSON.stringify({ ...start, background_tasks: tasks }) });
    for (const name of readdirSync(folders.inbox))
      expect(readFileSync(join(folders.inbox, name), 'utf8')).not.toContain('secret');
    await callHook({ event: 'session-end', input: JSON.stringify({ ...start, reason: 'other' }) });
    await callHook({ agent: 'copilot', event: 'session-end', input: '{"sessionId":"s-2"}' });
    await callHook({ agent: 'cursor', event: 'session-end', input: '{"conversation_id":"s-3"}' });
    expect(drained()).toMatchObject([
      { kind: 'tool', task: 'b1' },
      { kind: 'stop', backgroundTasks: tasks },
      { kind: 'session-end', reason: 'other' },
      { session: 's-2', agent: 'copilot' },
      { session: 's-3', agent: 'cursor' },
    ]);
  });

  test('that are none leave nothing, and the agent goes on', async () => {
    supervise();
    for (const input of ['', 'x', '[]', '{', '{"session_id":7}', '\uFEFF', 'null', '{"session_id":""}'])
      expect([input, await callHook({ event: 'session-start', input })]).toEqual([input, silent]);
    expect(await callHook({ event: 'no-event', input: '{}' })).toEqual(silent);
    expect(await callHook({ agent: '../x', event: 'stop', input: JSON.stringify(start) })).toEqual(silent);
    expect(drained()).toEqual([]);
  });

  test('are taken although the agent keeps its end open', async () => {
    supervise();
    expect(await callHook({ event: 'session-start', input: JSON.stringify(start), open: true })).toEqual(silent);
    expect(drained()).toHaveLength(1);
  });

  test('within a session mean nothing without a supervisor', async () => {
    for (const event of ['tool', 'stop'])
      expect(await callHook({ event, input: JSON.stringify(start) })).toEqual(silent);
    supervise(2 ** 22 - 1);
    await callHook({ event: 'stop', input: JSON.stringify(start) });
    expect(drained()).toEqual([]);
  });

  test('nothing happens without Curfew’s folder, and agents that want an answer get one', async () => {
    rmSync(folders.inbox, { recursive: true });
    expect(await callHook({ event: 'session-end', input: JSON.stringify(start) })).toEqual(silent);
    const said = async (agent: string, event: string, env = {}) =>
      (await callHook({ agent, event, input: 'x', env })).stdout;
    expect(await said('gemini', 'stop')).toBe('{}\n');
    expect(await said('cursor', 'stop')).toBe('{}\n');
    expect(await said('cursor', 'pre-tool-use')).toBe('{"permission":"allow"}\n');
    expect(await said('claude-code', 'pre-tool-use', { CURSOR_VERSION: '2' })).toBe('{"permission":"allow"}\n');
    expect(await said('copilot', 'pre-tool-use', { CURSOR_VERSION: '2' })).toBe('');
    expect(await said('claude-code', 'pre-tool-use')).toBe('');
    expect(existsSync(folders.inbox)).toBe(false);
  });
});

describe('a pass', () => {
  test('starts at the end of a session, once, and without the agent’s environment', async () => {
    const input = JSON.stringify(start);
    await Promise.all([1, 2, 3].map(() => callHook({ event: 'session-end', input, env: { CLAUDECODE: '1' } })));
    const [name = ''] = await untilStarted();
    const [args, environment] = JSON.parse(readFileSync(join(root, name), 'utf8')) as [
      string[],
      Record<string, string>,
    ];
    expect(args).toEqual(['hook', 'pass']);
    expect(environment).toMatchObject({ CURFEW_HOME: root, HOME: ownHome, PATH: '/usr/bin:/bin' });
    expect(Object.keys(environment)).not.toContain('CLAUDECODE');
    expect(Object.keys(environment)).not.toContain('SECRET');
    expect(started()).toHaveLength(1);
  });

  test('does not start where a supervisor runs', async () => {
    supervise();
    await callHook({ event: 'session-end', input: JSON.stringify(start) });
    await pause(300);
    expect(started()).toEqual([]);
    expect(existsSync(folders.passStarting)).toBe(false);
  });
});

test('the next session is told once what was ended, in letters that every code page has', async () => {
  supervise();
  const incident = { outcome: 'reaped', command: 'npm run d\u00E9v \u{1F600}', ageSeconds: 60 } as const;
  const told = async (folder: string, agent = 'claude-code'): Promise<string> =>
    (
      await callHook({
        agent,
        event: 'session-start',
        input: JSON.stringify(start),
        env: { CLAUDE_PROJECT_DIR: folder },
      })
    ).stdout;
  for (const [project, folder] of [
    ['C:/work/shop', 'c:\\work\\shop'],
    ['C:\\work\\shop\\', 'C:/work/shop'],
    ['/home/me/shop', '/home/me/shop/'],
  ] as const) {
    expect([project, queueSessionNotice(folders, { ...incident, project } as Incident)]).toEqual([project, true]);
    expect(await told('C:\\work\\other')).toBe('');
    expect(await told(`${folder}\\..\\shop`)).toBe('');
    expect(await told(folder, 'opencode')).toBe('');
    const answer = await told(folder);
    expect(answer).toMatch(/^[\x20-\x7E]+\n$/u);
    const { hookSpecificOutput } = JSON.parse(answer) as { hookSpecificOutput: Record<string, string> };
    expect(hookSpecificOutput['hookEventName']).toBe('SessionStart');
    expect(hookSpecificOutput['additionalContext']).toContain('npm run d\u00E9v \u{1F600}');
    expect(await told(folder)).toBe('');
  }
});

describe('the guard', () => {
  const guard = `require('node:fs').writeFileSync(${JSON.stringify('GUARDED')}, JSON.stringify([process.argv[2], globalThis[Symbol.for('curfew.guard.told')], process.env.CURFEW_HOME]));`;
  const asked = (): unknown => {
    const file = join(root, 'asked');
    if (!existsSync(file)) return null;
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    rmSync(file);
    return value;
  };
  const call = (agent: string, command: string, more = {}) =>
    callHook({
      agent,
      event: 'pre-tool-use',
      input: `\uFEFF${JSON.stringify({ tool_name: 'Bash', tool_input: { command, ...more } })}`,
    });

  test('is asked in this very process, about what a rule may concern', async () => {
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'guard.cjs'), guard.replace('"GUARDED"', JSON.stringify(join(root, 'asked'))));
    await call('claude-code', 'ls -la');
    expect(asked()).toBeNull();
    for (const command of ['sleep 1 & ls', 'cat < x', 'pkill node', 'while true; do x; done', 'x > y echo'])
      expect([command, (await call('claude-code', command)).code, asked()]).toMatchObject([
        command,
        0,
        ['claude-code', expect.stringMatching(/^\{"tool_name"/u), root],
      ]);
    await call('claude-code', 'ls', { run_in_background: true });
    expect(asked()).not.toBeNull();
    await call('copilot', 'ls');
    expect(asked()).not.toBeNull();
    // What they run is for PowerShell.
    for (const agent of ['codex', 'gemini', 'cursor', 'opencode']) await call(agent, 'pkill node');
    expect(asked()).toBeNull();
  });

  test('that fails or is gone lets the command run', async () => {
    expect(await call('copilot', 'pkill node')).toEqual(silent);
    writeFileSync(join(root, 'guard.cjs'), 'throw new Error()');
    expect(await call('copilot', 'pkill node')).toEqual(silent);
  });
});
