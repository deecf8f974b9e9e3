import { z } from 'zod';
import { partsOf, rowOf, settingKeys } from '../../settings/keys.ts';
import type { SettingRow } from '../../settings/row.ts';
import type { Settings } from '../../settings/settings.ts';
import { saidSchema } from './said.ts';
import { momentSchema } from './view.ts';

/** An exemption of the user below the hard cap, see app/settings. `createdAt` identifies it. */
const exemptionViewSchema = z.object({
  project: z.string().exactOptional(),
  command: z.string().exactOptional(),
  port: z.number().int().exactOptional(),
  note: z.string().exactOptional(),
  createdAt: z.string(),
});

export type ExemptionView = z.infer<typeof exemptionViewSchema>;

/** A rule of the user: which further programs are jobs, see app/agents. */
export const userRuleViewSchema = z.object({
  name: z.string(),
  argv0: z.string(),
  argv: z.array(z.string()),
  project: z.string().exactOptional(),
});

export type UserRuleView = z.infer<typeof userRuleViewSchema>;

/** Data as JSON has it: the same, with nothing readonly. */
type JsonForm<Data> = Data extends readonly (infer Entry)[]
  ? JsonForm<Entry>[]
  : Data extends object
    ? { -readonly [Key in keyof Data]: JsonForm<Data[Key]> }
    : Data;

/** Settings as windows see them: parsed and whole, never the file as it is. */
export type SettingsView = JsonForm<Settings>;

/** The form only: ranges are checked where settings are changed. */
const formOf = (row: SettingRow): z.ZodType => {
  switch (row.kind) {
    case 'number':
      return z.number();
    case 'choice':
      return row.default === null ? z.enum(row.choices).nullable() : z.enum(row.choices);
    case 'switch':
      return z.boolean();
    case 'exemptions':
      return z.array(exemptionViewSchema);
    case 'rules':
      return z.array(userRuleViewSchema);
    case 'hosts':
      return z.array(z.string());
  }
};

const blockOf = (block: string): z.ZodType =>
  z.object(
    Object.fromEntries(
      settingKeys.filter((key) => partsOf(key).block === block).map((key) => [partsOf(key).name, formOf(rowOf(key))]),
    ),
  );

/** See `SettingsView`. Made of the rows of the registry, as the type is. */
const settingsViewSchema = z.object({
  schemaVersion: z.number().int(),
  ...Object.fromEntries(
    settingKeys.map((key) => {
      const { block, name } = partsOf(key);
      return block === null ? [name, formOf(rowOf(key))] : [block, blockOf(block)];
    }),
  ),
}) as unknown as z.ZodType<SettingsView>;

/** An invalid setting in the file, and the value used instead. */
const settingsNoticeSchema = z.object({ field: z.string().nullable(), text: saidSchema });

/** Settings with the faults of their file, and when those were found. */
export const settingsStateSchema = z.object({
  values: settingsViewSchema,
  defaults: settingsViewSchema,
  notices: z.array(settingsNoticeSchema),
  readAt: momentSchema.nullable(),
});

const copyOf = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map(copyOf);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, copyOf(value)]));
};

/** Returns settings as windows see them: a copy, which may be changed. */
export const settingsView = (settings: Settings): SettingsView => copyOf(settings) as SettingsView;
