import { execFile } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSettingsDocument } from '../../../main/agents/hooks/form/settings-document.ts';
import { writeTextfile } from '../../../main/publishing/textfile.ts';
import { RotatingFile } from '../../../main/store/files/log.ts';
import { writeWholeFile } from '../../../main/store/files/whole-file.ts';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';
import { curfewFile } from '../scene/curfew.ts';

const alice = 4321;

const folderOf = (owner: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-foreign-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chownSync(folder, owner, owner);
  return folder;
};

const run = (
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly said: string; readonly out: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [curfewFile, ...words],
      { env: { PATH: process.env['PATH'], ...environment } },
      (error, out, said) => resolve({ status: error === null ? 0 : Number(error.code ?? -1), said, out }),
    );
    child.stdin?.end();
  });

describe.skipIf(!manyUsers)(`root with the HOME of a user${unlessManyUsers}`, () => {
  test.each([
    ['scan'],
    ['sweep'],
    ['report'],
    ['history'],
    ['settings', 'set', 'mode', 'observe'],
    ['hooks', 'install'],
    ['run', '--', 'true'],
    ['mcp'],
  ])('opens and makes nothing, and says why: %s', async (...words) => {
    const home = folderOf(alice);
    const { status, said } = await run(words, { HOME: home });
    expect(said).toContain(`${home} belongs to the user with uid ${alice}, so nothing was opened`);
    expect(status).not.toBe(0);
    expect(readdirSync(home)).toEqual([]);
  });

  test('the same where CURFEW_HOME is the user’s, or would be made in a place of the user’s', async () => {
    const [home, own] = [folderOf(alice), folderOf(0)];
    for (const folder of [home, join(home, 'not', 'there')]) {
      const { status, said } = await run(['scan'], { HOME: own, CURFEW_HOME: folder });
      expect([status, said]).toEqual([1, expect.stringContaining('so nothing was opened')]);
    }
    expect(readdirSync(home)).toEqual([]);
  });

  test.each(['runs', 'logs'])('the same where its folder %s leads to one of the user’s', async (name) => {
    const [users, own] = [folderOf(alice), folderOf(0)];
    symlinkSync(users, join(own, name));
    const { status, said } = await run(['scan'], { HOME: own, CURFEW_HOME: own });
    expect([status, said]).toEqual([1, expect.stringContaining('so nothing was opened')]);
    expect(readdirSync(users)).toEqual([]);
  });

  // The user can lead a link to any folder of root's, also to an overlay (/proc/PID/root) of one.
  test.each([
    ['CURFEW_HOME', ''],
    ['XDG_CONFIG_HOME', 'curfew'],
    ['XDG_STATE_HOME', 'curfew'],
  ])('the same where %s names a folder that a link of the user’s leads to one of root’s', async (variable, name) => {
    const [home, own, roots] = [folderOf(alice), folderOf(0), folderOf(0)];
    symlinkSync(roots, join(home, 'curfew'));
    lchownSync(join(home, 'curfew'), alice, alice);
    const { status, said } = await run(['scan'], { HOME: own, [variable]: join(home, name === '' ? 'curfew' : '') });
    expect([status, said]).toEqual([1, expect.stringContaining('so nothing was opened')]);
    expect([...readdirSync(roots), ...readdirSync(own)]).toEqual([]);
  });

  test('the same for a folder of root’s in one of the user’s, who can put another in its place', async () => {
    const [home, own] = [folderOf(alice), folderOf(0)];
    mkdirSync(join(home, 'curfew'));
    const { status, said } = await run(['scan'], { HOME: own, CURFEW_HOME: join(home, 'curfew') });
    expect([status, said]).toEqual([1, expect.stringContaining('so nothing was opened')]);
    expect(readdirSync(join(home, 'curfew'))).toEqual([]);
  });

  test('a link of the user’s is not written through', async () => {
    const [home, roots] = [folderOf(alice), folderOf(0)];
    const precious = join(roots, 'precious');
    writeFileSync(precious, 'mine');
    const state = join(home, '.local/state/curfew');
    mkdirSync(join(state, 'logs'), { recursive: true });
    for (const path of [join(home, '.local'), join(home, '.local/state'), state]) chownSync(path, alice, alice);
    for (const name of ['status-line', 'logs/curfew.log']) symlinkSync(precious, join(state, name));
    await run(['scan'], { HOME: home });
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    expect(lstatSync(join(state, 'status-line')).isSymbolicLink()).toBe(true);
  });

  test('no code is kept behind a link of the user’s, nor old code removed there', async () => {
    const [home, roots] = [folderOf(alice), folderOf(0)];
    const names = ['mi000001', 'mi000002', 'mi000003', 'mi000004'];
    for (const name of names) mkdirSync(join(roots, 'compile-cache', name), { recursive: true });
    symlinkSync(roots, join(home, 'state'));
    const { status } = await run(['scan'], { HOME: home, CURFEW_HOME: join(home, 'state') });
    expect(status).toBe(1);
    expect(readdirSync(join(roots, 'compile-cache')).toSorted()).toEqual(names);
  });

  test('hooks of agents stay silent and neutral, and note nothing', async () => {
    const home = folderOf(alice);
    const { status, out } = await run(['hook', 'session-end', '--agent', 'claude-code'], { HOME: home });
    expect([status, out]).toEqual([0, '']);
    expect(readdirSync(home)).toEqual([]);
  });

  test('a home of root’s own is used', async () => {
    const { status } = await run(['history'], { HOME: folderOf(0) });
    expect(status).toBe(0);
  });
});

describe.skipIf(!manyUsers)(`a link from root’s own home into that of a user${unlessManyUsers}`, () => {
  const linked = (): { readonly link: string; readonly target: string } => {
    const [own, home] = [folderOf(0), folderOf(alice)];
    const target = join(home, 'settings.json');
    writeFileSync(target, '{}');
    chownSync(target, alice, alice);
    const link = join(own, 'settings.json');
    symlinkSync(target, link);
    return { link, target };
  };

  test('is not followed to settings of an agent', () => {
    const { link, target } = linked();
    expect(readSettingsDocument(link)).toMatchObject({
      kind: 'refused',
      why: { key: 'it is a link to a place of another user' },
    });
    rmSync(target);
    expect(readSettingsDocument(link)).toMatchObject({ kind: 'refused' });
  });

  test('nor are settings in a user’s folder, which CLAUDE_CONFIG_DIR names, written', async () => {
    const folder = join(folderOf(alice), '.claude');
    for (const state of ['missing', 'there']) {
      const { status, said } = await run(['hooks', 'install', 'claude-code'], {
        HOME: folderOf(0),
        CLAUDE_CONFIG_DIR: folder,
      });
      expect([state, status, said]).toEqual([state, 1, expect.stringContaining('in a place of another user')]);
      mkdirSync(folder, { recursive: true });
      chownSync(folder, alice, alice);
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  test('is not followed by a file that is written whole, nor by a log', () => {
    const { link, target } = linked();
    expect(() => writeWholeFile(link, 'x', 'linkable')).toThrow('a place of another user');
    expect(() => writeWholeFile(link, 'x')).toThrow('not a regular file');
    expect(() => new RotatingFile(link, { bytes: 100, files: 2 }).append('x\n')).toThrow('not a regular file');
    expect(readFileSync(target, 'utf8')).toBe('{}');
  });

  test('is not followed to the folder of a textfile, nor is a user’s link to a folder of root’s', () => {
    const [own, home] = [folderOf(0), folderOf(alice)];
    symlinkSync(home, join(own, 'metrics'));
    symlinkSync(own, join(home, 'roots'));
    lchownSync(join(home, 'roots'), alice, alice);
    for (const folder of [join(own, 'metrics'), join(home, 'roots')])
      expect(() => writeTextfile(join(folder, 'curfew.prom'), 'x')).toThrow('another user');
    expect(existsSync(join(home, 'curfew.prom'))).toBe(false);
    expect(existsSync(join(own, 'curfew.prom'))).toBe(false);
  });

  test('one of root’s own to a place of root’s is followed', () => {
    const [own, other] = [folderOf(0), folderOf(0)];
    symlinkSync(join(other, 'settings.json'), join(own, 'settings.json'));
    writeFileSync(join(other, 'settings.json'), '{}');
    writeWholeFile(join(own, 'settings.json'), '{"a":1}', 'linkable');
    expect(readFileSync(join(other, 'settings.json'), 'utf8')).toBe('{"a":1}');
  });
});
