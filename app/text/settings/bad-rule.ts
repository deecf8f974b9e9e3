import type { Said } from '../../format/said.ts';
import { visibleText } from '../../format/visible.ts';
import type { BadRule } from '../../settings/schema.ts';
import { sayPatternProblem } from './pattern-problem.ts';
import { say } from '../say.ts';

/** A pattern in quotes, at most 80 characters of it. */
const quoted = (text: string): string => `“${visibleText(text.length > 80 ? `${text.slice(0, 79)}…` : text)}”`;

/** Returns what is wrong with a rule of the user's own, as a whole sentence. */
export const sayBadRule = ({ rule: { name, argv0, argv, project }, problem }: BadRule): Said => {
  const rule = quoted(name);
  switch (problem.code) {
    case 'empty':
      return problem.part === 'name' ? say('A rule has no name.') : say('The rule {rule} names no program.', { rule });
    case 'not-absolute':
      return say('The rule {rule} names the folder {folder}, which is no absolute path.', {
        rule,
        folder: quoted(project ?? ''),
      });
    case 'too-broad':
      return say('The rule {rule} fits everything that {program} runs; say which arguments.', {
        rule,
        program: quoted(argv0),
      });
    case 'too-many':
      return say('The rule {rule} has {count} patterns; at most {max} are allowed.', {
        rule,
        count: argv.length,
        max: problem.max,
      });
    case 'pattern':
      return say('The rule {rule}: its pattern {pattern} {problem}.', {
        rule,
        pattern: quoted(argv[problem.index] ?? ''),
        problem: sayPatternProblem(problem.problem),
      });
  }
};
