import type { UserRule } from '../agents/user-rules.ts';
import { badEntryText, badListText } from './sentences.ts';
import { given, refuse, type ListKey, type Reading } from './reading.ts';
import { hostNameSchema } from './host-name-schema.ts';
import { exemptionSchema, ruleIssueText, userRuleSchema } from './schema.ts';
import type { Exemption } from './settings.ts';

/** What losing an exemption means. */
export const observing = 'Until this is put right Curfew only observes, because it can’t tell what you want spared.';

/** A list, entry by entry: one that can't be understood costs itself and not its neighbours. */
const readList = <Entry>(
  reading: Reading,
  key: ListKey,
  below: readonly Entry[],
  readEntry: (entry: unknown, index: number) => Entry | null,
  consequence: string,
  reason: (entry: unknown) => string | null = () => null,
): { readonly entries: readonly Entry[]; readonly whole: boolean } => {
  const list = given(reading.raw, key);
  if (list === undefined) return { entries: below, whole: true };
  if (!Array.isArray(list)) {
    refuse(reading, key, badListText(key, list, consequence));
    return { entries: [], whole: false };
  }
  const read = list.map((entry: unknown, index) => {
    const value = readEntry(entry, index);
    if (value === null)
      refuse(reading, `${key}[${index}]`, badEntryText(key, index, entry, consequence, reason(entry)));
    return value;
  });
  const entries = read.filter((entry) => entry !== null);
  return { entries, whole: entries.length === read.length };
};

const atHome = (project: string, home: string | null): string | null => {
  if (!project.startsWith('~')) return project;
  return home === null ? null : `${home.replace(/[/\\]+$/u, '')}${project.slice(1)}`;
};

/** What the person wants spared. If any of it can't be understood, nothing is ended by itself. */
export const readExemptions = (reading: Reading, home: string | null): readonly Exemption[] => {
  const readEntry = (entry: unknown, index: number): Exemption | null => {
    const result = exemptionSchema.safeParse(entry);
    if (!result.success) return null;
    // Written by hand it may have no time; it still needs something that tells it from its neighbours.
    const { createdAt = new Date(index).toISOString(), project, ...rest } = result.data;
    if (project === undefined) return { ...rest, createdAt };
    const folder = atHome(project, home);
    return folder === null ? null : { ...rest, project: folder, createdAt };
  };
  const { entries, whole } = readList(reading, 'exemptions', reading.base.exemptions, readEntry, observing);
  if (!whole) reading.forcesObserve = true;
  return entries;
};

/** The person's rules. One that can't be understood finds nothing. */
export const readRules = (reading: Reading): readonly UserRule[] =>
  readList(
    reading,
    'rules',
    reading.base.rules,
    (entry) => userRuleSchema.safeParse(entry).data ?? null,
    'It finds nothing until then.',
    (entry) => {
      const result = userRuleSchema.safeParse(entry);
      return result.success ? null : ruleIssueText(result.error);
    },
  ).entries;

/** The other machines, each once. */
export const readHosts = (reading: Reading): readonly string[] => [
  ...new Set(
    readList(
      reading,
      'hosts',
      reading.base.hosts,
      (entry) => hostNameSchema.safeParse(entry).data ?? null,
      'That machine is not looked at.',
    ).entries,
  ),
];
