import { byKey } from '../format/said.ts';
import { failure, type Answer } from './answer.ts';
import { isQuestionName, questions, type QuestionName, type QuestionOutput, type QuestionRequest } from './contract.ts';

/** One handler per question; the type enforces completeness. One that throws becomes a failure. */
export type Answerers = {
  readonly [Name in QuestionName]: (
    input: QuestionRequest<Name>,
  ) => Promise<Answer<QuestionOutput<Name>>> | Answer<QuestionOutput<Name>>;
};

/**
 * Answers a request from a carrier. Refuses unknown names and invalid input in words, and never
 * passes on an answer that breaks the contract. Never throws. `report` gets internal errors for the
 * log; the window only learns that something failed.
 */
export const answerQuestion = async (
  answerers: Answerers,
  name: unknown,
  input: unknown,
  report: (error: unknown, name: QuestionName) => void,
): Promise<Answer<unknown>> => {
  if (!isQuestionName(name)) return { ok: false, failure: failure('invalid', byKey('There is no such question.')) };
  const checked = questions[name].input.safeParse(input);
  if (!checked.success) {
    const fields = checked.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
    return { ok: false, failure: failure('invalid', byKey('What was asked for makes no sense.'), { fields }) };
  }
  try {
    // The map gives each name its own function; the compiler can't follow that through a variable
    // name.
    const answerer = answerers[name] as (request: unknown) => Promise<Answer<unknown>> | Answer<unknown>;
    const answer = await answerer(checked.data);
    if (!answer.ok) return answer;
    return { ok: true, value: questions[name].output.parse(answer.value) };
  } catch (error) {
    report(error, name);
    return {
      ok: false,
      failure: failure('failed', byKey('Curfew could not do this.'), {
        advice: byKey('The log says why; “About and diagnostics” shows where it is.'),
      }),
    };
  }
};
