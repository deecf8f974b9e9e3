import { sayPatternProblem } from '../../format/pattern-problem.ts';
import { visibleText } from '../../format/visible.ts';
import type { BadRule } from '../../settings/schema.ts';

/** A pattern in quotes, at most 80 characters of it. */
const quoted = (text: string): string => `“${visibleText(text.length > 80 ? `${text.slice(0, 79)}…` : text)}”`;

/** Returns what is wrong with a rule of the user's own, as a whole sentence. */
export const sayBadRule = ({ rule, problem }: BadRule): string => {
  const named = `The rule ${quoted(rule.name)}`;
  switch (problem.code) {
    case 'empty':
      return problem.part === 'name' ? 'A rule has no name.' : `${named} names no program.`;
    case 'not-absolute':
      return `${named} names the folder ${quoted(rule.project ?? '')}, which is no absolute path.`;
    case 'too-broad':
      return `${named} fits everything that ${quoted(rule.argv0)} runs; say which arguments.`;
    case 'too-many':
      return `${named} has ${rule.argv.length} patterns; at most ${problem.max} are allowed.`;
    case 'pattern':
      return `${named}: its pattern ${quoted(rule.argv[problem.index] ?? '')} ${sayPatternProblem(problem.problem)}.`;
  }
};
