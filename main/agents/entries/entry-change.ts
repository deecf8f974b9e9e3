import type { Said } from '../../../app/format/said.ts';
import { say, saidOf } from '../../../app/text/say.ts';
import type { HookFolders } from '../hooks/form/folders.ts';
import { type LineChange, shownChanges } from '../hooks/form/line-changes.ts';
import { keepCopy } from '../hooks/form/settings-copies.ts';
import {
  makeFolderOf,
  readSettingsDocument,
  removeEmptyFolders,
  removeSettingsDocument,
  type SettingsDocument,
  writeSettingsDocument,
} from '../hooks/form/settings-document.ts';
import {
  dropRecord,
  type InstallationRecord,
  isEmptied,
  loadRecord,
  markOf,
  piecesIn,
  saveRecord,
} from '../hooks/installation/installation-record.ts';
import type { Entry } from './form/entry.ts';
import { type EntryText, leftAlone, planJson } from './json-entry.ts';
import { planToml } from './toml-entry.ts';

/** How it stands with an entry, and what a wish would write. */
export interface EntryState {
  readonly state: 'installed' | 'partly' | 'absent';
  readonly file: string;
  readonly changes: readonly LineChange[];
  /** Why it can't be changed; null: it can. */
  readonly why: Said | null;
}

/** What was done. `copy`: the file as it was; null where nothing was changed, or there was none. */
export interface EntryChange extends EntryState {
  readonly changed: boolean;
  readonly copy: string | null;
}

type Wish = 'install' | 'uninstall';

interface Plan {
  readonly document: Exclude<SettingsDocument, { readonly kind: 'refused' }>;
  readonly record: InstallationRecord | null;
  readonly before: string | null;
  readonly text: Extract<EntryText, { readonly ok: true }>;
  /** What the wish writes; null: no file. */
  readonly target: string | null;
}

const planned = (folders: HookFolders, entry: Entry, wish: Wish): Plan | { readonly why: Said } => {
  const { name, file, format } = entry;
  const refused = (why: Said) => ({ why: say('{file} was not touched: {why}.', { file, why }) });
  const document = readSettingsDocument(file);
  if (document.kind === 'refused') return refused(leftAlone(document.why));
  const record = loadRecord(folders, name, file);
  const before = document.kind === 'read' ? document.text : null;
  const text = (format === 'json' ? planJson : planToml)(before ?? '', entry, record);
  if (!text.ok) return refused(text.why);
  const without = before === null || isEmptied(record, text.without) ? null : text.without;
  return { document, record, before, text, target: wish === 'install' ? text.installed : without };
};

/** How it stands with an entry, and what installing or removing it would write. Changes nothing. */
export const entryState = (folders: HookFolders, entry: Entry, wish: Wish = 'install'): EntryState => {
  const plan = planned(folders, entry, wish);
  if ('why' in plan) return { state: 'absent', file: entry.file, changes: [], why: plan.why };
  return {
    state: plan.text.state,
    file: entry.file,
    changes: shownChanges(plan.before ?? '', plan.target ?? ''),
    why: null,
  };
};

const write = (folders: HookFolders, { name, file }: Entry, plan: Plan, wish: Wish, nowMs: number): string | null => {
  const { document, record, before, target, text } = plan;
  const made = target === null ? [] : makeFolderOf(document.path);
  const copy = before === null ? null : keepCopy(folders, name, before, nowMs);
  if (target === null) {
    removeSettingsDocument(document);
    removeEmptyFolders(record?.folders ?? []);
  } else writeSettingsDocument(document, target);
  if (wish === 'uninstall') dropRecord(folders, name);
  else
    saveRecord(folders, name, {
      version: 1,
      file,
      existed: before !== null && !isEmptied(record, text.without),
      written: markOf(text.installed),
      pieces: piecesIn(text.installed, text.pieces),
      made: [...text.made],
      folders: [...(record?.existed === false ? record.folders : []), ...made],
    });
  return copy;
};

/**
 * Puts an entry into a settings file, or takes it out. Everything else stays byte for byte, and a
 * copy of the file as it was is kept first. An entry of the user's under that name is left alone.
 * Never throws for what the disk holds or refuses.
 */
export const changeEntry = (folders: HookFolders, entry: Entry, wish: Wish, nowMs: number): EntryChange => {
  const before = entryState(folders, entry, wish);
  const plan = planned(folders, entry, wish);
  if ('why' in plan) return { ...before, changed: false, copy: null };
  try {
    const changed = plan.target !== plan.before;
    const copy = changed ? write(folders, entry, plan, wish, nowMs) : null;
    return { ...before, state: entryState(folders, entry, wish).state, changed, copy };
  } catch (error) {
    const why = say('{why}. The file was not changed.', { why: saidOf(error) });
    return { ...before, changed: false, copy: null, why };
  }
};
