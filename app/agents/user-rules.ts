import { baseName } from './command-shell.ts';
import type { PatternProblem } from './safe-pattern.ts';
import { compilePattern, longestMatchedText } from './safe-pattern.ts';

/** A person's own description of commands that an agent starts, for agents that Curfew doesn't know. Kept in the settings as it is. */
export interface UserRule {
  /** Shown as the rule of the job: "our-bot". */
  readonly name: string;
  /** What people call the agent: "Our bot". */
  readonly agent: string;
  /** argv[0] exactly: a path when it has a `/`, else the base name. */
  readonly argv0: string;
  /** Regular expressions, one an argument from the first on, each for the whole argument. Further arguments are free. */
  readonly argv: readonly string[];
  /** Project folder to show for its jobs. */
  readonly project?: string;
}

/** What is wrong with a rule, and in which part. */
export type UserRuleProblem =
  | { readonly part: 'name' | 'argv0'; readonly code: 'empty' }
  /** It would match everything an interpreter, a shell or an everyday program runs. */
  | { readonly part: 'argv'; readonly code: 'too-broad' }
  | { readonly part: 'argv'; readonly code: 'too-many'; readonly most: number }
  | { readonly part: 'argv'; readonly code: 'pattern'; readonly index: number; readonly problem: PatternProblem };

/** A rule ready to match. */
export interface CompiledUserRule {
  readonly rule: UserRule;
  readonly patterns: readonly RegExp[];
}

/** A compiled rule, or everything that is wrong with it. */
export type UserRuleResult =
  | { readonly ok: true; readonly compiled: CompiledUserRule }
  | { readonly ok: false; readonly problems: readonly UserRuleProblem[] };

/** How one part of a rule compares with a command line. */
export interface UserRulePart {
  /** As the rule says it. */
  readonly expected: string;
  /** As the command line has it; null when it ends before. */
  readonly actual: string | null;
  readonly matches: boolean;
}

/** How a whole rule compares with a command line, part by part, for trying a rule out. */
export interface UserRuleTest {
  readonly matches: boolean;
  readonly argv0: UserRulePart;
  readonly arguments: readonly UserRulePart[];
}

const mostPatterns = 16;
const runsAnything =
  /^(?:node|nodejs|bun|deno|npm|npx|pnpm|yarn|python[0-9.]*|ruby|perl|java|go|cargo|make|(?:ba|z|da|k|fi)?sh|env|sudo|nohup|setsid|timeout)$/;
const matchesAnything = /^[.[\]^*+?\\sSwWdD]*$/;

/** Checks and compiles a rule. Never throws. */
export const compileUserRule = (rule: UserRule): UserRuleResult => {
  const problems: UserRuleProblem[] = [];
  if (rule.name.trim() === '') problems.push({ part: 'name', code: 'empty' });
  if (rule.argv0.trim() === '') problems.push({ part: 'argv0', code: 'empty' });
  if (rule.argv.length > mostPatterns) problems.push({ part: 'argv', code: 'too-many', most: mostPatterns });
  if (runsAnything.test(baseName(rule.argv0)) && rule.argv.every((pattern) => matchesAnything.test(pattern)))
    problems.push({ part: 'argv', code: 'too-broad' });
  const patterns: RegExp[] = [];
  for (const [index, pattern] of rule.argv.slice(0, mostPatterns).entries()) {
    const result = compilePattern(pattern);
    if (result.ok) patterns.push(result.regex);
    else problems.push({ part: 'argv', code: 'pattern', index, problem: result.problem });
  }
  return problems.length === 0 ? { ok: true, compiled: { rule, patterns } } : { ok: false, problems };
};

const argv0Matches = (expected: string, actual: string): boolean =>
  expected.includes('/') ? actual === expected : baseName(actual) === expected;

const argumentMatches = (pattern: RegExp, actual: string | undefined): boolean =>
  actual !== undefined && actual.length <= longestMatchedText && pattern.test(actual);

/** Whether a process's argv is what the rule describes. Arguments longer than `longestMatchedText` characters never match. */
export const matchesUserRule = ({ rule, patterns }: CompiledUserRule, argv: readonly string[]): boolean =>
  argv[0] !== undefined &&
  argv0Matches(rule.argv0, argv[0]) &&
  patterns.every((pattern, index) => argumentMatches(pattern, argv[index + 1]));

/** The same, part by part. */
export const testUserRule = ({ rule, patterns }: CompiledUserRule, argv: readonly string[]): UserRuleTest => {
  const argv0: UserRulePart = {
    expected: rule.argv0,
    actual: argv[0] ?? null,
    matches: argv[0] !== undefined && argv0Matches(rule.argv0, argv[0]),
  };
  const parts = patterns.map((pattern, index) => ({
    expected: rule.argv[index] ?? '',
    actual: argv[index + 1] ?? null,
    matches: argumentMatches(pattern, argv[index + 1]),
  }));
  return { matches: argv0.matches && parts.every((part) => part.matches), argv0, arguments: parts };
};
