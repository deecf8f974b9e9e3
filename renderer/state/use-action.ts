import { useCallback, useState } from 'react';
import type { Failure } from '../../app/contract/answer.ts';
import type { QuestionInput, QuestionName, QuestionOutput } from '../../app/contract/contract.ts';
import { useBridge } from './bridge-context.ts';
import { useReached } from './store-context.ts';

/** An action in progress, and its last failure. */
export interface Action<Name extends QuestionName> {
  /** True also without a connection: nothing can be asked then, and a notice says so. */
  readonly busy: boolean;
  readonly failure: Failure | null;
  /** Runs it; null if it failed: see `failure`. A second call during the first does nothing. */
  readonly run: (input: QuestionInput<Name>) => Promise<QuestionOutput<Name> | null>;
  readonly forget: () => void;
}

/** One question that the user triggers, with its failure kept to be shown in place. */
export const useAction = <Name extends QuestionName>(name: Name): Action<Name> => {
  const bridge = useBridge();
  // What a page copies it copies by itself.
  const reached = useReached() || name === 'app.copy';
  const [asking, setAsking] = useState(false);
  const busy = asking || !reached;
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = useCallback(
    async (input: QuestionInput<Name>) => {
      if (busy) return null;
      setAsking(true);
      setFailure(null);
      const answer = await bridge.ask(name, input);
      setAsking(false);
      if (answer.ok) return answer.value;
      if (answer.failure.code !== 'cancelled') setFailure(answer.failure);
      return null;
    },
    [bridge, busy, name],
  );
  const forget = useCallback(() => setFailure(null), []);
  return { busy, failure, run, forget };
};
