import type { UserRule } from '../agents/user-rules.ts';
import type { settingRows } from './registry.ts';
import type { SettingRow, SettingRows } from './row.ts';

/**
 * What the user wants spared below the hard cap. Every part that is given must match; at least one
 * is given. See `exemptionMatches` for how each part is compared.
 */
export interface Exemption {
  /** Jobs whose project is this folder or in it. Absolute; `~/` is expanded on reading. */
  readonly project?: string;
  /** The whole command as Curfew shows it; `*` stands for any text. */
  readonly command?: string;
  readonly port?: number;
  /** Why, in the user's words. */
  readonly note?: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

interface ListValues {
  readonly exemptions: readonly Exemption[];
  readonly rules: readonly UserRule[];
  /** Names that `ssh` understands: an alias of the user's configuration, or `user@host`. */
  readonly hosts: readonly string[];
}

type ValueOfRow<Row extends SettingRow> = Row extends { readonly kind: 'number' }
  ? number
  : Row extends { readonly kind: 'switch' }
    ? boolean
    : Row extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
      ? Choice | Extract<Row['default'], null>
      : Row extends { readonly kind: infer List extends keyof ListValues }
        ? ListValues[List]
        : never;

type BlockOf<Key> = Key extends `${infer Block}.${string}` ? Block : never;

/** All values of a table of settings. A dot in a name leads into a block. */
export type SettingsOf<Rows extends SettingRows> = {
  readonly [Key in keyof Rows as Key extends `${string}.${string}` ? never : Key]: ValueOfRow<Rows[Key]>;
} & {
  readonly [Block in BlockOf<keyof Rows>]: {
    readonly [Key in keyof Rows as Key extends `${Block}.${infer Name}` ? Name : never]: ValueOfRow<Rows[Key]>;
  };
};

/** The name of a setting: `backgroundMaxElapsedSeconds`, `notifications.sound`. */
export type SettingKey = keyof typeof settingRows;

export type SettingValue<Key extends SettingKey> = ValueOfRow<(typeof settingRows)[Key]>;

/** Everything a user can set, checked. Limits hold: max elapsed <= hard cap <= 86400. */
export type Settings = SettingsOf<typeof settingRows> & {
  readonly schemaVersion: number;
};
