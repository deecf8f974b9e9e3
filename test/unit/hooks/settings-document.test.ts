import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEnglish } from '../../../app/text/say.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dropEvent } from '../../../main/agents/hooks/inbox/drop-event.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import {
  readSettingsDocument,
  removeSettingsDocument,
  writeSettingsDocument,
  type SettingsDocument,
} from '../../../main/agents/hooks/form/settings-document.ts';
import { keepCopy } from '../../../main/agents/hooks/form/settings-copies.ts';
import { writeWholeFile } from '../../../main/store/files/whole-file.ts';
import { canLink } from '../../needs.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-settings-'));
  file = join(folder, 'settings.json');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const readable = (): Exclude<SettingsDocument, { kind: 'refused' }> => {
  const document = readSettingsDocument(file);
  if (document.kind === 'refused') throw new Error(inEnglish(document.why));
  return document;
};

describe('an agent’s settings that another program touches between reading and writing stay the other’s', () => {
  const expectTheirs = (before: string | null, touch: () => void): void => {
    if (before !== null) writeFileSync(file, before);
    const document = readable();
    touch();
    const files = readdirSync(folder).toSorted();
    expect(() => writeSettingsDocument(document, '{"ours": 1}')).toThrow(/changed by another program just now/);
    expect(readFileSync(file, 'utf8')).toBe('{"theirs": 1}');
    expect(readdirSync(folder).toSorted()).toEqual(files);
  };

  test.each([
    ['changed', '{}'],
    ['made', null],
  ])('%s', (_how, before) => {
    expectTheirs(before, () => writeFileSync(file, '{"theirs": 1}'));
  });

  test.skipIf(!canLink())('replaced by a link', () => {
    expectTheirs('{}', () => {
      unlinkSync(file);
      writeFileSync(join(folder, 'theirs.json'), '{"theirs": 1}');
      symlinkSync('theirs.json', file);
    });
  });

  test('deleted', () => {
    writeFileSync(file, '{}');
    const document = readable();
    unlinkSync(file);
    expect(() => writeSettingsDocument(document, '{"ours": 1}')).toThrow(/no such file|changed by another program/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.skipIf(!canLink())('settings behind links that lead in a circle are left alone, with a word about it', () => {
  symlinkSync('other.json', file);
  symlinkSync('settings.json', join(folder, 'other.json'));
  const document = readSettingsDocument(file);
  expect(document.kind).toBe('refused');
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
});

test('what can’t be put in its place leaves nothing beside it', () => {
  mkdirSync(join(file, 'in the way'), { recursive: true });
  expect(() => writeWholeFile(file, 'text')).toThrow('not a regular file');
  expect(readdirSync(folder)).toEqual(['settings.json']);

  const folders = hookFolders({ hooks: join(folder, 'hooks'), lock: join(folder, 'supervisor.lock') });
  mkdirSync(join(folders.inbox, '7-8.event', 'in the way'), { recursive: true });
  expect(() => dropEvent(folders, { pid: 7, startTicks: 8 }, 'event')).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
  expect(readdirSync(folders.inbox)).toEqual(['7-8.event']);
});

test('only what is as it was read is removed', () => {
  writeFileSync(file, '{}');
  const document = readable();
  writeFileSync(file, '{"theirs": 1}');
  expect(() => removeSettingsDocument(document)).toThrow(/changed by another program just now/);
  expect(readFileSync(file, 'utf8')).toBe('{"theirs": 1}');
  removeSettingsDocument(readable());
  expect(readdirSync(folder)).toEqual([]);
});

test('the copy that is made stays, also by a clock that was put back, and those of other files do', () => {
  const folders = hookFolders({ hooks: join(folder, 'hooks'), lock: join(folder, 'supervisor.lock') });
  const day = 86_400_000;
  const other = keepCopy(folders, 'codex-config.toml', 'other', 30 * day);
  for (let at = 20; at < 31; at += 1) keepCopy(folders, 'codex', 'before', at * day);
  expect(readdirSync(folders.copies)).toHaveLength(11);
  const latest = keepCopy(folders, 'codex', 'now', 0);
  expect(readFileSync(latest, 'utf8')).toBe('now');
  expect(readFileSync(other, 'utf8')).toBe('other');
  expect(readdirSync(folders.copies)).toHaveLength(11);
});
