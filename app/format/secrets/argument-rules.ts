import { once } from '../once.ts';
import { secretArguments, type SecretArguments } from './secret-arguments.ts';

const list = (text: string | undefined): readonly string[] => (text === undefined ? [] : text.split(' '));

/** Where one program takes secrets among its arguments, as `SecretArguments` says it. */
export interface ArgumentRule {
  readonly after: readonly string[];
  readonly short: readonly string[];
  /** A dash with options without a value, in front of another one. */
  readonly flags: RegExp | null;
  readonly joined: readonly string[];
  readonly next: ReadonlySet<string>;
  readonly pairs: readonly string[];
  readonly separator: string;
  readonly passed: ReadonlySet<string>;
  readonly assigned: readonly string[];
  readonly assignments: boolean;
  readonly operand: number;
  readonly last: RegExp | null;
  readonly final: boolean;
  readonly stdin: ReadonlySet<string>;
}

const ruleOf = (given: SecretArguments): ArgumentRule => ({
  after: list(given.after),
  short: list(given.short).map((letter) => `-${letter}`),
  flags: given.flags === undefined ? null : new RegExp(`^-[${given.flags}]+(?=[A-Za-z])`, 'u'),
  joined: list(given.joined),
  next: new Set(list(given.next)),
  pairs: list(given.pairs),
  separator: given.separator ?? ':',
  passed: new Set(list(given.passed)),
  assigned: list(given.assigned),
  assignments: given.assignments ?? false,
  operand: given.operand ?? Number.POSITIVE_INFINITY,
  last: given.last === undefined ? null : new RegExp(`^-[A-Za-z]*[${given.last}][A-Za-z]*$`, 'u'),
  final: given.final ?? false,
  stdin: new Set(list(given.stdin)),
});

/** Returns the rules of each program, by its name. */
export const rulesByProgram = once((): ReadonlyMap<string, readonly ArgumentRule[]> => {
  const rules = new Map<string, ArgumentRule[]>();
  for (const given of secretArguments) {
    const rule = ruleOf(given);
    for (const program of list(given.programs)) {
      const known = rules.get(program);
      if (known === undefined) rules.set(program, [rule]);
      else known.push(rule);
    }
  }
  return rules;
});
