import type { MarkerEnvironment } from '../../process/facts.ts';
import { cmdCommand, powerShellCommand } from '../common/windows-shell.ts';
import type { ShellMatch } from '../common/signature.ts';

/*
 * What Claude Code puts around a command of its PowerShell tool; read in the bundle of 2.1.329 for
 * Windows, not run. The shell is no kernel session of its own, it shares the agent's console.
 *
 * pwsh -NoProfile -NonInteractive [-ExecutionPolicy Bypass] -Command "[settings; ]<command>⏎; $_ec
 * = if … ⏎; (Get-Location).Path | Out-File -FilePath '…\claude-pwd-ps-<id>' -Encoding utf8
 * -NoNewline⏎; if … exit $_ec …"
 *
 * Or a launcher, which keeps the output in a file although the agent has ended. There the same
 * script is in a variable only, and nothing else is in that (its name is given the string that is
 * `-Command` elsewhere):
 *
 * cmd.exe /d /s /c ""C:\Windows\System32\chcp.com" 65001 >nul & "<pwsh>" … -Command
 * "$__claudeCodeScript = …" > "<output>" 2>&1"
 */

const options = ['-noprofile', '-noninteractive'];
const isOptions = (given: readonly string[]): boolean => {
  const [first, second, ...rest] = given;
  return first === options[0] && second === options[1] && ['', '-executionpolicy bypass'].includes(rest.join(' '));
};

/** Settings that stand before a command which may have something before it. */
const settings =
  "try { $PSDefaultParameterValues['Out-File:Encoding'] = 'utf8' } catch {}; if ($ExecutionContext.SessionState.LanguageMode -eq 'FullLanguage') { try { $OutputEncoding = [System.Text.UTF8Encoding]::new() } catch {}; if ($null -ne $PSStyle) { try { $PSStyle.OutputRendering = 'PlainText' } catch {} } }; ";

const tailHead = '\n; $_ec = ';
const tail =
  /^\n; \$_ec = [^\n]*\n; \(Get-Location\)\.Path \| Out-File -FilePath '(?:[^'\n]|'')*[\\/]claude-pwd-ps-[0-9A-Za-z-]{1,64}'[^\n]*(?:\n; [^\n]*)?$/u;

/** What a shell that was started by the launcher runs: the script of a variable. */
const launched =
  '$__claudeCodeScript = $env:CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT; $env:CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT = $null; Invoke-Expression -Command $__claudeCodeScript';

const path = String.raw`[A-Za-z]:\\[^"%!^&|<>\n]*`;
const beforeLaunched = new RegExp(
  String.raw`^${path}\\chcp\.com 65001 >nul & ${path} -NoProfile -NonInteractive (?:-ExecutionPolicy Bypass )?-Command $`,
  'u',
);
const afterLaunched = new RegExp(`^ > ${path} 2>&1$`, 'u');

const rule = 'claude-powershell';

/** Returns the command in what Claude Code has PowerShell run; null where it is another script. */
const commandIn = (script: string): string | null => {
  const at = script.lastIndexOf(tailHead);
  if (at === -1 || !tail.test(script.slice(at))) return null;
  const command = script.slice(0, at);
  return command.startsWith(settings) ? command.slice(settings.length) : command;
};

const wrapped = (argv: readonly string[]): { readonly command: string | null } | null => {
  const shell = powerShellCommand(argv);
  if (shell === null || !isOptions(shell.options)) return null;
  const script = shell.script.replaceAll('\r\n', '\n');
  if (script === launched) return { command: null };
  const command = commandIn(script);
  return command === null ? null : { command };
};

/** The launcher's command line holds quotes within quotes, which no splitting brings back. */
const isLauncher = (argv: readonly string[]): boolean => {
  const [before = '', after = '', ...more] = (cmdCommand(argv) ?? '').replaceAll('"', '').split(launched);
  return more.length === 0 && beforeLaunched.test(before) && afterLaunched.test(after);
};

export const launcherScriptName = 'CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT';

/** The launcher's command from its environment; null: none, or a shell that waits for one. */
export const launcherCommand = (environment: MarkerEnvironment): string | null =>
  commandIn((environment[launcherScriptName] ?? '').replaceAll('\r\n', '\n'));

/**
 * Recognises a shell of Claude Code's PowerShell tool by its whole argv, and gives back the
 * command. A shell that was started beforehand and waits for a command is none.
 */
export const claudePowerShell = (argv: readonly string[]): ShellMatch | null => {
  const found = wrapped(argv) ?? (isLauncher(argv) ? { command: null } : null);
  return found === null ? null : { rule, command: found.command, project: null };
};
