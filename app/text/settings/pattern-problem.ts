import type { PatternProblem } from '../../format/pattern.ts';
import type { Said } from '../../format/said.ts';
import { visibleText } from '../../format/visible.ts';
import { say } from '../say.ts';

/** Says why a pattern is refused, without a subject: "uses look-around, which …". */
export const sayPatternProblem = (problem: PatternProblem): Said => {
  switch (problem.code) {
    case 'empty':
      return say('is empty');
    case 'too-long':
      return say('has {length} characters; at most {max} are allowed', { length: problem.length, max: problem.max });
    case 'too-large':
      return say('repeats too much: its repetitions multiply to more than {max} steps for each character', {
        max: problem.max,
      });
    case 'look-around':
      return say(
        'uses look-around ((?=…), (?!…), (?<=…), (?<!…)), which can’t be matched in linear time; write it without',
      );
    case 'back-reference':
      return say('uses a back reference (\\1, \\k<name>), which can’t be matched in linear time; write it without');
    case 'invalid':
      return say('is no pattern that RE2 knows ({why})', { why: visibleText(problem.message) });
  }
};
