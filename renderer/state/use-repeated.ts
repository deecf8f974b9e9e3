import { useEffect } from 'react';
import type { QuestionInput, QuestionName, QuestionOutput } from '../../app/contract/contract.ts';
import { type Asked, useAnswer } from './use-answer.ts';

/** Milliseconds between two questions of an open window; a hidden one does not ask. */
const againMs = 10_000;

/** Asks when the view is shown, and again while it is visible. */
export const useRepeated = <Name extends QuestionName>(
  name: Name,
  input: QuestionInput<Name>,
): Asked<QuestionOutput<Name>> => {
  const asked = useAnswer(name, input);
  const { again } = asked;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, againMs);
    return () => {
      clearInterval(timer);
    };
  }, [again]);
  return asked;
};
