import { say } from '../../../../app/text/say.ts';
import type { Said } from '../../../../app/format/said.ts';
import { type HookTable, settingAt } from '../form/agent-hooks.ts';
import { isHookCommand } from '../form/hook-script.ts';
import { canonical, parseTomlText, tomlAtEnd } from '../form/toml-text.ts';
import { type InstallationRecord, withoutRecorded } from './installation-record.ts';

/** What a TOML file would become with and without Curfew's tables. */
export type TomlHooks =
  | {
      readonly ok: true;
      readonly without: string;
      readonly added: string;
      readonly state: 'installed' | 'partly' | 'absent';
    }
  | { readonly ok: false; readonly why: Said };

const isOurs = (table: unknown): boolean => {
  const command = settingAt(table, 'command');
  return typeof command === 'string' && isHookCommand(command);
};

/** Tables by their headers; what stands behind the last value of one stays. */
const withoutTables = (text: string): string =>
  text
    .split(/^(?=[ \t]*\[)/mu)
    .map((part) => {
      const parsed = /^[ \t]*\[\[[ \t]*hooks[ \t]*\]\]/u.test(part) ? parseTomlText(part) : null;
      const table = parsed?.ok === true ? settingAt(parsed.value, 'hooks', '0') : null;
      return isOurs(table) ? (/(?:^[ \t]*#[^\n]*(?:\n|$)|^[ \t]*\r?\n)*$/mu.exec(part)?.[0].trimStart() ?? '') : part;
    })
    .join('');

/**
 * Works out what a TOML file of settings would become with and without tables in its list `hooks`.
 * What is put in stands at its end; every other byte stays, also where the agent has written the
 * file anew since.
 */
export const planTomlHooks = (
  before: string,
  tables: readonly HookTable[],
  record: InstallationRecord | null,
): TomlHooks => {
  const found = parseTomlText(before);
  if (!found.ok) return { ok: false, why: say('it can’t be parsed ({why}), so it is left alone', { why: found.why }) };
  const { hooks = [], ...rest } = found.value;
  if (!Array.isArray(hooks))
    return { ok: false, why: say('{why}, so it is left alone', { why: 'hooks holds no list' }) };
  const list: readonly unknown[] = hooks;
  const users = list.filter((table) => !isOurs(table));
  const holds = (text: string, wanted: readonly unknown[]): boolean => {
    const after = parseTomlText(text);
    if (!after.ok) return false;
    const { hooks: there = [], ...others } = after.value;
    return canonical([there, others]) === canonical([wanted, rest]);
  };
  const without =
    users.length === list.length
      ? before
      : [record === null ? null : withoutRecorded(before, record), withoutTables(before)].find(
          (text) => text !== null && holds(text, users),
        );
  if (without == null) return { ok: false, why: say('Curfew’s hooks in it could not be told from the rest') };
  const added = tomlAtEnd(without, { hooks: tables });
  if (!holds(without + added, [...users, ...tables]))
    return {
      ok: false,
      why: say('{why}, so it is left alone', { why: 'it could not be changed without touching the rest of it' }),
    };
  const isComplete = canonical(list.filter(isOurs)) === canonical(tables);
  const state = users.length === list.length ? 'absent' : isComplete ? 'installed' : 'partly';
  return { ok: true, without, added, state };
};
