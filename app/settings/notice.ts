import type { Said } from '../format/said.ts';
import { redactCommand } from '../format/secrets/redact.ts';
import { visibleText } from '../format/visible.ts';
import type { BadRule } from './schema.ts';
import type { SettingKey } from './settings.ts';

/**
 * What is wrong with settings, or with a change of them. `shown` is the value as `shownValue` gives
 * it. app/text/settings has a sentence for each.
 */
export type SettingsProblem =
  | { readonly code: 'no-object'; readonly shown: string }
  | { readonly code: 'newer-version'; readonly version: number }
  | { readonly code: 'unknown-key'; readonly shown: string }
  /** A value of the file that makes no sense; `used` is in force instead. */
  | { readonly code: 'bad-value'; readonly key: SettingKey; readonly shown: string; readonly used: unknown }
  | { readonly code: 'bad-list'; readonly key: SettingKey; readonly shown: string }
  /** An entry of a list, counted from 0. `reasons` is empty where its form is wrong. */
  | {
      readonly code: 'bad-entry';
      readonly key: SettingKey;
      readonly index: number;
      readonly shown: string;
      readonly reasons: readonly BadRule[];
    }
  /** The file asks for a max elapsed beyond the hard cap; the hard cap is used. */
  | { readonly code: 'clamped'; readonly maxElapsedSeconds: number; readonly hardCapSeconds: number }
  | { readonly code: 'claude-block-no-object'; readonly shown: string }
  | { readonly code: 'in-claude-block'; readonly problem: SettingsProblem }
  | { readonly code: 'no-setting'; readonly shown: string }
  /** A change to a value that is not allowed. */
  | { readonly code: 'refused-value'; readonly key: SettingKey; readonly shown: string }
  | { readonly code: 'refused-rules'; readonly reasons: readonly BadRule[] }
  /** What the user typed is no value of the setting. */
  | { readonly code: 'refused-text'; readonly key: SettingKey; readonly shown: string }
  /** A change would set a max elapsed beyond the hard cap. */
  | { readonly code: 'above-cap'; readonly maxElapsedSeconds: number; readonly hardCapSeconds: number }
  | { readonly code: 'file-unusable'; readonly path: string; readonly why: Said }
  | { readonly code: 'claude-file-unusable'; readonly path: string; readonly why: Said }
  /** The operator's defaults for every user of this machine. */
  | { readonly code: 'machine-file-unusable'; readonly path: string; readonly why: Said }
  | { readonly code: 'in-machine-file'; readonly path: string; readonly problem: SettingsProblem }
  | { readonly code: 'copy-kept'; readonly path: string }
  | { readonly code: 'copy-not-kept'; readonly why: Said };

/** A problem and where it is. */
export interface SettingsNotice {
  /** `backgroundKillSignal`, `exemptions[2]`; null when it is about the whole file. */
  readonly field: string | null;
  readonly problem: SettingsProblem;
}

/** Returns a file's value in short: one line, no secrets, at most 80 characters. */
export const shownValue = (value: unknown): string => {
  const text = visibleText(redactCommand(json(value)));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

const json = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    // A circle, or a number that JSON has no form for: neither comes out of a file.
    return typeof value;
  }
};
