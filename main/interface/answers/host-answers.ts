import { saidOf, say } from '../../../app/text/say.ts';
import type { Answer } from '../../../app/contract/answer.ts';
import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import type { QuestionOutput } from '../../../app/contract/contract.ts';
import { asJobId, type JobId } from '../../../app/model/job.ts';
import { localHost } from '../../../app/remote/host-list.ts';
import { HostFailure } from '../../remote/host-failure.ts';
import { InstalledRefusal } from '../../remote/installed-curfew.ts';
import type { HostWatch } from '../../remote/watch/host-watch.ts';
import type { OutputPart } from '../../output/output-part.ts';
import type { Supervisor } from '../../supervisor/supervisor.ts';
import { refused } from './failures.ts';
import { reapAnswer, refusalAnswer } from './reap-answer.ts';

/** Rescans the machine on which something changed, so that every window sees it. */
export const lookAgain = (
  { supervisor, hosts }: { readonly supervisor: Supervisor; readonly hosts: HostWatch },
  host: string,
): void => {
  if (host === localHost) supervisor.lookNow();
  else void hosts.lookNow(host);
};

/** Forwards a change to a remote Curfew, rescans, and returns the answer, or why it failed. */
export const toldElsewhere = async <Value>(
  hosts: HostWatch,
  { host, job }: { readonly host: string; readonly job: string },
  seconds: number | null,
  answer: Answer<Value>,
): Promise<Answer<Value>> => {
  if (host === localHost || !answer.ok) return answer;
  try {
    await hosts.keep(host, asJobId(job), seconds);
    return answer;
  } catch (error) {
    if (error instanceof HostFailure || error instanceof InstalledRefusal)
      return refused('failed', say('{failure}.', { failure: saidOf(error) }));
    throw error;
  }
};

/** Returns the end of a job's output elsewhere, over ssh. `path`: as the job has it. */
export const elsewhereOutput = async (
  hosts: HostWatch,
  host: string,
  path: string | null,
  fromByte: number | null,
): Promise<Answer<OutputPart>> => {
  try {
    const value = path === null ? null : await hosts.output(host, path, fromByte);
    return value === null
      ? refused('not-found', say('This job has no output file that could be read.'))
      : { ok: true, value };
  } catch (error) {
    if (error instanceof HostFailure) return refused('failed', say('{failure}.', { failure: saidOf(error) }));
    throw error;
  }
};

/** Ends a job on another machine for the user, and returns the first result at once. */
export const elsewhereReap = async (
  hosts: HostWatch,
  host: string,
  job: string,
): Promise<Answer<{ reaping: string }>> => {
  try {
    const came = jobIdPattern.test(job) ? await hosts.reap(host, asJobId(job)) : null;
    return came === null
      ? refused('not-found', say('{host} is not watched (any more), or there is no such job.', { host }))
      : reapAnswer(came);
  } catch (error) {
    if (error instanceof HostFailure)
      return refused('failed', say('Nothing was signalled: {why}.', { why: error.message }));
    throw error;
  }
};

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
  const refusals: ReapAll['refused'] = [];
  let begun = 0;
  const take = ({ job, host }: Asked, answer: Answer<{ reaping: string }>): void => {
    if (answer.ok) begun += 1;
    else refusals.push({ job, host, message: answer.failure.message });
  };
  const here: JobId[] = asked.flatMap(({ job, host }) =>
    host === localHost && jobIdPattern.test(job) ? [asJobId(job)] : [],
  );
  if (here.length > 0)
    for (const [job, refusal] of await supervisor.reapAll(here))
      take({ job, host: localHost }, refusal === null ? { ok: true, value: { reaping: job } } : refusalAnswer(refusal));
  // One after the other: each waits for a look at its machine.
  for (const one of asked) if (one.host !== localHost) take(one, await elsewhereReap(hosts, one.host, one.job));
  return { ok: true, value: { begun, refused: refusals } };
};
