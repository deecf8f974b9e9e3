import {
  isAbsolutePath,
  isInFolder,
  isWindowsPath,
  programFile,
  programPath,
  samePath,
  windowsProgram,
} from '../paths/path.ts';
import { compilePattern, maxMatchedText, type Pattern, type PatternProblem } from '../format/pattern.ts';

/**
 * A user's own description of commands of an agent that Curfew doesn't know. Anchored on the
 * program and on whole arguments, never a substring of the command line. Kept in the settings as it
 * is.
 */
export interface UserRule {
  /** Shown as the rule of the job: "our-bot". */
  readonly name: string;
  /**
   * argv[0] exactly: a path when it has a `/` or is one of Windows, else the base name. On Windows
   * its case and `.exe` don't count.
   */
  readonly argv0: string;
  /** Patterns of RE2; each must fit one argument, from its beginning to its end. */
  readonly argv: readonly string[];
  /** Absolute folder in which, or below which, it must run. */
  readonly project?: string;
}

export type UserRuleProblem =
  | { readonly part: 'name' | 'argv0'; readonly code: 'empty' }
  | { readonly part: 'project'; readonly code: 'not-absolute' }
  /** It would match everything an interpreter, a shell or an everyday program runs. */
  | { readonly part: 'argv'; readonly code: 'too-broad' }
  | { readonly part: 'argv'; readonly code: 'too-many'; readonly max: number }
  | { readonly part: 'argv'; readonly code: 'pattern'; readonly index: number; readonly problem: PatternProblem };

export interface CompiledUserRule {
  readonly rule: UserRule;
  readonly patterns: readonly Pattern[];
}

export type UserRuleResult =
  | { readonly ok: true; readonly compiled: CompiledUserRule }
  | { readonly ok: false; readonly problems: readonly UserRuleProblem[] };

const maxPatterns = 16;
const maxArguments = 256;
/** Characters of all arguments that are matched: a wall against a long argv, no rule for users. */
const maxArgumentText = 16_384;
const runsAnything =
  /^(?:node|nodejs|bun|deno|npm|npx|pnpm|yarn|python[0-9.]*|ruby|perl|java|go|cargo|make|(?:ba|z|da|k|fi)?sh|env|sudo|nohup|setsid|timeout|cmd|powershell|pwsh)$/;
const matchesAnything = /^[.[\]^*+?\\sSwWdD]*$/;

/** The program that a rule names, also where it is one of Windows without its folder. */
const fileOf = (argv0: string): string => programFile(/^[^/]*\.exe$/iu.test(argv0) ? windowsProgram(argv0) : argv0);

/** Checks and compiles a rule. Never throws. */
export const compileUserRule = (rule: UserRule): UserRuleResult => {
  const problems: UserRuleProblem[] = [];
  if (rule.name.trim() === '') problems.push({ part: 'name', code: 'empty' });
  if (rule.argv0.trim() === '') problems.push({ part: 'argv0', code: 'empty' });
  if (rule.project !== undefined && !isAbsolutePath(rule.project))
    problems.push({ part: 'project', code: 'not-absolute' });
  if (rule.argv.length > maxPatterns) problems.push({ part: 'argv', code: 'too-many', max: maxPatterns });
  if (runsAnything.test(fileOf(rule.argv0)) && rule.argv.every((pattern) => matchesAnything.test(pattern)))
    problems.push({ part: 'argv', code: 'too-broad' });
  const patterns: Pattern[] = [];
  for (const [index, pattern] of rule.argv.slice(0, maxPatterns).entries()) {
    const result = compilePattern(pattern);
    if (result.ok) patterns.push(result.pattern);
    else problems.push({ part: 'argv', code: 'pattern', index, problem: result.problem });
  }
  return problems.length === 0 ? { ok: true, compiled: { rule, patterns } } : { ok: false, problems };
};

const argv0Matches = (expected: string, actual: string): boolean => {
  if (isWindowsPath(expected)) return samePath(programPath(expected), programPath(actual));
  if (expected.includes('/')) return actual === expected;
  const file = programFile(actual);
  return file === expected || (isWindowsPath(actual) && file === windowsProgram(expected));
};

/**
 * The arguments that are matched. One longer than `maxMatchedText`, and those behind the first
 * `maxArguments` or `maxArgumentText` characters, fit nothing.
 */
const examined = (argv: readonly string[]): readonly string[] => {
  let left = maxArgumentText;
  return argv.slice(1, maxArguments).filter((argument) => {
    if (argument.length > maxMatchedText) return false;
    left -= argument.length;
    return left >= 0;
  });
};

const fitsOne = (pattern: Pattern, argv: readonly string[]): boolean => examined(argv).some(pattern.fits);

interface Remembered {
  readonly result: UserRuleResult;
  /** Whether the patterns fit an argv. An unchanged row keeps its argv from scan to scan. */
  readonly fits: WeakMap<readonly string[], boolean>;
}

/** Rules come out of the settings as the same objects until they change: each is compiled once. */
const compiledRules = new WeakMap<UserRule, Remembered>();

const remembered = (rule: UserRule): Remembered => {
  let known = compiledRules.get(rule);
  if (known === undefined) {
    known = { result: compileUserRule(rule), fits: new WeakMap() };
    compiledRules.set(rule, known);
  }
  return known;
};

const patternsFit = ({ result, fits }: Remembered, argv: readonly string[]): boolean => {
  let known = fits.get(argv);
  if (known === undefined) {
    known = result.ok && result.compiled.patterns.every((pattern) => fitsOne(pattern, argv));
    fits.set(argv, known);
  }
  return known;
};

/**
 * Whether a process is what the rule describes. A rule that can't be compiled matches nothing;
 * `compileUserRule` says why. `folder` is asked for only when everything else fits; without it a
 * rule that names a project matches nothing.
 */
export const matchUserRule = (
  rule: UserRule,
  row: { readonly argv: readonly string[] },
  folder: () => string | null = () => null,
): boolean => {
  const [program] = row.argv;
  if (program === undefined || !argv0Matches(rule.argv0, program)) return false;
  if (!patternsFit(remembered(rule), row.argv)) return false;
  if (rule.project === undefined) return true;
  const actual = folder();
  return actual !== null && isInFolder(actual, rule.project);
};
