import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookEvent } from '../../../app/jobs/sessions/hook-event.ts';
import { hookFolders, type HookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { writeHookScript } from '../../../main/agents/hooks/form/hook-script.ts';
import { drainInbox } from '../../../main/agents/hooks/inbox/inbox.ts';

/** A hook script in a folder whose name needs quoting. */
export interface HookScene {
  readonly root: string;
  readonly folders: HookFolders;
  readonly close: () => void;
}

const pass = join(import.meta.dirname, '../fixtures/hook-pass.sh');

/** Writes the script. It starts test/os/fixtures/hook-pass.sh instead of the command line. */
export const hookScene = (): HookScene => {
  const root = mkdtempSync(join(tmpdir(), "curfew hook's "));
  mkdirSync(join(root, 'state'));
  const folders = hookFolders({ hooks: join(root, 'state/hooks'), lock: join(root, 'state/supervisor.lock') });
  writeHookScript(folders, { command: ['/bin/sh', pass], environment: { CURFEW_HOME: root } });
  // The pass that a hook starts may still be writing there.
  return { root, folders, close: () => rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 }) };
};

/** How a hook ended. */
export interface HookRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a hook is called. */
export interface HookCall {
  readonly agent?: string;
  readonly event: string;
  /** null: standard input is closed. */
  readonly input: string | Uint8Array | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The shell that runs the script; /bin/sh if left out. */
  readonly shell?: readonly [string, ...string[]];
}

/** HOME of hooks: this user's, since Curfew opens nothing of another's, as /root may be. */
export const ownHome = homedir();

/** Calls the hook as an agent does, with a pipe for its input. */
export const callHook = async ({ folders }: HookScene, call: HookCall): Promise<HookRun> => {
  const [shell, ...options] = call.shell ?? ['/bin/sh'];
  const words = [...options, folders.script, call.agent ?? 'claude-code', call.event];
  const closed = ['/bin/sh', '-c', 'exec "$@" <&-', 'sh', shell, ...words];
  const [file = '', ...args] = call.input === null ? closed : [shell, ...words];
  const child = spawn(file, args, {
    cwd: call.cwd ?? '/',
    env: { PATH: '/usr/bin:/bin', HOME: ownHome, ...call.env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // An agent must not mind either: what a hook doesn't read is lost.
  child.stdin.on('error', () => undefined);
  child.stdin.end(call.input ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
};

/** Events in the inbox, removed from it. */
export const drained = ({ folders }: HookScene): readonly HookEvent[] => {
  const events: HookEvent[] = [];
  drainInbox(folders, process.getuid?.() ?? 0, (more) => events.push(...more));
  return events;
};

/** Start time of a process in clock ticks, field 22 of its stat. */
export const startTicksOf = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(text.slice(text.lastIndexOf(') ') + 2).split(' ')[19]);
};
