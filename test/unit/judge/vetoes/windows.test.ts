import { describe, expect, test } from 'vitest';
import { asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { UnreadPart } from '../../../../app/process/windows.ts';
import { rowOf, tableOf } from '../job-builder.ts';
import { vetoesOn, type Question } from './ask.ts';

const traits = { console: true, unsureParent: false };
const read = { windows: { debugged: false, unread: [] } };

/** A process 100 of Windows, as its reader gives it: the program's file in small letters. */
const asked = (argv: readonly string[], { row, facts, ...rest }: Question = {}): readonly string[] =>
  vetoesOn(argv, { row: { ppid: asPid(0), windows: traits, ...row }, facts: { ...read, ...facts }, ...rest });

const above = (pid: number, ppid: number, argv: readonly string[], console = true): ProcessRow =>
  rowOf(pid, argv, { ppid: asPid(ppid), windows: { ...traits, console } });

const command = ['C:/Program Files/nodejs/node', 'server.js'];

test('a command that nothing protects', () => {
  expect(asked(command)).toEqual([]);
  expect(asked(['C:/Program Files/Git/bin/bash', '-c', 'source x'], { role: { toolShell: asPid(100) } })).toEqual([]);
});

describe('by the name of the program, in any case', () => {
  test.each([
    ['C:/Windows/explorer', 'desktop'],
    ['C:/Windows/System32/svchost', 'desktop'],
    ['C:/Windows/System32/wbem/wmiprvse', 'desktop'],
    ['C:/Program Files/WindowsApps/Microsoft.WindowsTerminal/windowsterminal', 'terminal'],
    ['C:/Windows/System32/conhost', 'terminal'],
    ['openconsole', 'terminal'],
    ['C:/Program Files/ConEmu/conemu64', 'terminal'],
    ['C:/Program Files/Git/usr/bin/mintty', 'terminal'],
    ['alacritty', 'terminal'],
    ['wezterm-gui', 'terminal'],
    ['WezTerm', 'terminal'],
    ['C:/Users/me/AppData/Local/Programs/Microsoft VS Code/code', 'editor'],
    ['Cursor', 'editor'],
    ['C:/Program Files/Microsoft Visual Studio/2022/Common7/IDE/devenv', 'editor'],
    ['C:/Program Files/JetBrains/bin/webstorm64', 'editor'],
    ['notepad++', 'editor'],
    ['windbg', 'editor'],
    ['C:/Windows/System32/wsl', 'shared-daemon'],
    ['wslhost', 'shared-daemon'],
    ['wslservice', 'shared-daemon'],
    ['vmmem', 'shared-daemon'],
    ['C:/Windows/System32/bash', 'shared-daemon'],
    ['VBoxSVC', 'shared-daemon'],
    ['docker desktop', 'shared-daemon'],
    ['chrome', 'shared-daemon'],
    ['curfew', 'curfew'],
  ])('%s: %s', (program, code) => {
    expect(asked([program, '-x', 'y'])).toEqual([code]);
  });

  test('and only on Windows, where it means something else elsewhere', () => {
    for (const program of ['explorer', 'services', 'svchost', 'wsl', 'wt', 'notepad', 'Cmd'])
      expect(vetoesOn([program, '-x'])).toEqual([]);
  });

  test('by what an interpreter runs, with backslashes', () => {
    const script = (path: string): readonly string[] => asked(['C:/nodejs/node', path]);
    expect(script('C:\\Users\\John Doe\\AppData\\Roaming\\npm\\node_modules\\curfew\\Curfew.js')).toEqual(['curfew']);
    expect(script('C:\\shop\\node_modules\\nx\\src\\daemon\\server\\start.js')).toEqual(['shared-daemon']);
    expect(script('C:\\shop\\my stuff\\node_modules\\eslint_d\\lib\\daemon.js')).toEqual(['shared-daemon']);
    expect(script('C:\\curfew\\server.js')).toEqual([]);
    expect(asked(['dotnet', 'C:\\Program Files\\dotnet\\sdk\\9\\MSBuild.dll', '/nologo', '/nodemode:1'])).toEqual([
      'shared-daemon',
    ]);
    expect(asked(['javaw', '-cp', 'x', 'com.intellij.idea.Main'])).toEqual(['editor']);
  });

  test('not by an argument', () => {
    expect(asked(['findstr', 'explorer.exe', 'C:\\Windows\\explorer.exe'])).toEqual([]);
    expect(asked(['node', '-e', 'explorer.exe'])).toEqual([]);
  });
});

describe('the shell in which a user works', () => {
  const open = [
    ['cmd'],
    ['C:/Windows/System32/cmd', '/k', 'npm run dev'],
    ['cmd', '/D/K', 'x'],
    ['cmd', '/q', '/d'],
    ['cmd', 'C:\\work'],
    ['powershell'],
    ['pwsh', '-NoLogo'],
    ['pwsh', '-NoProfile', '-NoExit', '-Command', 'x'],
    ['powershell', '-noe', '-c', 'x'],
    ['pwsh', '-wd', 'C:\\work'],
    ['pwsh', '-Command', '-'],
    ['pwsh', '-Unheard', 'x'],
    ['C:/Program Files/Git/usr/bin/bash', '--login', '-i'],
    ['nu'],
  ];
  test.each(open.map((argv) => [argv]))('%o', (argv) => {
    expect(asked(argv)).toEqual(['login-shell']);
    expect(asked(argv, { row: { windows: { console: false, unsureParent: false } } })).toEqual([]);
  });

  test.each([
    [['cmd', '/d', '/s', '/c', 'npm run dev']],
    [['cmd', '/d/s/c', 'x']],
    [['cmd', '/Cnpm']],
    [['powershell', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-Command', 'npm run dev']],
    [['pwsh', '-NoProfile', '-Command', 'x']],
    [['pwsh', '-f', 'a.ps1']],
    [['pwsh', 'a.ps1', '-noprofile']],
    [['powershell', '-EncodedCommand', 'eAA=']],
    [['C:/Program Files/Git/bin/bash', '-c', 'x']],
    [['bash', '-lc', 'x']],
  ])('a tool call is none: %o', (argv) => {
    expect(asked(argv)).toEqual([]);
  });
});

describe('what started it, which on Windows never changes', () => {
  const below = (rows: readonly ProcessRow[], more: Question = {}): readonly string[] =>
    asked(command, {
      ...more,
      row: { ppid: rows[0]?.pid ?? asPid(0), ...more.row },
      context: { rows: tableOf(...rows) },
    });

  test.each([
    ['Explorer', [above(12, 0, ['C:/Windows/explorer'])], 'desktop'],
    ['a batch file', [above(40, 12, ['cmd', '/c', 'a.bat']), above(12, 0, ['explorer'])], 'desktop'],
    ['the Task Scheduler', [above(20, 8, ['svchost'])], 'desktop'],
    ['WMI', [above(20, 8, ['wmiprvse'])], 'desktop'],
    ['WSL', [above(20, 8, ['wslhost'])], 'shared-daemon'],
    ['an editor', [above(40, 12, ['code', '--type=utility']), above(12, 0, ['explorer'])], 'editor'],
    ['a terminal', [above(40, 12, ['windowsterminal'])], 'terminal'],
    ['a shell of the user of which the terminal has ended', [above(40, 0, ['pwsh', '-NoLogo'])], 'terminal'],
    ['the host of a console', [above(40, 0, ['conhost', '--headless', 'x'])], 'terminal'],
  ])('%s', (_what, rows, code) => {
    expect(below(rows)).toEqual([code]);
  });

  test('an agent in between says that it is the agent’s', () => {
    expect(below([above(60, 40, ['agent']), above(40, 12, ['pwsh']), above(12, 0, ['explorer'])])).toEqual([]);
  });

  test('a tool shell in between, too, but not for what started the tool shell itself', () => {
    const rows = [above(60, 50, ['bash', '-c', 'x']), above(50, 12, ['renamed']), above(12, 0, ['explorer'])];
    expect(below(rows, { role: { toolShell: asPid(60) } })).toEqual([]);
    const typed = { role: { toolShell: asPid(100), isRoot: true } };
    expect(below([above(40, 12, ['pwsh']), above(12, 0, ['explorer'])], typed)).toEqual(['terminal']);
    expect(below([above(12, 0, ['explorer'])], typed)).toEqual(['desktop']);
    expect(below(rows.slice(1), typed)).toEqual([]);
  });

  test('a service, also one that runs as the user', () => {
    expect(below([above(8, 4, ['C:/Windows/System32/services'])])).toEqual(['service-manager']);
    expect(below([above(20, 8, ['nssm']), above(8, 4, ['services'])])).toEqual(['desktop']);
  });
});

describe('what can not be read', () => {
  test.each<[string, Question]>([
    ['which process started it', { row: { windows: { console: true, unsureParent: true } } }],
    ['its memory, by its row', { row: { windows: { console: null, unsureParent: false } } }],
    ['its command line', { row: { argv: [] } }],
    ...(['memory', 'program', 'debugger'] satisfies UnreadPart[]).map((part): [string, Question] => [
      part,
      { facts: { windows: { debugged: false, unread: [part] } } },
    ]),
  ])('%s', (_what, question) => {
    expect(asked(command, question)).toEqual(['unread']);
  });

  test('what started its parent', () => {
    const parent = rowOf(60, ['npm'], { ppid: asPid(0), windows: { console: true, unsureParent: true } });
    const ask = (toolShell: number | null): readonly string[] =>
      asked(command, {
        row: { ppid: asPid(60) },
        role: { toolShell: toolShell === null ? null : asPid(toolShell) },
        context: { rows: tableOf(parent) },
      });
    expect(ask(null)).toEqual(['unread']);
    expect(ask(60)).toEqual([]);
  });
});

test('an agent that Node runs, by its path with either slash', () => {
  const context = { isAgent: ({ argv }: ProcessRow) => argv[1]?.includes('/claude-code/cli.') === true };
  const script = String.raw`C:\Users\me\AppData\Roaming\npm\node_modules\@anthropic-ai\claude-code\cli.js`;
  expect(asked(['C:/nodejs/node', script], { context })).toEqual(['agent']);
  expect(vetoesOn(['node', script], { context })).toEqual([]);
});

test('a part of a running agent: started by it, and not apart from it', () => {
  const agent = above(60, 0, ['agent']);
  const ask = (more: Partial<ProcessRow>): readonly string[] =>
    asked(command, { row: { ppid: agent.pid, ...more }, context: { rows: tableOf(agent) } });
  expect(ask({ sid: agent.sid })).toEqual(['agent']);
  expect(ask({})).toEqual([]);
});

test('a debugger holds it', () => {
  expect(asked(command, { facts: { windows: { debugged: true, unread: [] } } })).toEqual(['traced']);
});

test('a window on the desktop, or one that may be there', () => {
  expect(asked(command, { facts: { displays: [{ at: 'the desktop', peer: null }] } })).toEqual(['window']);
});
