import type { Said } from '../../../app/format/said.ts';
import { compilePattern } from '../../../app/format/pattern.ts';
import type { UserRuleView } from '../../../app/contract/views/settings-view.ts';
import { sayPatternProblem } from '../../../app/text/settings/pattern-problem.ts';
import type { Voice } from '../../../app/text/voice.ts';
import type { Texts } from '../../texts/en/index.ts';

/** A new rule as it was written so far; arguments one pattern a line. */
export interface RuleDraft {
  readonly name: string;
  readonly argv0: string;
  readonly argv: string;
  readonly project: string;
}

const patternsOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

const problemOf = (pattern: string): Said | null => {
  const result = compilePattern(pattern);
  return result.ok ? null : sayPatternProblem(result.problem);
};

/** Returns why a draft is refused, by field, in words. Empty when it is fine. */
export const ruleProblems = (
  draft: RuleDraft,
  words: Texts['settings']['rules'],
  said: Voice['said'],
): Partial<Record<keyof RuleDraft, string>> => {
  const bad = patternsOf(draft.argv)
    .map((pattern) => ({ pattern, problem: problemOf(pattern) }))
    .find(({ problem }) => problem !== null);
  const folder = draft.project.trim();
  return {
    ...(draft.name.trim() === '' ? { name: words.needName } : {}),
    ...(draft.argv0.trim() === '' ? { argv0: words.needProgram } : {}),
    ...(bad === undefined ? {} : { argv: words.badPattern(bad.pattern, said(bad.problem ?? '')) }),
    ...(folder === '' || /^(?:\/|~\/|[A-Za-z]:[\\/])/u.test(folder) ? {} : { project: words.notAbsolute }),
  };
};

/** Returns the rule that a draft without problems describes. */
export const ruleOf = ({ name, argv0, argv, project }: RuleDraft): UserRuleView => ({
  name: name.trim(),
  argv0: argv0.trim(),
  argv: patternsOf(argv),
  ...(project.trim() === '' ? {} : { project: project.trim() }),
});
