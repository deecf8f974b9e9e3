import type { AgentId } from '../agents/common/agent-id.ts';
import { readShellWord } from '../agents/common/shell-word.ts';
import { claimsOf, programOf } from '../agents/signatures.ts';
import { matchUserRule, type UserRule } from '../agents/user-rules.ts';
import { redactCommand } from '../format/secrets/redact.ts';
import { programFile } from '../paths/path.ts';
import type { Exemption } from '../settings/settings.ts';
import { testExemption } from './exemptions.ts';

/** A command line split as by a shell, unquoted; null: an open quote, or several commands. */
const asShellWords = (text: string): readonly string[] | null => {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/u.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const word = readShellWord(text, at);
    if (word === null) return null;
    words.push(word.value);
    at = word.end;
  }
  return words;
};

/**
 * The arguments that a pasted command line can stand for, the likelier reading first: quoted as for
 * a shell, or as `ps` prints them, with blanks between and every quote an argument's own.
 */
export const readingsOf = (commandLine: string): readonly [readonly string[], ...(readonly string[])[]] => {
  const text = commandLine.trim();
  const quoted = asShellWords(text);
  const plain = text.split(/\s+/u).filter((word) => word !== '');
  if (quoted === null || quoted.join('\0') === plain.join('\0')) return [plain];
  return [quoted, plain];
};

/** A signature or a rule of the user's own that a command line fits. */
export interface RuleMatch {
  readonly rule: string;
  readonly agent: AgentId;
  /** What the agent was asked to run, redacted; null where the grammar doesn't carry it. */
  readonly command: string | null;
  readonly own: boolean;
  /** The folder in which it must run for the rule to fit; null: anywhere. */
  readonly onlyIn: string | null;
}

/** What a command line alone can say; environment, group, parent and folder could say more. */
export interface RuleTestResult {
  /** In the order in which they are asked. */
  readonly matches: readonly RuleMatch[];
  /** Exemptions that spare it: by command, the only part that a command line tells. */
  readonly exemptions: readonly Exemption[];
  /** It is an agent itself, which is never ended. */
  readonly program: AgentId | null;
}

const matchesOf = (argv: readonly string[], line: string, rules: readonly UserRule[]): readonly RuleMatch[] => {
  const shells = claimsOf({ argv }, null).flatMap(({ agent, shell }): RuleMatch[] =>
    shell === null
      ? []
      : [
          {
            rule: shell.rule,
            agent,
            command: shell.command === null ? null : redactCommand(shell.command),
            own: false,
            onlyIn: null,
          },
        ],
  );
  const own = rules
    .filter((rule) => matchUserRule(rule, { argv }, () => rule.project ?? null))
    .map((rule): RuleMatch => ({
      rule: rule.name,
      agent: 'other',
      command: redactCommand(line),
      own: true,
      onlyIn: rule.project ?? null,
    }));
  return [...shells, ...own];
};

/** Tries a pasted command line on all signatures, rules and exemptions. Never throws. */
export const testCommandLine = (
  commandLine: string,
  rules: readonly UserRule[],
  exemptions: readonly Exemption[],
): RuleTestResult => {
  const line = commandLine.trim();
  const tried = (argv: readonly string[]) => ({ argv, matches: matchesOf(argv, line, rules) });
  const [likeliest, ...others] = readingsOf(line);
  const best = [likeliest, ...others].map(tried).find((one) => one.matches.length > 0) ?? tried(likeliest);
  const { matches } = best;
  const commands = [line, ...matches.flatMap(({ command }) => command ?? [])].map(redactCommand);
  return {
    matches,
    exemptions: exemptions.filter((exemption) =>
      commands.some((command) => testExemption(exemption, { command, project: null, holds: { ports: [] } }).matches),
    ),
    program: programOf({ argv: best.argv, comm: programFile(best.argv[0] ?? '') }),
  };
};
