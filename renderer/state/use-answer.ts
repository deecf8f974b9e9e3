import { useCallback, useEffect, useState } from 'react';
import type { Failure } from '../../app/contract/answer.ts';
import type { QuestionInput, QuestionName, QuestionOutput } from '../../app/contract/contract.ts';
import { useBridge } from './bridge-context.ts';

/** State of a view that asks when it is shown: nothing yet, the answer, or a failure. */
export interface Asked<Output> {
  readonly value: Output | null;
  readonly failure: Failure | null;
  /** True while a question is in progress; the previous value remains. */
  readonly loading: boolean;
  readonly again: () => void;
}

/** Asks when shown and when input or `stamp` (what it depends on) changes; drops old answers. */
export const useAnswer = <Name extends QuestionName>(
  name: Name,
  input: QuestionInput<Name>,
  stamp = '',
): Asked<QuestionOutput<Name>> => {
  const bridge = useBridge();
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Omit<Asked<QuestionOutput<Name>>, 'again'>>({
    value: null,
    failure: null,
    loading: true,
  });
  const key = JSON.stringify(input);
  useEffect(() => {
    let wanted = true;
    setState((before) => ({ ...before, loading: true }));
    void bridge.ask(name, JSON.parse(key) as QuestionInput<Name>).then((answer) => {
      if (!wanted) return;
      setState(
        answer.ok
          ? { value: answer.value, failure: null, loading: false }
          : { value: null, failure: answer.failure, loading: false },
      );
    });
    return () => {
      wanted = false;
    };
  }, [bridge, name, key, round, stamp]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, again };
};
