import { inEnglish } from '../../../app/text/say.ts';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import { claudeCodeInstaller, claudeCodeMcp, claudeCodeStatusLine } from '../../../main/agents/claude-code/agent.ts';
import { codexMcp } from '../../../main/agents/codex/agent.ts';
import { agentParts } from '../../../main/agents/dossiers.ts';
import { changeEntry, entryState } from '../../../main/agents/entries/entry-change.ts';
import { type Entry, mcpEntry, type McpForm } from '../../../main/agents/entries/form/entry.ts';
import { geminiInstaller, geminiMcp } from '../../../main/agents/gemini/agent.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { serverEnvironment } from '../../../main/agents/hooks/form/hook-script.ts';
import { changeHooks } from '../../../main/agents/hooks/installation/hook-installation.ts';
import { opencodeMcp } from '../../../main/agents/opencode/agent.ts';
import { placesFor } from '../../../main/store/places.ts';

let root = '';
const places = () => ({ home: join(root, 'home'), environment: {} });
const folders = () => hookFolders({ hooks: join(root, 'hooks'), lock: join(root, 'supervisor.lock') });
const command = {
  command: ['/usr/bin/node', '/opt/curfew/curfew.js', 'mcp'],
  environment: { CURFEW_HOME: '/srv/cur few' },
} as const;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-entries-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const forms = agentIds.flatMap((id): readonly McpForm[] => {
  const { mcp } = agentParts[id];
  return mcp === 'none' ? [] : [mcp];
});
const entryOf = (form: McpForm, place = command): Entry => mcpEntry(form, places(), { ...place });
const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const install = (entry: Entry) => changeEntry(folders(), entry, 'install', 0);
const uninstall = (entry: Entry) => changeEntry(folders(), entry, 'uninstall', 0);
const textOf = ({ file }: Entry): string => readFileSync(file, 'utf8');

const texts = {
  json: [
    '{}',
    '{\n  // mine\n  "model": "m",\n  "mcpServers": {\n    "other": { "command": "x" }, // stays\n  },\n}\n',
    '{"a":[1,2],"mcp":{"b":{}}}',
    '{\r\n\t"x": "\\u00e9"\r\n}\r\n',
  ],
  toml: [
    '',
    '# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "x" # stays',
    'a = 1\r\n[b]\r\nc = """\r\n[mcp_servers.curfew]\r\n"""\r\n',
  ],
} as const;

describe.for(forms.map((form) => [form.agent, form] as const))('the MCP server in the settings of %s', ([, form]) => {
  test('goes in and out again, byte for byte, whatever was there', () => {
    for (const text of texts[form.format]) {
      const entry = entryOf(form);
      put(entry.file, text);
      const done = install(entry);
      expect(done).toMatchObject({ state: 'installed', changed: true, why: null });
      expect(readFileSync(done.copy ?? '', 'utf8')).toBe(text);
      expect(textOf(entry)).toContain('/opt/curfew/curfew.js');
      expect(textOf(entry)).toContain('/srv/cur few');
      expect(install(entry)).toMatchObject({ changed: false, state: 'installed' });
      expect(uninstall(entry)).toMatchObject({ state: 'absent', changed: true, why: null });
      expect(textOf(entry)).toBe(text);
    }
  });

  test('makes the file where there is none, and takes it away again', () => {
    const entry = entryOf(form);
    expect(install(entry)).toMatchObject({ state: 'installed', copy: null });
    uninstall(entry);
    expect(existsSync(entry.file)).toBe(false);
  });

  test('leaves what others changed meanwhile', () => {
    const entry = entryOf(form);
    const [before = '', ...others] = texts[form.format];
    expect(others.length).toBeGreaterThan(0);
    put(entry.file, before);
    install(entry);
    const more = form.format === 'json' ? '\n// theirs\n' : '\n[theirs]\nx = 1\n';
    put(entry.file, `${textOf(entry)}${more}`);
    uninstall(entry);
    expect(textOf(entry)).toBe(`${before}${more}`);
  });

  test('is put right after a move of Curfew, and known by another Curfew', () => {
    const old = entryOf(form, { ...command, command: ['/usr/bin/node', '/old/curfew.js', 'mcp'] as never });
    put(old.file, texts[form.format][1]);
    install(old);
    const entry = entryOf(form);
    expect(entryState(folders(), entry).state).toBe('partly');
    expect(install(entry)).toMatchObject({ state: 'installed', changed: true });
    expect(textOf(entry)).not.toContain('/old/');
    rmSync(folders().records, { recursive: true });
    expect(uninstall(entry)).toMatchObject({ state: 'absent', changed: true });
    expect(textOf(entry)).not.toContain('curfew.js');
  });

  test('of the user under the same name is left alone', () => {
    const entry = entryOf(form);
    const theirs =
      form.format === 'json'
        ? JSON.stringify(form.path.reduceRight<object>((inner, name) => ({ [name]: inner }), { curfew: { url: 'x' } }))
        : '[mcp_servers.curfew]\nurl = "x"\n';
    put(entry.file, theirs);
    for (const wish of [install, uninstall]) {
      const { changed, why } = wish(entry);
      expect(changed).toBe(false);
      expect(inEnglish(why ?? '')).toContain('not from Curfew');
      expect(textOf(entry)).toBe(theirs);
    }
  });

  test('is not put into what can’t be parsed', () => {
    const entry = entryOf(form);
    put(entry.file, '{ [broken');
    const { changed, why } = install(entry);
    expect(changed).toBe(false);
    expect(inEnglish(why ?? '')).toContain('can’t be parsed');
    expect(textOf(entry)).toBe('{ [broken');
  });
});

test('six agents have one', () => {
  expect(forms.map(({ agent }) => agent).toSorted()).toEqual(
    ['claude-code', 'codex', 'copilot', 'cursor', 'gemini', 'opencode'].toSorted(),
  );
});

test('Codex’s servers in one line are not torn apart', () => {
  const entry = entryOf(codexMcp);
  const text = 'mcp_servers = { other = { command = "x" } }\n';
  put(entry.file, text);
  const { changed, why } = install(entry);
  expect(changed).toBe(false);
  expect(inEnglish(why ?? '')).toContain('left alone');
  expect(textOf(entry)).toBe(text);
  expect(parseToml(text)).toBeDefined();
});

test('opencode’s file with comments is used where it is the one that is there', () => {
  put(join(root, 'home/.config/opencode/opencode.jsonc'), '{}');
  expect(entryOf(opencodeMcp).file).toContain('opencode.jsonc');
});

test('Claude Code’s file is its own, or in the folder that is named for it', () => {
  expect(normalize(claudeCodeMcp.file(places()))).toBe(join(root, 'home/.claude.json'));
  expect(claudeCodeMcp.file({ home: '/h', environment: { CLAUDE_CONFIG_DIR: '/c' } })).toBe('/c/.claude.json');
});

describe('beside hooks in the same file', () => {
  const hooks = (wish: 'install' | 'uninstall') =>
    changeHooks(
      {
        places: places(),
        folders: folders(),
        program: { command: ['/usr/bin/node', '/opt/curfew/curfew.js'], environment: {} },
        platform: 'linux',
        now: () => 0,
      },
      geminiInstaller,
      wish,
    );
  const text = '{\n  "theme": "dark"\n}\n';

  test.each([
    ['hooks', 'hooks'],
    ['hooks', 'server'],
    ['server', 'hooks'],
    ['server', 'server'],
  ])('%s first in, %s first out: byte for byte', (firstIn, firstOut) => {
    const entry = entryOf(geminiMcp);
    put(entry.file, text);
    const order = (first: string, ...steps: (() => unknown)[]) => {
      for (const step of first === 'hooks' ? steps : steps.toReversed()) step();
    };
    order(
      firstIn,
      () => hooks('install'),
      () => install(entry),
    );
    expect(textOf(entry)).toContain('curfew-hook');
    expect(entryState(folders(), entry).state).toBe('installed');
    order(
      firstOut,
      () => hooks('uninstall'),
      () => uninstall(entry),
    );
    expect(textOf(entry)).toBe(text);
  });
});

describe('the status line of Claude Code', () => {
  const entry = () => claudeCodeStatusLine(places(), join(root, "it's/curfew-statusline"));

  test('goes in and out again, byte for byte', () => {
    const text = '{\n  "model": "m"\n}';
    put(claudeCodeInstaller.file(places()), text);
    expect(install(entry())).toMatchObject({ state: 'installed', changed: true });
    expect(JSON.parse(textOf(entry()))).toMatchObject({ statusLine: { type: 'command' } });
    uninstall(entry());
    expect(textOf(entry())).toBe(text);
  });

  test('of the user is never replaced', () => {
    const text = '{"statusLine":{"type":"command","command":"my-line"}}';
    put(claudeCodeInstaller.file(places()), text);
    for (const wish of [install, uninstall]) {
      const { changed, why } = wish(entry());
      expect(changed).toBe(false);
      expect(inEnglish(why ?? '')).toContain('not from Curfew');
    }
    expect(textOf(entry())).toBe(text);
  });
});

test.each([{}, { CURFEW_HOME: '/srv/mine' }, { XDG_STATE_HOME: '/srv/state' }])(
  'a server that was installed with %o keeps its places, whatever the .env of a repository names',
  (own) => {
    const named = {
      CURFEW_HOME: '/repo/x',
      XDG_CONFIG_HOME: '/repo/x',
      XDG_STATE_HOME: '/repo/x',
      NODE_OPTIONS: '-r x',
      NODE_COMPILE_CACHE: '/repo/x',
    };
    const placesIn = (environment: Readonly<Record<string, string>>) =>
      placesFor({ platform: 'linux', environment, home: '/home/me', workingFolder: '/repo' });
    // As agents do: an entry's variables go before those of the agent.
    const environment = { ...named, ...serverEnvironment({ ...own, HOME: '/home/me' }) };
    expect(placesIn(environment)).toEqual(placesIn(own));
    expect([environment.NODE_OPTIONS, environment.NODE_COMPILE_CACHE]).toEqual(['', '']);
  },
);
