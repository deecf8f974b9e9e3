import { blockFor } from '../../os/processes/block-for.ts';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { codeOf, messageOf } from '../../../app/format/error-message.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { type SettingsChanges, changeSettings } from '../../../app/settings/change.ts';
import { parseClaudeSettings, type ParsedSettings, parseSettings } from '../../../app/settings/parse.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import type { SettingsNotice, SettingsProblem } from '../../../app/settings/notice.ts';
import { type RawObject, asRawObject } from '../../../app/settings/raw.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { type Said, withTexts } from '../../../app/format/said.ts';
import { SaidError, joined, saidOf, say } from '../../../app/text/say.ts';
import { type SaidNotice, sayNotices } from '../../../app/text/settings/notices.ts';
import { readBoundedText } from '../../os/files/own-file.ts';
import { lockFile } from '../database/file-lock.ts';
import { type JsonFile, fileStamp, readJsonFile } from '../files/json-file.ts';
import { writeWholeFile } from '../files/whole-file.ts';
import { type Places, claudeSettingsPath, machineSettingsPath } from '../places.ts';
import { system } from '../../os/this-system.ts';

/** Returns the settings of this user, with the layers below them. */
export const userSettings = ({ settings: path }: Pick<Places, 'settings'>, home: string = homedir()): SettingsFile =>
  new SettingsFile({
    path,
    claudePath: claudeSettingsPath(home),
    machinePath: machineSettingsPath(system),
    home,
    now: Date.now,
  });

const writableByOthers = 0o022;

/** Root's alone: what stands in it holds for every user of the machine. */
const isRoots = (path: string): boolean => {
  const { uid, mode } = statSync(path);
  return uid === 0 && (mode & writableByOthers) === 0;
};

const read = (path: string): JsonFile => {
  const file = readJsonFile(path);
  if (file.kind === 'missing' || isRoots(path)) return file;
  return { kind: 'bad', text: null, why: say('it must belong to root, and no other user may be able to write it') };
};

/**
 * Reads the operator's defaults for every user of this machine: the layer right above the compiled
 * defaults, checked like a user's own settings. If it can't be used, nothing is ended automatically
 * until it is put right: it may spare what the layers above don't name.
 * @param path of the file; null where a machine has none
 * @param shownWhy makes a reason safe to show
 */
const readMachineSettings = (path: string | null, home: string, shownWhy: (why: string) => string): ParsedSettings => {
  const unusable = (why: Said): ParsedSettings => {
    const problem: SettingsProblem = { code: 'machine-file-unusable', path: path ?? '', why: withTexts(why, shownWhy) };
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

const stamp = (atMs: number): string =>
  new Date(atMs)
    .toISOString()
    .replaceAll(/[-:]/gu, '')
    .replace(/\.\d+Z$/u, 'Z');

const holds = (path: string, text: string): boolean => {
  try {
    return readBoundedText(path) === text;
  } catch {
    // Not readable: then it can't be known to be the same, and another copy costs nothing.
    return false;
  }
};

const alreadyThere = (error: unknown): boolean => codeOf(error) === 'EEXIST';

/**
 * Keeps a copy of a settings file that makes no sense as `settings.bad-20261121T020000Z.json`
 * beside it, once for each content. Returns the path of the copy.
 * @throws the file system's error when it can't be kept
 */
const keepBeside = (path: string, text: string, atMs: number): string => {
  const folder = dirname(path);
  const extension = extname(path);
  const stem = `${basename(path, extension)}.bad-`;
  const copies = readdirSync(folder).filter((name) => name.startsWith(stem) && name.endsWith(extension));
  const same = copies.map((name) => join(folder, name)).find((copy) => holds(copy, text));
  if (same !== undefined) return same;
  for (let number = 1; ; number += 1) {
    const copy = join(folder, `${stem}${stamp(atMs)}${number === 1 ? '' : `-${number}`}${extension}`);
    try {
      writeFileSync(copy, text, { flag: 'wx', mode: 0o600, flush: true });
      return copy;
    } catch (error) {
      // Another process may have kept the same content in the same second.
      if (!alreadyThere(error)) throw error;
      if (holds(copy, text)) return copy;
    }
  }
};

export interface SettingsPlace {
  readonly path: string;
  /** Claude Code's settings, whose `bash` block is read as the layer below. Never written. */
  readonly claudePath: string;
  /** The operator's defaults for every user, the layer below that. Null: this machine has none. */
  readonly machinePath: string | null;
  readonly home: string;
  /** Wall clock, milliseconds. */
  readonly now: () => number;
}

export interface LoadedSettings extends Omit<ParsedSettings, 'notices'> {
  /** What is wrong with the files, in words. */
  readonly notices: readonly SaidNotice[];
  /** Wall clock of the reading, milliseconds. */
  readonly readAtMs: number;
  /** What holds where Curfew's file is silent: defaults, the operator's, Claude Code's block. */
  readonly fallback: Settings;
  /** Curfew's own file as it is; empty when there is none or it can't be used. */
  readonly own: RawObject;
}

/** Changes that make no sense, and why. */
interface Refused {
  readonly ok: false;
  readonly problems: readonly SaidNotice[];
}

export type SettingsWrite = { readonly ok: true; readonly loaded: LoadedSettings } | Refused;

/** The settings could not be written; the message says why and what to do. */
export class SettingsUnwritable extends SaidError {
  override readonly name = 'SettingsUnwritable';
}

/** A change waits at most this long for other writers. Each takes a few milliseconds. */
const maxLockWaitMs = 10_000;

/**
 * Curfew's settings on disk, for any number of processes at once. Reading is cheap enough for every
 * scan: three system calls while nothing has changed. fs.watch is not used, because it misses
 * changes on network file systems and replaced files.
 */
export class SettingsFile {
  readonly #place: SettingsPlace;
  #loaded: { readonly key: string; readonly value: LoadedSettings } | null = null;

  constructor(place: SettingsPlace) {
    this.#place = place;
  }

  /** Returns the settings in force, reread when changed. Never throws: notices say what failed. */
  load(): LoadedSettings {
    const { path, claudePath, machinePath, now } = this.#place;
    const layers = [path, claudePath, ...(machinePath === null ? [] : [machinePath])];
    const stamps = layers.map((layer) => fileStamp(layer, now()));
    const key = stamps.map(({ version }) => version).join('|');
    if (this.#loaded?.key === key && !stamps.some(({ fresh }) => fresh)) return this.#loaded.value;
    const value = this.#read(stamps[0]?.fresh === true);
    this.#loaded = { key, value };
    return value;
  }

  /**
   * Changes some settings, all or none, and leaves everything else in the file as it is. Other
   * writers' changes are not lost. A copy of a file that can't be used is kept, and a new one
   * begun.
   * @param wish the changes, or a function that makes them of the file while no other process can
   *   write it
   * @throws SettingsUnwritable when another process keeps the lock, or the disk says no; the file
   *   is then as it was
   */
  change(wish: SettingsChanges | ((own: RawObject) => SettingsChanges)): SettingsWrite {
    const { path, home } = this.#place;
    try {
      const lock = lockFile(`${path}.lock`, 'exclusive', maxLockWaitMs);
      if (lock === null)
        throw new SaidError(
          say('another process has been changing them for {seconds} s', { seconds: maxLockWaitMs / 1000 }),
        );
      try {
        const file = readJsonFile(path);
        const { settings: fallback } = this.#readBelow();
        const usable = file.kind === 'value' ? asRawObject(file.value) : null;
        const bad = file.kind !== 'missing' && (usable === null || parseSettings(usable, fallback, { home }).bad);
        if (bad) this.#keep(file);
        const changes = typeof wish === 'function' ? wish(usable ?? {}) : wish;
        const result = changeSettings(usable ?? {}, changes, fallback, { home });
        if (!result.ok) return { ok: false, problems: sayNotices(result.problems) };
        writeWholeFile(path, `${JSON.stringify(result.raw, null, 2)}\n`, 'linkable');
      } finally {
        lock.release();
      }
    } catch (error) {
      throw new SettingsUnwritable(
        joined(
          say('The settings ({path}) could not be changed: {why}.', { path, why: saidOf(error) }),
          say('Nothing was changed; look at the file and its folder.'),
        ),
        { cause: error },
      );
    }
    this.#loaded = null;
    return { ok: true, loaded: this.load() };
  }

  /** Returns the settings after changes, or what is wrong with those. Writes nothing. */
  preview(changes: SettingsChanges): { readonly ok: true; readonly settings: Settings } | Refused {
    const { fallback, own } = this.load();
    const { home } = this.#place;
    const result = changeSettings(own, changes, fallback, { home });
    if (!result.ok) return { ok: false, problems: sayNotices(result.problems) };
    return { ok: true, settings: parseSettings(result.raw, fallback, { home }).settings };
  }

  #keep(file: JsonFile): string {
    const text = file.kind === 'missing' ? null : file.text;
    if (text === null) throw new SaidError(file.kind === 'bad' ? file.why : say('it could not be read'));
    return keepBeside(this.#place.path, text, this.#place.now());
  }

  /** Reads the layers below Curfew's own file. Only the operator's can force anything. */
  #readBelow(): ParsedSettings {
    const { claudePath, machinePath, home } = this.#place;
    const machine = readMachineSettings(machinePath, home, withoutSecrets);
    const file = readJsonFile(claudePath);
    const block = parseClaudeSettings(file.kind === 'value' ? file.value : undefined, machine.settings);
    const parsed = {
      ...block,
      notices: [...machine.notices, ...block.notices],
      forcesObserve: machine.forcesObserve,
    };
    if (file.kind !== 'bad') return parsed;
    const problem = {
      code: 'claude-file-unusable',
      path: claudePath,
      why: withTexts(file.why, withoutSecrets),
    } as const;
    return { ...parsed, notices: [{ field: 'bash', problem }, ...parsed.notices] };
  }

  /** A program may be writing it in place: what makes no sense is reread before it counts. */
  #readOwn(fresh: boolean): JsonFile {
    let file = readJsonFile(this.#place.path);
    const rounds = fresh ? 3 : 0;
    for (let round = 0; file.kind === 'bad' && round < rounds; round += 1) {
      blockFor(20);
      file = readJsonFile(this.#place.path);
    }
    return file;
  }

  #read(fresh: boolean): LoadedSettings {
    const { path, home, now } = this.#place;
    const below = this.#readBelow();
    const fallback = below.settings;
    const file = this.#readOwn(fresh);
    const parsed = forcedBy(below, parsedFrom(file, path, fallback, home));
    const found: SettingsNotice[] = [...below.notices, ...parsed.notices];
    if (parsed.bad) found.push({ field: null, problem: this.#keptNotice(file) });
    const notices = sayNotices(found);
    const own = (file.kind === 'value' ? asRawObject(file.value) : null) ?? {};
    return { ...parsed, notices, readAtMs: now(), fallback, own };
  }

  #keptNotice(file: JsonFile): SettingsProblem {
    try {
      return { code: 'copy-kept', path: this.#keep(file) };
    } catch (error) {
      return { code: 'copy-not-kept', why: withoutSecrets(messageOf(error)) };
    }
  }
}

/** Messages of the JSON parser quote the file. */
const withoutSecrets = (message: string): string => redactCommand(visibleText(message)).slice(0, 300);

/** Nothing is ended where an unusable layer may have spared it, whatever mode others say. */
const forcedBy = ({ forcesObserve: below }: ParsedSettings, own: ParsedSettings): ParsedSettings => {
  const forcesObserve = below || own.forcesObserve;
  if (!forcesObserve || own.settings.mode !== 'enforce') return { ...own, forcesObserve };
  return { ...own, forcesObserve, settings: { ...own.settings, mode: 'observe' } };
};

const parsedFrom = (file: JsonFile, path: string, fallback: Settings, home: string): ParsedSettings => {
  if (file.kind === 'value') return parseSettings(file.value, fallback, { home });
  if (file.kind === 'missing') return parseSettings({}, fallback, { home });
  const problem = { code: 'file-unusable', path, why: withTexts(file.why, withoutSecrets) } as const;
  return { settings: fallback, notices: [{ field: null, problem }], forcesObserve: true, bad: true };
};
