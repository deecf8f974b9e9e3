import type { GuardForm, RawArguments, SaidDecision } from '../../../app/agents/common/guard-form.ts';

/**
 * Returns a decision as JSON in the form that its agent takes.
 * @param given the tool's arguments as they came, so that a changed command goes back with all the
 *   rest of them
 */
export const guardAnswer = ({ answer }: GuardForm, decision: SaidDecision, given: RawArguments): string =>
  JSON.stringify(
    answer({
      kind: decision.kind,
      text: decision.sentences.join(' '),
      changed: decision.kind === 'rewrite' ? { ...given, command: decision.command } : null,
    }),
  );
