// Curfew's hook for Windows, written by "curfew hooks install". Agents have Node run it:
// curfew-hook.cjs AGENT EVENT < JSON. It notes an event of a session for Curfew and ends, always
// with status 0, and does what curfew-hook.sh does elsewhere. It needs nothing but Node, and waits
// for no other process.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const settings = /* @SETTINGS@ */ null;

/** More is no event, bytes. */
const maxBytes = 4 * 1024 * 1024;
const maxField = 4096;
const maxWaitMs = 2000;
/** A pass that was started in this time and has not looked yet takes this event too, ms. */
const startingMs = 60_000;
const closingBrace = 0x7d;

/** The JSON object in these bytes; null for none yet. Agents put a byte order mark before it. */
const objectIn = (bytes) => {
  let last = bytes.length - 1;
  while (last >= 0 && bytes[last] <= 0x20) last -= 1;
  if (bytes[last] !== closingBrace) return null;
  try {
    const text = bytes.toString('utf8').replace(/^\uFEFF/u, '');
    const event = JSON.parse(text);
    return typeof event === 'object' && event !== null ? { event, text } : null;
  } catch {
    return null;
  }
};

/** What the agent says. Some never close their end: it ends where the object does. */
const readInput = () => {
  const nothing = { event: {}, text: '' };
  // A console, on which nothing comes, or the null device.
  if (fs.fstatSync(0).isCharacterDevice()) return nothing;
  let bytes = Buffer.alloc(0);
  const part = Buffer.alloc(65_536);
  const untilMs = Date.now() + maxWaitMs;
  for (;;) {
    let count = 0;
    try {
      count = fs.readSync(0, part, 0, part.length, null);
    } catch (error) {
      // The end of a pipe is an error on Windows.
      if (error.code !== 'EAGAIN' || Date.now() > untilMs) break;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      continue;
    }
    if (count === 0) break;
    if (bytes.length < maxBytes) bytes = Buffer.concat([bytes, part.subarray(0, count)]);
    const found = objectIn(bytes);
    if (found !== null) return found;
  }
  return nothing;
};

const textOf = (value) => (typeof value === 'string' && value !== '' && value.length <= maxField ? value : undefined);

const firstLine = (file) => {
  const descriptor = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(65_536);
    return bytes.toString('utf8', 0, fs.readSync(descriptor, bytes)).split('\n')[0];
  } finally {
    fs.closeSync(descriptor);
  }
};

/**
 * Whether the process that noted itself as the supervisor is running. Signal 0 only asks: nothing
 * is sent (https://nodejs.org/api/process.html#processkillpid-signal).
 */
const isSupervised = () => {
  try {
    const { pid } = JSON.parse(firstLine(settings.supervisor));
    if (!Number.isSafeInteger(pid) || pid < 2) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Variables without which programs of Windows don't run, or don't find the user's folders. */
const passedOn =
  /^(?:appdata|comspec|computername|home|homedrive|homepath|localappdata|path|pathext|programdata|systemdrive|systemroot|temp|tmp|username|userprofile|windir)$/iu;

/**
 * Starts one pass of Curfew over what ended sessions left: in no job or console of the agent's, and
 * without its environment, so that it can't be taken for the agent's.
 */
const startPass = () => {
  const [program] = settings.arguments;
  if (!fs.existsSync(program)) return;
  try {
    fs.writeFileSync(settings.starting, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (error.code !== 'EEXIST') return;
    if (Date.now() - fs.statSync(settings.starting).mtimeMs < startingMs) return;
    fs.writeFileSync(settings.starting, '');
  }
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name)));
  const child = require('node:child_process').spawn(process.execPath, [...settings.arguments, 'hook', 'pass'], {
    cwd: path.parse(process.execPath).root,
    env: { ...environment, ...settings.environment },
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', () => undefined);
  child.unref();
};

/**
 * Only the needed fields are kept, not what else an agent tells its hooks (prompts, files, output).
 * Whole or not at all: a reader takes no file with a point in front.
 */
const noteEvent = (agent, event, told) => {
  const pid = /^\d{1,10}$/u.test(process.env.CLAUDE_PID ?? '') ? Number(process.env.CLAUDE_PID) : null;
  const record = {
    version: 1,
    agent,
    event,
    ancestors: [[process.ppid, null]],
    declaredPid: pid,
    session: textOf(told.session_id) ?? textOf(told.sessionId) ?? textOf(told.conversation_id),
    project: textOf(told.cwd),
    source: event === 'session-start' ? textOf(told.source) : undefined,
    reason: event === 'session-end' ? textOf(told.reason) : undefined,
    task: event === 'tool' ? textOf(told.tool_response?.backgroundTaskId) : undefined,
  };
  if (record.session === undefined) return;
  const tasks = event === 'stop' && Array.isArray(told.background_tasks) ? told.background_tasks : null;
  const second = tasks === null ? '' : `${JSON.stringify({ background_tasks: tasks })}\n`;
  const name = `${process.pid}-${Date.now()}`;
  const fresh = path.join(settings.inbox, `.${name}`);
  try {
    fs.writeFileSync(fresh, `${JSON.stringify(record)}\n${second}`, { flag: 'wx', mode: 0o600 });
    fs.renameSync(fresh, path.join(settings.inbox, `${name}.event`));
  } catch {
    fs.rmSync(fresh, { force: true });
  }
};

/** Below which folder of notices a project's stands; null for what is no plain path. */
const noticeOf = (folder) => {
  const plain = folder.replaceAll('\\', '/').replace(/\/$/u, '');
  const found = /^(?:(?<drive>[A-Za-z]):|(?=\/))\/?(?<rest>[^:]*)$/u.exec(plain);
  const parts = found === null ? [''] : found.groups.rest.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return null;
  const drive = found.groups.drive === undefined ? [] : [found.groups.drive.toUpperCase()];
  return path.join(settings.notices, ...drive, ...parts, '.notice');
};

/** What was ended in this project since its last session, written beforehand: it is told once. */
const sessionAnswer = (agent) => {
  const around = settings.sessionAnswers[agent];
  const notice = noticeOf(process.env.CLAUDE_PROJECT_DIR ?? process.cwd());
  if (around === undefined || notice === null || !fs.existsSync(notice)) return null;
  const own = `${notice}.${process.pid}`;
  fs.renameSync(notice, own);
  const line = firstLine(own);
  fs.rmSync(own, { force: true });
  return line === '' ? null : around.join(line);
};

/**
 * What no rule of the guard can concern is answered here: every call of Claude Code that starts
 * nothing in the background and has neither "<", nor an "&" by itself, nor a kill, a loop, or a
 * redirection with something like "echo" behind it. See curfew-hook.sh.
 */
const mayConcernGuard = (agent, text) =>
  agent !== 'claude-code' ||
  /\\u00|"run_in_background": ?true|kill|until|while|<|[^&>]&[^&>]|>[^]*(?:echo|printf|cd|sleep|exit|export)/u.test(
    text,
  );

/** Whether the guard has answered. Without an answer the command runs as it is. */
const askGuard = (agent, text) => {
  if (!settings.guarded.includes(agent) || text === '' || !mayConcernGuard(agent, text)) return false;
  if (!fs.existsSync(settings.guard)) return false;
  // Some agents take a repository's .env for their own: where Curfew is was noted at installation.
  for (const name of ['CURFEW_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME']) delete process.env[name];
  Object.assign(process.env, settings.environment);
  process.argv = [process.argv[0], settings.guard, agent];
  globalThis[Symbol.for('curfew.guard.told')] = text;
  require('node:module').enableCompileCache?.(settings.cache);
  require(settings.guard);
  return true;
};

/** Returns the answer; undefined: it was given already. */
const answerTo = (agent, event) => {
  const { event: told, text } = readInput();
  if (event === 'pre-tool-use') return askGuard(agent, text) ? undefined : null;
  const isEnd = event === 'session-start' || event === 'session-end';
  const within = event === 'tool' || event === 'stop';
  if (!isEnd && !within && event !== 'probe') return null;
  // Without a supervisor nothing takes these, and they mean nothing later.
  if ((within && !isSupervised()) || !fs.existsSync(settings.inbox)) return null;
  noteEvent(agent, event, told);
  if (isEnd && !isSupervised()) startPass();
  return event === 'session-start' ? sessionAnswer(agent) : null;
};

/** Everything beyond ASCII is escaped: a shell in between may write in another code page. */
const ascii = (json) =>
  json.replaceAll(/[^\0-\x7F]/gu, (letter) => {
    const units = Array.from({ length: letter.length }, (_, at) => letter.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });

const [, , named = '', event = ''] = process.argv;
// Cursor can run Claude Code's hooks as its own; it wants its own answers. Any other agent may have
// the variable from a repository.
const isCursor = (process.env.CURSOR_VERSION ?? '') !== '' && (process.env.CLAUDECODE ?? '') === '';
const agent = isCursor && named === 'claude-code' ? 'cursor' : named;
let answer = null;
try {
  answer = answerTo(agent, event);
} catch {
  // The agent goes on as if there were no hook.
}
process.exitCode = 0;
try {
  const said = answer === undefined ? null : (answer ?? settings.neutral[agent]?.[event] ?? null);
  if (said !== null) fs.writeSync(1, `${ascii(said)}\n`);
} catch {
  // The agent has closed its end.
}
