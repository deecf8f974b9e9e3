import type { Finding, GuardCall, GuardFacts } from './script/guard-call.ts';
import { parseScript } from './script/parse-script.ts';
import { functionsOf, placesIn } from './script/places.ts';
import { rules } from './rules.ts';
import { type GuardRuleId, type GuardSettings, guardRuleIds } from './settings.ts';

export interface GuardedCommand {
  readonly command: string;
  /** True if the agent starts it in the background. */
  readonly background: boolean;
}

/** The guard's answer. `sentences` are for the agent; none is empty. */
export type GuardDecision =
  | { readonly kind: 'pass' }
  | { readonly kind: 'warn'; readonly sentences: readonly string[] }
  | { readonly kind: 'deny'; readonly sentences: readonly string[] }
  | { readonly kind: 'rewrite'; readonly sentences: readonly string[]; readonly command: string };

/** Whether and how a command can get a time limit here. */
export interface Bounding {
  /** True if the agent lets a hook change a command. */
  readonly possible: boolean;
  /** Name of `timeout` here (`gtimeout` on some Macs); null for none. Called only when needed. */
  readonly program: () => string | null;
}

const pass: GuardDecision = { kind: 'pass' };

/** Parses a command; null if it must not be judged. */
const read = ({ command, background }: GuardedCommand, facts: GuardFacts): GuardCall | null => {
  const script = parseScript(command);
  if (script === null) return null;
  return { ...facts, script, places: placesIn(script), functions: functionsOf(script), background };
};

const withLimits = (source: string, offsets: readonly number[], limit: string): string =>
  [...new Set(offsets)]
    .toSorted((left, right) => right - left)
    .reduce((text, offset) => `${text.slice(0, offset)}${limit}${text.slice(offset)}`, source);

interface Found {
  readonly rule: GuardRuleId;
  readonly finding: Finding;
}

/** Returns the command with time limits, if that is possible and removes the finding. */
const bounded = (
  command: GuardedCommand,
  found: readonly Found[],
  facts: GuardFacts,
  settings: GuardSettings,
  bounding: Bounding,
): string | null => {
  const program = bounding.possible ? bounding.program() : null;
  const offsets = found.flatMap(({ finding }) => finding.bounds);
  if (program === null || offsets.length === 0) return null;
  const text = withLimits(command.command, offsets, `${program} ${settings.timeoutSeconds} `);
  const call = read({ ...command, command: text }, facts);
  return call !== null && found.every(({ rule }) => rules[rule](call) === null) ? text : null;
};

/**
 * Decides on a command. Pure and total. Passes when the guard is off, when the command can't be
 * parsed for certain, and when no rule is sure. A refusal takes precedence over a change, and a
 * change over a warning; where commands can't be changed the agent is warned instead.
 */
export const decide = (
  command: GuardedCommand,
  facts: GuardFacts,
  settings: GuardSettings,
  bounding: Bounding,
): GuardDecision => {
  const asked = settings.enabled ? guardRuleIds.filter((rule) => settings[rule] !== 'off') : [];
  const call = asked.length === 0 ? null : read(command, facts);
  if (call === null) return pass;
  const found = asked.flatMap((rule): Found[] => {
    const finding = rules[rule](call);
    return finding === null ? [] : [{ rule, finding }];
  });
  if (found.length === 0) return pass;
  const said = ({ rule, finding }: Found): string => `Curfew's guard (${rule}): ${finding.sentence}`;
  const denied = found.filter(({ rule }) => settings[rule] === 'deny');
  if (denied.length > 0) return { kind: 'deny', sentences: denied.map(said) };
  const toBound = found.filter(({ rule }) => settings[rule] === 'rewrite');
  const text = bounded(command, toBound, facts, settings, bounding);
  if (text === null) return { kind: 'warn', sentences: found.map(said) };
  const changed = `Curfew's guard (${toBound.map(({ rule }) => rule).join(', ')}) gave this command a time limit of ${settings.timeoutSeconds} s. It runs as: ${text}`;
  return {
    kind: 'rewrite',
    command: text,
    sentences: [changed, ...found.filter((one) => !toBound.includes(one)).map(said)],
  };
};
