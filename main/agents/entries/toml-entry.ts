import { say } from '../../../app/text/say.ts';
import { canonical, parseTomlText as parsed, tomlAtEnd } from '../hooks/form/toml-text.ts';
import { settingAt } from '../hooks/form/agent-hooks.ts';
import { type InstallationRecord, withoutRecorded } from '../hooks/installation/installation-record.ts';
import type { Entry } from './form/entry.ts';
import { cannotParse, type EntryText, leftAlone, notOurs } from './json-entry.ts';

/** A value without what is at a path, and without the tables around it in which nothing is left. */
const withoutPath = (value: unknown, [name, ...rest]: readonly string[]): unknown => {
  if (name === undefined || typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value).flatMap(([key, one]: [string, unknown]) => {
    const left = key === name ? withoutPath(one, rest) : one;
    return left === undefined ? [] : [[key, left] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/** From the entry's header to the next one that is not below it. */
const withoutTable = (text: string, path: readonly string[]): string => {
  const name = path.join('.');
  const lines = text.split(/(?<=\n)/u);
  let inside = false;
  return lines
    .filter((line) => {
      const header = /^\s*\[{1,2}(?<name>[^\]]+)\]/u.exec(line)?.groups?.['name']?.trim();
      if (header !== undefined) inside = header === name || header.startsWith(`${name}.`);
      return !inside;
    })
    .join('');
};

/**
 * Works out what a TOML file of settings would become with and without the entry. What is put in
 * stands at its end; every other byte stays. Never throws.
 */
export const planToml = (before: string, entry: Entry, record: InstallationRecord | null): EntryText => {
  const { path, value, isOurs } = entry;
  const found = parsed(before);
  if (!found.ok) return { ok: false, why: cannotParse(found.why) };
  const there = settingAt(found.value, ...path);
  if (there !== undefined && !isOurs(there, record?.pieces ?? [])) return { ok: false, why: notOurs(path) };
  /** The entry is not in it, and all else is as it was. */
  const isRest = (text: string | null): text is string => {
    if (text === null) return false;
    const rest = parsed(text);
    return (
      rest.ok &&
      settingAt(rest.value, ...path) === undefined &&
      canonical(withoutPath(rest.value, path)) === canonical(withoutPath(found.value, path))
    );
  };
  let without = before;
  if (there !== undefined) {
    const taken = [record === null ? null : withoutRecorded(before, record), withoutTable(before, path)].find(isRest);
    if (taken === undefined) return { ok: false, why: say('Curfew’s entry in it could not be told from the rest') };
    without = taken;
  }
  const text = tomlAtEnd(
    without,
    path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value),
  );
  const after = parsed(without + text);
  const isOnlyAdded =
    after.ok &&
    canonical(settingAt(after.value, ...path)) === canonical(value) &&
    canonical(withoutPath(after.value, path)) === canonical(withoutPath(found.value, path));
  if (!isOnlyAdded)
    return { ok: false, why: leftAlone(say('it could not be changed without touching the rest of it')) };
  const same = there !== undefined && canonical(there) === canonical(value);
  return {
    ok: true,
    without,
    installed: same ? before : without + text,
    pieces: [{ offset: without.length, text }],
    made: [],
    state: same ? 'installed' : there === undefined ? 'absent' : 'partly',
  };
};
