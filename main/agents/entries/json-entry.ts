import { byKey, type Said } from '../../../app/format/said.ts';
import { say } from '../../../app/text/say.ts';
import { parse } from 'jsonc-parser';
import { settingAt } from '../hooks/form/agent-hooks.ts';
import { insertInto, type InsertedPiece } from '../hooks/form/json-insertion.ts';
import { removeProperty } from '../hooks/form/json-removal.ts';
import { parseJsonText } from '../hooks/form/json-text.ts';
import { type InstallationRecord, withoutRecorded } from '../hooks/installation/installation-record.ts';
import type { Entry } from './form/entry.ts';

export type EntryText =
  | {
      readonly ok: true;
      readonly without: string;
      readonly installed: string;
      readonly pieces: readonly InsertedPiece[];
      /** Objects that are made for it: `mcpServers`. */
      readonly made: readonly string[];
      readonly state: 'installed' | 'partly' | 'absent';
    }
  | { readonly ok: false; readonly why: Said };

/** The value at the entry's place in a document; undefined for none. */
const valueAt = (text: string, path: readonly string[]): unknown =>
  settingAt(parse(text, [], { allowTrailingComma: true }), ...path);

const isEqual = (one: unknown, other: unknown): boolean => {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return names.length === others.length && names.every((name) => isEqual(settingAt(one, name), settingAt(other, name)));
};

/** Another's entry under that name, which is never touched. */
export const notOurs = (path: readonly string[]): Said =>
  say('{name} is there already and not from Curfew, so it is left alone', { name: path.join('.') });

/** Says that a file is left alone, because it is no JSON or TOML. */
export const cannotParse = (why: string): Said =>
  say('it can’t be parsed ({why}), so it is left alone', { why: byKey(why) });

/** Adds to why a file can't be changed what becomes of it. */
export const leftAlone = (why: Said): Said => say('{why}, so it is left alone', { why });

/** Works out what a JSON file of settings would become with and without the entry. Never throws. */
export const planJson = (before: string, entry: Entry, record: InstallationRecord | null): EntryText => {
  const { path, value, isOurs } = entry;
  const parsed = parseJsonText(before);
  if (!parsed.ok) return { ok: false, why: cannotParse(parsed.why) };
  const there = valueAt(before, path);
  if (there !== undefined && !isOurs(there, record?.pieces ?? [])) return { ok: false, why: notOurs(path) };
  let without = before;
  if (there !== undefined) {
    const exact = record === null ? null : withoutRecorded(before, record);
    const taken =
      exact !== null && parseJsonText(exact).ok && valueAt(exact, path) === undefined
        ? exact
        : removeProperty(before, path, (one) => record === null || record.made.includes(one));
    if (taken === null || valueAt(taken, path) !== undefined)
      return { ok: false, why: say('Curfew’s entry in it could not be told from the rest') };
    without = taken;
  }
  const inserted = insertInto(without, [{ kind: 'property', path: entry.path, value }]);
  if (!inserted.ok) return { ok: false, why: leftAlone(byKey(inserted.why)) };
  const same = there !== undefined && isEqual(there, value);
  const made = path
    .slice(0, -1)
    .map((_, depth) => path.slice(0, depth + 1))
    .filter((one) => valueAt(without, one) === undefined)
    .map((one) => one.join('.'));
  return {
    ok: true,
    without,
    installed: same ? before : inserted.text,
    pieces: inserted.pieces,
    made,
    state: same ? 'installed' : there === undefined ? 'absent' : 'partly',
  };
};
