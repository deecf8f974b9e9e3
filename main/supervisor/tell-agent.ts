import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { signatureOf } from '../../app/agents/signatures.ts';
import type { Job } from '../../app/jobs/job.ts';
import { timeoutEventLine, type TimeoutEvent } from '../../app/text/timeout-event.ts';
import { appendToOutput } from './output-file.ts';

/**
 * The output file of a job that its agent may be told in: in the agent's own layout, and held open by a member. null for none, also
 * for one that was unlinked, which nobody will read.
 */
export const outputToTellIn = (job: Job): string | null => {
  const path = job.output;
  if (path === null || signatureOf(job.agent).output(path) === null) return null;
  const held = [...job.facts.values()].some(({ openFiles }) =>
    (openFiles ?? []).some(({ target, deleted }) => target === path && !deleted),
  );
  return held ? path : null;
};

const exitCodes = { reaped: 143, killed: 137 } as const;

/**
 * mux takes a process for running as long as its folder has no `exit_code`. Written as mux itself does when it terminates one, and only
 * where its shell has not done it. https://github.com/coder/mux, src/node/services/backgroundProcessManager.ts
 */
const writeExitCode = (folder: string, outcome: keyof typeof exitCodes): void => {
  try {
    // Exclusive: never over what is there, and never through a link.
    writeFileSync(join(folder, 'exit_code'), `${exitCodes[outcome]}\n`, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
};

/**
 * Tells the agent where it will look that its command was ended.
 * @param uid whose file it has to be
 * @returns null, or why it could not be told, in words
 */
export const tellAgent = (job: Job, output: string, uid: number, event: TimeoutEvent): string | null => {
  try {
    if (!appendToOutput(output, uid, timeoutEventLine(event))) return `${output} is no file of this user's any more`;
    if (job.agent === 'mux' && event.outcome !== 'survived') writeExitCode(dirname(output), event.outcome);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
