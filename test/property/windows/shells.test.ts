import * as fc from 'fast-check';
import { describe, test } from 'vitest';
import { plainCommandOf } from '../../../app/agents/common/command-shell.ts';
import { claimsOf, outputOf, programOf } from '../../../app/agents/signatures.ts';
import { splitCommandLine } from '../../../main/os/windows/kernel/command-line.ts';
import { windowsProgram } from '../../../app/paths/path.ts';

const argvOf = (line: string): readonly string[] => {
  const [first = '', ...rest] = splitCommandLine(line);
  return [windowsProgram(first), ...rest];
};
const shellOf = (line: string) => claimsOf({ argv: argvOf(line) }, null)[0]?.shell ?? null;

/** Quotes an argument as libuv does. */
const quoted = (text: string): string => `"${text.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/(\\+)$/u, '$1$1')}"`;
/** Claude Code's own quoting for a shell. */
const single = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

const awkward = fc.constantFrom(
  "'",
  '"',
  '\\',
  '\\"',
  'C:\\Program Files\\',
  '\n',
  '$env:X',
  '%PATH%',
  ' && eval ',
  ' < /dev/null',
  ' && pwd -P >| /c/x/claude-88d4-cwd',
  '\n; $_ec = 1',
  "\n; (Get-Location).Path | Out-File -FilePath 'C:\\claude-pwd-ps-1'",
  ' /usr/bin/bash ',
  '\u20AC',
);
const commandText = fc
  .array(fc.oneof(awkward, fc.string({ maxLength: 12 })), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '' && !text.includes('\0') && !text.includes('\r'));

const source = 'source /c/Users/me/.claude/shell-snapshots/snapshot-bash-1795232364193-wkirkd.sh 2>/dev/null || true';
const steps = String.raw`export TEMP='C:\Users\me\Temp' TMP='C:\Users\me\Temp'`;
const end = 'pwd -P >| /c/Users/me/Temp/claude-88d4-cwd';
const bash = String.raw`"C:\Program Files\Git\bin\bash.exe" -c `;
const tail = String.raw`
; $_ec = if ($null -ne $LASTEXITCODE) { $LASTEXITCODE } elseif ($?) { 0 } else { 1 }
; (Get-Location).Path | Out-File -FilePath 'C:\Users\me\Temp\claude-pwd-ps-1a2b' -Encoding utf8 -NoNewline
; if ($ExecutionContext.SessionState.LanguageMode -eq 'FullLanguage') { $host.SetShouldExit($_ec) } else { exit $_ec }`;
const pwsh = 'C:\\x\\pwsh.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -Command ';

describe('commands on Windows', () => {
  test('come back exactly from Git Bash', () => {
    fc.assert(
      fc.property(commandText, fc.boolean(), (command, redirected) => {
        const script = `${source} && ${steps} && eval ${single(command)}${redirected ? ' < /dev/null' : ''} && ${end}`;
        const shell = shellOf(`${bash}${quoted(script)}`);
        return shell?.rule === 'claude-shell' && shell.command === command;
      }),
      { numRuns: 1000 },
    );
  });

  test('come back exactly from Git Bash in pieces of any length', () => {
    fc.assert(
      fc.property(commandText, fc.integer({ min: 1, max: 9 }), (command, length) => {
        const text = `${single(command)} < /dev/null`;
        const pieces: string[] = [];
        // A row of backslashes and what follows it are never parted.
        for (let at = 0; at < text.length;) {
          let to = Math.min(text.length, at + length);
          while (to < text.length && text.charAt(to - 1) === '\\') to += 1;
          pieces.push(text.slice(at, to));
          at = to;
        }
        const padded = pieces.map(
          (piece) => ` ${piece.replaceAll(/\\+"?/gu, (run) => (run.endsWith('"') ? run : run + run.slice(1)))} `,
        );
        const whole = `{ __CLAUDE_CC_COMMAND_TEXT=; for x in "$@"; do :; done; } && ${source} && ${steps} && 'eval' "$x" && ${end}`;
        const shell = shellOf(`${bash}${quoted(whole)} /usr/bin/bash ${padded.map(quoted).join(' ')}`);
        return shell?.rule === 'claude-shell' && shell.command === command;
      }),
      { numRuns: 1000 },
    );
  });

  test('come back exactly from PowerShell', () => {
    fc.assert(
      fc.property(commandText, (command) => {
        const shell = shellOf(`${pwsh}${quoted(command + tail)}`);
        return shell?.rule === 'claude-powershell' && shell.command === command;
      }),
      { numRuns: 1000 },
    );
  });

  test('with anything in front or behind are no tool call’s', () => {
    fc.assert(
      fc.property(commandText, commandText, (command, more) => {
        const script = `${source} && ${steps} && eval ${single(command)} && ${end}`;
        const around = [`${more.trim()} ${script}`, `${script} ${more.trim()}`];
        return around.every((text) => text === script || shellOf(`${bash}${quoted(text)}`)?.command !== command);
      }),
      { numRuns: 300 },
    );
  });
});

test('no command line of Windows makes recognising throw, or makes agents of arguments', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'cmd.exe',
      'pwsh.exe',
      '/c',
      '-Command',
      '-c',
      '"',
      '\\\\?\\C:\\',
      'C:\\claude.exe',
      '/usr/bin/bash',
    ),
    fc.string({ maxLength: 10 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (words) => {
      const argv = argvOf(`C:\\Windows\\findstr.exe ${words.join(' ')}`);
      claimsOf({ argv: [...words] }, {});
      plainCommandOf([...words]);
      for (const one of words) outputOf(one);
      return programOf({ argv, comm: 'findstr' }) === null && claimsOf({ argv }, null).length === 0;
    }),
  );
});
