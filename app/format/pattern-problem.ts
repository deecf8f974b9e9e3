import type { PatternProblem } from './pattern.ts';
import { visibleText } from './visible.ts';

/**
 * Says why a user's pattern is refused, as a sentence without its subject: "uses look-around, which
 * …".
 */
export const sayPatternProblem = (problem: PatternProblem): string => {
  switch (problem.code) {
    case 'empty':
      return 'is empty';
    case 'too-long':
      return `has ${problem.length} characters; at most ${problem.max} are allowed`;
    case 'too-large':
      return `repeats too much: its repetitions multiply to more than ${problem.max} steps for each character`;
    case 'look-around':
      return 'uses look-around ((?=…), (?!…), (?<=…), (?<!…)), which can’t be matched in linear time; write it without';
    case 'back-reference':
      return 'uses a back reference (\\1, \\k<name>), which can’t be matched in linear time; write it without';
    case 'invalid':
      return `is no pattern that RE2 knows (${visibleText(problem.message)})`;
  }
};
