import { describe, expect, test } from 'vitest';
import { plainCommandOf } from '../../../app/agents/common/command-shell.ts';
import { couldBeAgent } from '../../../app/agents/contained-in.ts';
import { claimsOf, outputOf, programOf } from '../../../app/agents/signatures.ts';
import { splitCommandLine } from '../../../main/os/windows/kernel/command-line.ts';
import { windowsProgram } from '../../../app/paths/path.ts';

/** The arguments as the reader of Windows' processes gives them. */
const argvOf = (line: string): readonly string[] => {
  const [first = '', ...rest] = splitCommandLine(line);
  return [windowsProgram(first), ...rest];
};
const shellOf = (line: string) => claimsOf({ argv: argvOf(line) }, null)[0]?.shell ?? null;

const programs: readonly (readonly [string | null, string])[] = [
  ['claude-code', String.raw`"C:\Users\me\.local\bin\claude.exe" --continue`],
  ['claude-code', String.raw`C:\Users\me\AppData\Roaming\npm\node_modules\@anthropic-ai\claude-code\bin\CLAUDE.EXE`],
  [
    'claude-code',
    String.raw`"C:\Program Files\nodejs\node.exe" "C:\npm\node_modules\@anthropic-ai\claude-code\cli.js"`,
  ],
  ['codex', String.raw`"C:\Program Files\nodejs\node.exe" C:\npm\node_modules\@openai\codex\bin\codex.js exec`],
  ['codex', String.raw`C:\npm\node_modules\@openai\codex\vendor\x86_64-pc-windows-msvc\codex\codex.exe`],
  ['codex', String.raw`C:\Tools\codex-x86_64-pc-windows-msvc.exe`],
  ['copilot', String.raw`node C:\Users\me\AppData\Roaming\npm\node_modules\@GitHub\Copilot\index.js`],
  ['gemini', String.raw`"C:\Program Files\nodejs\node.exe" C:/npm/node_modules/@google/gemini-cli/bundle/gemini.js`],
  ['opencode', String.raw`C:\npm\node_modules\opencode-windows-x64\bin\opencode.exe`],
  ['cursor', String.raw`C:\Users\me\AppData\Local\Programs\cursor\Cursor.exe --type=renderer`],
  ['cursor', String.raw`C:\Users\me\AppData\Local\cursor-agent\versions\2026.01\node.exe index.js`],
  ['aider', String.raw`C:\Python312\python.exe -m aider`],
  // Around a command, and parts of one.
  [null, String.raw`C:\npm\codex-command-runner.exe --x`],
  [null, String.raw`C:\Windows\System32\findstr.exe claude C:\x\@anthropic-ai\claude-code\cli.js`],
  [null, String.raw`"C:\Program Files\Git\bin\bash.exe" -c "claude --help"`],
  [null, String.raw`C:\Windows\notepad.exe C:\Users\me\claude.exe`],
];

describe('agents themselves on Windows', () => {
  test.for(programs.map(([agent, line]) => ({ agent, line })))('$agent: $line', ({ agent, line }) => {
    expect(programOf({ argv: argvOf(line), comm: '' })).toBe(agent);
  });

  test('what could be one under another name', () => {
    const of = (line: string) => couldBeAgent('claude-code', { argv: argvOf(line), comm: 'x' });
    expect(of(String.raw`"C:\Program Files\My Claude Tools\app.exe"`)).toBe(true);
    expect(of(String.raw`C:\Users\me\AppData\Local\Claude-Next\app.exe`)).toBe(true);
    expect(of(String.raw`C:\Users\claude\work\build.exe`)).toBe(false);
    expect(of(String.raw`C:\Users\claude\AppData\Local\Other\x.exe`)).toBe(false);
  });
});

const snapshot = '/c/Users/me/.claude/shell-snapshots/snapshot-bash-1795232364193-wkirkd.sh';
const steps = String.raw`export TEMP='C:\Users\me\AppData\Local\Temp' TMP='C:\Users\me\AppData\Local\Temp' && \builtin shopt -u extglob 2>/dev/null || true`;
const end = 'pwd -P >| /c/Users/me/AppData/Local/Temp/claude-88d4-cwd';
const script = (command: string): string =>
  `source ${snapshot} 2>/dev/null || true && ${steps} && eval ${command} && ${end}`;
/** Quotes an argument as libuv does. */
const quoted = (text: string): string => `"${text.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/(\\+)$/u, '$1$1')}"`;
const bash = String.raw`"C:\Program Files\Git\bin\bash.exe" -c `;

describe('Git Bash of Claude Code', () => {
  test('the outer shell, and the inner one that repeats it', () => {
    const line = quoted(script(`'npm run dev -- --port "3000"' < /dev/null`));
    const found = { rule: 'claude-shell', command: 'npm run dev -- --port "3000"', project: null };
    expect(shellOf(`${bash}${line}`)).toEqual(found);
    expect(shellOf(String.raw`"C:\Program Files\Git\bin\..\usr\bin\bash.exe" -c ${line}`)).toEqual(found);
    expect(shellOf(String.raw`c:\msys64\usr\bin\BASH.EXE -c -l ${line}`)).toEqual(found);
  });

  test('a login shell without a snapshot', () => {
    expect(shellOf(`${bash}-l ${quoted(`${steps} && eval ls < /dev/null && ${end}`)}`)?.command).toBe('ls');
  });

  test('a long command, in pieces', () => {
    const head = String.raw`{ \builtin typeset +x '__CLAUDE_CC_COMMAND_TEXT' 2>/dev/null || \builtin true; } && { __CLAUDE_CC_COMMAND_TEXT=; for __CLAUDE_CC_COMMAND_TEXT_PIECE in "$@"; do __CLAUDE_CC_COMMAND_TEXT_PIECE=\${__CLAUDE_CC_COMMAND_TEXT_PIECE# }; done; \builtin unset -v 'x'; \builtin set --; }`;
    const eval_ = String.raw`{ \builtin [ -n "x" ] || { \builtin exit 126; }; } && 'eval' "\builtin 'unset' -v 'x'; 'eval' $x"`;
    const whole = `${head} && source ${snapshot} 2>/dev/null || true && ${steps} && ${eval_} && ${end}`;
    const pieces = [` 'echo \\\\\\a "it;  `, ` is" done' < /dev/null `];
    const line = `${bash}${quoted(whole)} /usr/bin/bash ${pieces.map(quoted).join(' ')}`;
    expect(shellOf(line)).toEqual({ rule: 'claude-shell', command: 'echo \\\\a "it; is" done', project: null });
    // A piece is missing.
    expect(shellOf(`${bash}${quoted(whole)} /usr/bin/bash ${quoted(" 'echo a ")}`)?.command).toBeNull();
    // On Linux nothing follows a script.
    expect(claimsOf({ argv: ['/bin/bash', '-c', whole, '/usr/bin/bash', " 'x' "] }, null)).toEqual([]);
  });

  test('what only mentions it is none', () => {
    const text = script(`'x' < /dev/null`);
    for (const line of [
      `${bash}${quoted(`grep -r '${text}' .`)}`,
      `${bash}${quoted(`${text} && exit 1`)}`,
      `${bash}${quoted(`echo && ${text}`)}`,
      `${bash}${quoted(text)} --noprofile`,
      String.raw`C:\Windows\System32\findstr.exe ${quoted(text)}`,
      String.raw`"C:\Program Files\nodejs\node.exe" -e ${quoted(text)}`,
    ])
      expect([line, shellOf(line)]).toEqual([line, null]);
  });
});

const settings = `try { $PSDefaultParameterValues['Out-File:Encoding'] = 'utf8' } catch {}; if ($ExecutionContext.SessionState.LanguageMode -eq 'FullLanguage') { try { $OutputEncoding = [System.Text.UTF8Encoding]::new() } catch {}; if ($null -ne $PSStyle) { try { $PSStyle.OutputRendering = 'PlainText' } catch {} } }; `;
const tail = String.raw`
; $_ec = if ($null -ne $LASTEXITCODE) { $LASTEXITCODE } elseif ($?) { 0 } else { 1 }
; (Get-Location).Path | Out-File -FilePath 'C:\Users\me\AppData\Local\Temp\claude\claude-pwd-ps-1a2b' -Encoding utf8 -NoNewline
; if ($ExecutionContext.SessionState.LanguageMode -eq 'FullLanguage') { $host.SetShouldExit($_ec) } else { exit $_ec }`;
const pwsh = String.raw`"C:\Program Files\PowerShell\7\pwsh.exe" -NoProfile -NonInteractive -ExecutionPolicy Bypass -Command `;
const launched =
  '$__claudeCodeScript = $env:CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT; $env:CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT = $null; Invoke-Expression -Command $__claudeCodeScript';

describe('PowerShell of Claude Code', () => {
  const found = (command: string | null) => ({ rule: 'claude-powershell', command, project: null });

  test('the command comes back, with its lines and quotes', () => {
    const command = `Get-ChildItem "C:\\a b\\" |\n  Where-Object { $_.Name -eq 'x' }`;
    expect(shellOf(`${pwsh}${quoted(settings + command + tail)}`)).toEqual(found(command));
    expect(shellOf(`${pwsh}${quoted(command + tail)}`)).toEqual(found(command));
    const older = String.raw`C:\Windows\System32\WindowsPowerShell\v1.0\PowerShell.exe -NoProfile -NonInteractive -Command `;
    expect(shellOf(`${older}${quoted(`${command}${tail}`)}`)).toEqual(found(command));
  });

  test('the launcher, and the shell below it, whose command stands in a variable', () => {
    const inner = `"C:\\Program Files\\PowerShell\\7\\pwsh.exe" -NoProfile -NonInteractive -ExecutionPolicy Bypass -Command "${launched}"`;
    const line = String.raw`C:\Windows\System32\cmd.exe /d /s /c ""C:\Windows\System32\chcp.com" 65001 >nul & ${inner} > "C:\Users\me\AppData\Local\Temp\claude\p\s\tasks\b1.output" 2>&1"`;
    expect(shellOf(line)).toEqual(found(null));
    expect(shellOf(inner)).toEqual(found(null));
    const given = (carried: string) =>
      claimsOf({ argv: argvOf(line) }, { CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT: carried }).map(
        ({ shell }) => shell?.command,
      );
    expect(given(`${settings}npm run dev${tail}`)).toEqual(['npm run dev']);
    expect(given(`npm run dev${tail.replaceAll('\n', '\r\n')}`)).toEqual(['npm run dev']);
    // A shell that waits for a command, and what is no script of Claude Code.
    for (const other of ['$__claudeCode = @{ Path = $env:CLAUDE_CODE_SHELL_HANDOVER_PATH }', 'secret', ''])
      expect(given(other)).toEqual([null]);
    expect(claimsOf({ argv: argvOf(line) }, null)[0]?.shell).toEqual(found(null));
  });

  test('the variable says nothing of a program that is no such shell', () => {
    const environment = { CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT: `npm run dev${tail}` };
    expect(claimsOf({ argv: argvOf('node.exe x.js') }, environment)).toEqual([]);
  });

  test('what only looks like it is none', () => {
    for (const line of [
      `${pwsh}${quoted('Get-Date')}`,
      `${pwsh}${quoted(`${settings}Get-Date`)}`,
      `${pwsh}${quoted(`Get-Date${tail}\n; Remove-Item x\n; y`)}`,
      `${pwsh}${quoted(`echo ${launched}`)}`,
      `${pwsh}-`,
      `${pwsh.replace('-NonInteractive ', '')}${quoted(`Get-Date${tail}`)}`,
      `${pwsh.replace('-Command', '-File')}${quoted(`Get-Date${tail}`)}`,
      `C:\\Windows\\System32\\cmd.exe /d /s /c "echo ${launched}"`,
      `C:\\Windows\\System32\\cmd.exe /d /s /c "notepad C:\\claude-pwd-ps-1"`,
      `C:\\Tools\\log.exe ${quoted(`Get-Date${tail}`)}`,
    ])
      expect([line, shellOf(line)]).toEqual([line, null]);
  });
});

describe('marks and files on Windows', () => {
  const session = '43c8e917-0000-4000-8000-000000000001';

  test('an output file tells of the task and the session', () => {
    const temp = 'C:/Users/me/AppData/Local/Temp';
    expect(outputOf(`${temp}/claude/0123456789abcdef/${session}/tasks/bi7eshvrw.output`)).toMatchObject({
      agent: 'claude-code',
      match: { session, task: 'bi7eshvrw', projectSlug: null },
    });
    expect(outputOf(`D:\\tmp\\claude\\C--work-shop\\${session}\\tasks\\b1.output`)?.match).toEqual({
      session,
      task: 'b1',
      projectSlug: 'C--work-shop',
    });
    expect(outputOf('C:/Users/me/.gemini/tmp/background-processes/background-412.log')?.agent).toBe('gemini');
    for (const path of [
      `${temp}/claude/p/tasks/b1.output`,
      `${temp}/claude/p/${session}/tasks/b1.output.txt`,
      `${temp}/myclaude/p/${session}/tasks/b1.output`,
      `/tmp/claude/p/${session}/tasks/b1.output`,
      'other',
      'unknown',
    ])
      expect([path, outputOf(path)]).toEqual([path, null]);
  });

  test('a variable may name a folder of a drive', () => {
    const environment = {
      AI_AGENT: 'claude-code_2-1-329_harness',
      CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: session,
      CLAUDE_PROJECT_DIR: 'c:\\work\\shop',
    };
    expect(claimsOf({ argv: ['node'] }, environment)[0]?.marker?.kind).toBe('harness');
  });

  test('a plain shell gives its command, for those to whom it is known otherwise', () => {
    const of = (line: string) => plainCommandOf(argvOf(line));
    expect(of(String.raw`C:\Windows\System32\cmd.exe /d /s /c "npm run dev"`)).toBe('npm run dev');
    expect(of(String.raw`"C:\Program Files\PowerShell\7\pwsh.exe" -NoProfile -Command "npm run dev"`)).toBe(
      'npm run dev',
    );
    expect(of('powershell.exe -nop -c ls')).toBe('ls');
    expect(of(String.raw`C:\Windows\System32\cmd.exe`)).toBeNull();
    expect(of(String.raw`C:\Windows\System32\cmd.exe /k prompt`)).toBeNull();
    expect(of(String.raw`C:\Windows\System32\cmd.exe build.cmd /c x`)).toBeNull();
    expect(of('pwsh.exe')).toBeNull();
    expect(of(String.raw`C:\x\pwsh.exe -File x.ps1 -Command y`)).toBeNull();
    expect(plainCommandOf(['/usr/bin/pwsh', '-Command', 'ls'])).toBeNull();
  });
});
