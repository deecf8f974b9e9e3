import type { Said } from '../../../../app/format/said.ts';
import { win32 } from 'node:path';
import { baseName, windowsPath } from '../../../../app/paths/path.ts';
import { say } from '../../../../app/text/say.ts';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { HookCall } from '../../../../app/agents/common/hook-form.ts';
import { neutralAnswer } from './hook-program.ts';

/** How an agent is to run a hook, as it stands in its settings. */
export type HookRun =
  /** A command of `/bin/sh`. */
  | { readonly by: 'sh'; readonly command: string }
  /** A command of a shell of Windows. */
  | { readonly by: 'windows-shell'; readonly command: string }
  /** A program without a shell. */
  | { readonly by: 'program'; readonly command: string; readonly args: readonly string[] };

/**
 * What an agent runs its hooks by on Windows.
 *
 * - `program`: it starts a program and hands on arguments.
 * - `powershell`: PowerShell, of either kind.
 * - `any-shell`: PowerShell or cmd, as it finds them, and it quotes what is quoted already. A
 *   command of plain words alone is the same to both.
 * - `own`: a module of the agent's, which starts the program itself.
 * - `none`: Curfew has no hook for it there.
 */
export type RunsOnWindows = 'program' | 'powershell' | 'any-shell' | 'own' | 'none';

export interface WindowsHook {
  readonly node: string;
  readonly script: string;
  /** A path without blanks to the same folder (`C:\PROGRA~1\…`), where the system has one. */
  readonly shortPath: (path: string) => string | null;
}

/** How hooks are run, or why they can't be, as the end of a sentence. */
export type HookRuns =
  | { readonly ok: true; readonly run: (call: HookCall) => HookRun }
  | { readonly ok: false; readonly why: Said };

/** A path that is one word to cmd and PowerShell without any quotes. */
const plainWord = /^[A-Za-z]:(?:\\[\p{L}\p{N}._~+-]+)+$/u;

const wordOf = (path: string, { shortPath }: WindowsHook): string | null => {
  if (plainWord.test(path)) return path;
  // The file keeps its own name, by which a hook is known to be Curfew's.
  const short = shortPath(win32.dirname(path));
  const word = short === null ? '' : `${short}\\${baseName(windowsPath(path))}`;
  return plainWord.test(word) ? word : null;
};

/** Returns a text as one word of PowerShell, whatever is in it but its quotes. */
const quoted = (text: string): string => `'${text.replaceAll(/['\u2018-\u201B]/gu, (quote) => quote + quote)}'`;

/**
 * Returns a command of PowerShell. Without the script (Curfew's folder was deleted) it says what an
 * agent wants to hear in any case, and it ends with status 0 whatever happens: to Copilot CLI
 * another is a refusal.
 */
const powerShellRun = ({ node, script }: WindowsHook, agent: AgentId, call: HookCall): string => {
  const neutral = neutralAnswer(agent, call);
  const otherwise = neutral === null ? '' : ` else { ${quoted(neutral)} }`;
  return `if (Test-Path -LiteralPath ${quoted(script)}) { & ${quoted(node)} ${quoted(script)} ${agent} ${call} }${otherwise}; exit 0`;
};

/** Returns how an agent runs its hooks on Windows. */
export const runsOnWindows = (by: RunsOnWindows, hook: WindowsHook, agent: AgentId): HookRuns => {
  const { node, script } = hook;
  switch (by) {
    case 'program':
    case 'own':
      return { ok: true, run: (call) => ({ by: 'program', command: node, args: [script, agent, call] }) };
    case 'none':
      return { ok: false, why: say('Curfew has no hooks for this agent on Windows') };
    case 'powershell':
      return { ok: true, run: (call) => ({ by: 'windows-shell', command: powerShellRun(hook, agent, call) }) };
    case 'any-shell': {
      const words = [wordOf(node, hook), wordOf(script, hook)];
      if (words.includes(null))
        return {
          ok: false,
          why: say('the path of Node or of Curfew has blanks or signs in it, and Windows keeps no short one'),
        };
      return { ok: true, run: (call) => ({ by: 'windows-shell', command: [...words, agent, call].join(' ') }) };
    }
  }
};
