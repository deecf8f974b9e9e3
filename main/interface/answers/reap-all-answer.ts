import type { Answer } from '../../../app/contract/answer.ts';
import type { QuestionOutput } from '../../../app/contract/contract.ts';
import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import { asJobId, type JobId } from '../../../app/jobs/model/job.ts';
import { localHost } from '../../../app/remote/host-name.ts';
import type { HostWatch } from '../../remote/watch/host-watch.ts';
import type { Supervisor } from '../../supervisor/supervisor.ts';
import { elsewhereReap } from './host-answers.ts';
import { refusalAnswer } from './reap-answer.ts';

interface Asked {
  readonly job: string;
  readonly host: string;
}

type ReapAll = QuestionOutput<'job.reapAll'>;

/**
 * Ends several jobs for the user: those of this machine with one new look for all, each seen twice
 * and with every veto asked again, like a single one. Says which were not taken up, and why.
 */
export const reapAllAnswer = async (
  supervisor: Supervisor,
  hosts: HostWatch,
  asked: readonly Asked[],
): Promise<Answer<ReapAll>> => {
  const refused: ReapAll['refused'] = [];
  let begun = 0;
  const take = ({ job, host }: Asked, answer: Answer<{ reaping: string }>): void => {
    if (answer.ok) begun += 1;
    else refused.push({ job, host, message: answer.failure.message });
  };
  const here: JobId[] = asked.flatMap(({ job, host }) =>
    host === localHost && jobIdPattern.test(job) ? [asJobId(job)] : [],
  );
  if (here.length > 0)
    for (const [job, refusal] of supervisor.reapAll(here))
      take({ job, host: localHost }, refusal === null ? { ok: true, value: { reaping: job } } : refusalAnswer(refusal));
  // One after the other: each waits for a look at its machine.
  for (const one of asked) if (one.host !== localHost) take(one, await elsewhereReap(hosts, one.host, one.job));
  return { ok: true, value: { begun, refused } };
};
