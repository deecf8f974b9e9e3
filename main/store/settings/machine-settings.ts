import { statSync } from 'node:fs';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import type { SettingsProblem } from '../../../app/settings/notice.ts';
import { parseSettings, type ParsedSettings } from '../../../app/settings/parse.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import { readJsonFile, type JsonFile } from '../files/json-file.ts';

const writableByOthers = 0o022;

/** Root's alone: what stands in it holds for every user of the machine. */
const isRoots = (path: string): boolean => {
  const { uid, mode } = statSync(path);
  return uid === 0 && (mode & writableByOthers) === 0;
};

const read = (path: string): JsonFile => {
  const file = readJsonFile(path);
  if (file.kind === 'missing' || isRoots(path)) return file;
  return { kind: 'bad', text: null, why: 'it must belong to root, and no other user may be able to write it' };
};

/**
 * Reads the operator's defaults for every user of this machine: the layer right above the compiled
 * defaults, checked like a user's own settings. If it can't be used, nothing is ended automatically
 * until it is put right: it may spare what the layers above don't name.
 * @param path of the file; null where a machine has none
 * @param shownWhy makes a reason safe to show
 */
export const readMachineSettings = (
  path: string | null,
  home: string,
  shownWhy: (why: string) => string,
): ParsedSettings => {
  const unusable = (why: string): ParsedSettings => {
    const problem: SettingsProblem = { code: 'machine-file-unusable', path: path ?? '', why: shownWhy(why) };
    return {
      settings: { ...defaultSettings, mode: 'observe' },
      notices: [{ field: null, problem }],
      forcesObserve: true,
      bad: false,
    };
  };
  try {
    const file: JsonFile = path === null ? { kind: 'missing' } : read(path);
    if (path === null || file.kind === 'missing')
      return { settings: defaultSettings, notices: [], forcesObserve: false, bad: false };
    if (file.kind === 'bad') return unusable(file.why);
    const parsed = parseSettings(file.value, defaultSettings, { home });
    const notices = parsed.notices.map(({ field, problem }) => ({
      field,
      problem: { code: 'in-machine-file', path, problem } as const,
    }));
    // Nothing of it is kept beside: it is not this user's to change.
    return { ...parsed, notices, bad: false };
  } catch (error) {
    // Removed between two calls, or behind a folder that this user may not enter.
    return unusable(messageOf(error));
  }
};
