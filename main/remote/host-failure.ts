import type { AnswerSections } from '../../app/remote/answer.ts';
import type { HostProblem } from '../../app/remote/host-problem.ts';
import { sayHostProblem } from '../../app/text/host-problem.ts';
import { SaidError } from '../../app/text/say.ts';

/**
 * A machine could not be asked, or its answer was refused. Nothing may be concluded about its
 * processes; the message is for people.
 */
export class HostFailure extends SaidError {
  override readonly name = 'HostFailure';
  readonly host: string;
  readonly problem: HostProblem;
  /** Private, so that printing the error does not print what a machine said. */
  readonly #partial: AnswerSections | null;

  constructor(host: string, problem: HostProblem, partial: AnswerSections | null = null) {
    super(sayHostProblem(host, problem));
    this.host = host;
    this.problem = problem;
    this.#partial = partial;
  }

  /** What of the answer came before it broke off. */
  get partial(): AnswerSections | null {
    return this.#partial;
  }
}
