/** The range of a number, both ends included, in the unit of its row. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** What stands in for a value that makes no sense: always the same one. */
interface Always<Value> {
  readonly value: Value;
}

interface CommonRow {
  /** What the setting does, in one sentence, for command line, window and documents. */
  readonly text: string;
  /** Also read from the `bash` block of Claude Code's settings. */
  readonly inClaudeBlock?: true;
  /** Nonsense may hide what to spare, so Curfew only observes until it is put right. */
  readonly forcesObserve?: true;
}

export interface NumberRow extends CommonRow {
  readonly kind: 'number';
  readonly unit: 'seconds' | 'days';
  readonly range: Range;
  readonly default: number;
  /**
   * `fallback`: the layer below. `shorter`: the layer below, but no more than the compiled default,
   * so that nonsense makes no limit longer.
   */
  readonly ifBad: 'fallback' | 'shorter' | Always<number>;
  /** Its field on the window's page of limits: the label, and the step of the arrow keys. */
  readonly field?: { readonly label: string; readonly step: number };
}

/** One of some words. The default null means: the user has to choose first. */
export interface ChoiceRow extends CommonRow {
  readonly kind: 'choice';
  readonly choices: readonly [string, ...string[]];
  readonly default: string | null;
  readonly ifBad: 'fallback' | Always<string>;
}

/** On or off. */
export interface SwitchRow extends CommonRow {
  readonly kind: 'switch';
  readonly default: boolean;
  readonly ifBad: 'fallback' | Always<boolean>;
}

/** A list, which is read entry by entry: an entry that makes no sense costs itself only. */
export interface ListRow extends CommonRow {
  readonly kind: 'exemptions' | 'rules' | 'hosts';
  readonly default: readonly [];
  readonly ifBad: 'without-entry';
}

/** Everything that is to be said of one setting. */
export type SettingRow = NumberRow | ChoiceRow | SwitchRow | ListRow;

/** Rows by the name of the setting; a dot leads into a block: `notifications.sound`. */
export type SettingRows = Readonly<Record<string, SettingRow>>;
