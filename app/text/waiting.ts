import { redactCommand } from '../format/secrets/redact.ts';
import type { Said } from '../format/said.ts';
import type { Outcome } from '../history/incident.ts';
import type { Job } from '../model/job.ts';
import { say } from './form.ts';
import { endingSaid } from './outcomes.ts';

/** Says how the waiting for a job ended. */
export const sayWaited = ({
  job: { id, command },
  ended,
  exitCode,
  outcome,
}: {
  readonly job: Pick<Job, 'id' | 'command'>;
  readonly ended: boolean;
  readonly exitCode: number | null;
  readonly outcome: Outcome | null;
}): Said => {
  const figures = { job: id, command: redactCommand(command) };
  if (!ended) return say('{job} still runs: {command}', figures);
  if (outcome !== null)
    return say('{job} was ended by Curfew ({outcome}): {command}', { ...figures, outcome: endingSaid(outcome) });
  return exitCode === null
    ? say('{job} has ended: {command}', figures)
    : say('{job} has ended with status {status}: {command}', { ...figures, status: exitCode });
};
