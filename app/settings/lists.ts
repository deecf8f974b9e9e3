import type { z } from 'zod';
import { valueAt } from './keys.ts';
import { shownValue } from './notice.ts';
import { addNotice, type ParseState } from './parse-state.ts';
import { rawValue } from './raw.ts';
import type { ListRow } from './row.ts';
import { badRulesIn, exemptionSchema, hostNameSchema, userRuleSchema, type BadRule } from './schema.ts';
import type { Exemption, SettingKey } from './settings.ts';

/** One entry of a list, or why it can't be used. */
type ReadEntry =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reasons: readonly BadRule[] };

const withSchema = (schema: z.ZodType, entry: unknown): ReadEntry => {
  const result = schema.safeParse(entry);
  return result.success ? { ok: true, value: result.data } : { ok: false, reasons: badRulesIn(result.error) };
};

const atHome = (project: string, home: string | null): string | null => {
  if (!project.startsWith('~')) return project;
  return home === null ? null : `${home.replace(/[/\\]+$/u, '')}${project.slice(1)}`;
};

const readExemption = (entry: unknown, index: number, home: string | null): Exemption | null => {
  const result = exemptionSchema().safeParse(entry);
  if (!result.success) return null;
  // Written by hand it may have no time; it still needs something that tells it from its
  // neighbours.
  const { createdAt = new Date(index).toISOString(), project, ...rest } = result.data;
  if (project === undefined) return { ...rest, createdAt };
  const folder = atHome(project, home);
  return folder === null ? null : { ...rest, project: folder, createdAt };
};

const readEntry = (kind: ListRow['kind'], entry: unknown, index: number, home: string | null): ReadEntry => {
  switch (kind) {
    case 'exemptions': {
      const value = readExemption(entry, index, home);
      return value === null ? { ok: false, reasons: [] } : { ok: true, value };
    }
    case 'rules':
      return withSchema(userRuleSchema(), entry);
    case 'hosts':
      return withSchema(hostNameSchema(), entry);
  }
};

/**
 * Reads a list entry by entry: one that makes no sense costs itself and not its neighbours. A host
 * named twice is there once.
 * @param home the user's home folder, for `~/` in exemptions; null: such an exemption makes no
 *   sense
 */
export const readList = (state: ParseState, key: SettingKey, row: ListRow, home: string | null): readonly unknown[] => {
  const list = rawValue(state.raw, key);
  if (list === undefined) return valueAt(state.fallback, key) as readonly unknown[];
  const refuse = (field: string, problem: Parameters<typeof addNotice>[2]): void => {
    addNotice(state, field, problem);
    if (row.forcesObserve === true) state.forcesObserve = true;
  };
  if (!Array.isArray(list)) {
    refuse(key, { code: 'bad-list', key, shown: shownValue(list) });
    return [];
  }
  const entries = list.flatMap((entry: unknown, index) => {
    const read = readEntry(row.kind, entry, index, home);
    if (read.ok) return [read.value];
    const { reasons } = read;
    refuse(`${key}[${index}]`, { code: 'bad-entry', key, index, shown: shownValue(entry), reasons });
    return [];
  });
  return row.kind === 'hosts' ? [...new Set(entries)] : entries;
};
