import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileUserRule, matchUserRule, type UserRule } from '../../../app/agents/user-rules.ts';
import { redactArguments } from '../../../app/format/secrets/redact.ts';
import { isWorkInProgress } from '../../../app/reap/grace.ts';
import { claudeCodeInstaller } from '../../../main/agents/claude-code/agent.ts';
import { opencodeInstaller } from '../../../main/agents/opencode/agent.ts';
import { codexTranscript } from '../../../main/agents/codex/records.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { parseEventFile } from '../../../main/agents/hooks/inbox/event-file.ts';
import { noticePath } from '../../../main/agents/hooks/inbox/notices.ts';

// Where paths of Windows are compared, taken apart, or asked whether they are absolute.

test('git and databases get time on Windows, too', () => {
  for (const program of [
    'C:/Program Files/Git/mingw64/bin/git',
    'C:\\Program Files\\Git\\cmd\\GIT.EXE',
    '/usr/bin/git',
  ])
    expect([program, isWorkInProgress({ argv: [program, 'push'], comm: 'x' })]).toEqual([program, true]);
  expect(isWorkInProgress({ argv: ['postgres: checkpointer'], comm: 'x' })).toBe(true);
  expect(isWorkInProgress({ argv: ['C:/tools/node', 'git'], comm: 'x' })).toBe(false);
});

test('secrets are hidden behind a program in a folder of Windows', () => {
  const secret = 'hunter2hunter2';
  for (const program of ['mysql', '/usr/bin/mysql', 'C:/mysql/bin/mysql', 'C:\\mysql\\bin\\mysql.exe'])
    expect([program, redactArguments([program, '-u', 'root', `-p${secret}`])]).not.toEqual([
      program,
      expect.stringContaining(secret),
    ]);
});

describe('rules of the user', () => {
  const matches = (rule: Partial<UserRule>, program: string, folder: string | null = null): boolean =>
    matchUserRule({ name: 'x', argv0: 'bot', argv: [], ...rule }, { argv: [program] }, () => folder);

  test('name a program of Windows in any way', () => {
    for (const argv0 of ['bot', 'Bot.exe', 'C:\\Tools\\Bot.EXE', 'c:/tools/bot'])
      expect([argv0, matches({ argv0 }, 'C:/Tools/bot')]).toEqual([argv0, true]);
    for (const argv0 of ['robot', 'C:\\Other\\bot.exe', 'bot.cmd', '/Tools/bot'])
      expect([argv0, matches({ argv0 }, 'C:/Tools/bot')]).toEqual([argv0, false]);
    expect(matches({ argv0: 'Bot' }, '/usr/bin/bot')).toBe(false);
    expect(matches({ argv0: 'bot.exe' }, '/usr/bin/bot')).toBe(false);
  });

  test('name a folder of Windows', () => {
    const rule = { project: 'c:\\work' };
    expect(matches(rule, 'bot', 'C:/Work/shop')).toBe(true);
    expect(matches(rule, 'bot', 'C:/workshop')).toBe(false);
    expect(compileUserRule({ name: 'x', argv0: 'bot', argv: [], project: 'C:\\work' }).ok).toBe(true);
    expect(compileUserRule({ name: 'x', argv0: 'bot', argv: [], project: 'work\\x' }).ok).toBe(false);
  });

  test('don’t fit every program of a shell or interpreter of Windows', () => {
    for (const argv0 of ['cmd', 'cmd.exe', 'PowerShell.exe', 'pwsh', 'Node.EXE', 'C:\\x\\node.exe'])
      expect([argv0, compileUserRule({ name: 'x', argv0, argv: [] }).ok]).toEqual([argv0, false]);
  });
});

test('folders of agents may be of a drive', () => {
  const places = {
    home: 'C:\\Users\\me',
    environment: { CLAUDE_CONFIG_DIR: 'D:\\cc\\', OPENCODE_CONFIG_DIR: 'D:\\oc' },
  };
  expect(claudeCodeInstaller.file(places)).toBe('D:\\cc/settings.json');
  expect(opencodeInstaller.folder(places)).toBe('D:\\oc');
  expect(claudeCodeInstaller.folder({ ...places, environment: { CLAUDE_CONFIG_DIR: 'D:\\' } })).toBe('D:\\');
  expect(claudeCodeInstaller.folder({ ...places, environment: { CLAUDE_CONFIG_DIR: 'cc\\x' } })).toBe(
    'C:\\Users\\me/.claude',
  );
});

test('an event names a project of a drive', () => {
  const of = (project: string) => {
    const record = { version: 1, agent: 'codex', event: 'stop', ancestors: [[4, null]], declaredPid: null };
    const file = parseEventFile(JSON.stringify({ ...record, session: 's', project }), 0);
    return file.kind === 'event' ? file.event.project : undefined;
  };
  expect(of('c:\\work\\shop')).toBe('C:/work/shop');
  expect(of('/home/me')).toBe('/home/me');
  expect(of('work')).toBeNull();
  expect(of('C:\\a\0b')).toBeNull();
});

test('a notice for a project of a drive lies in a folder of its letter', () => {
  const folders = hookFolders({ hooks: '/h', lock: '/l' });
  expect(noticePath(folders, 'c:\\work\\shop\\')).toBe(join(folders.notices, 'C/work/shop/.notice'));
  // On Windows what is behind a `:` is no part of the name.
  const withColon = sep === '\\' ? null : join(folders.notices, 'work/a:b/.notice');
  expect(noticePath(folders, '/work/a:b')).toBe(withColon);
  for (const project of ['C:\\', 'C:\\a\\..\\b', 'C:\\a:b', '\\\\host\\a', 'work\\x', 'C:work'])
    expect([project, noticePath(folders, project)]).toEqual([project, null]);
});

test('a transcript of Codex is known by its path', () => {
  const source =
    'C:\\Users\\me\\.codex\\sessions\\2026\\11\\21\\rollout-2026-11-21T03-52-13-43c8e917-1111-4222-8333-444455556666.jsonl';
  expect(codexTranscript({ source })).toBe(source);
});
