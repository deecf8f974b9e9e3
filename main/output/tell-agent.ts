import { joined, say } from '../../app/text/said/say.ts';
import { dirname } from 'node:path';
import { dossiers } from '../../app/agents/dossiers.ts';
import { signatureOf } from '../../app/agents/signatures.ts';
import type { Job } from '../../app/jobs/model/job.ts';
import { timeoutEventLine, type TimeoutEvent } from '../../app/text/timeout-event.ts';
import { fileHeldOpen } from '../os/files/held-file.ts';
import { appendToOutput, type OutputFile } from './append-to-output.ts';
import { writeExitCode } from './exit-code-file.ts';

/**
 * Returns the output file of a job in which its agent can be notified: in the agent's own layout,
 * and held open by a member now. Null if there is none, or it was unlinked and has no reader.
 */
export const outputToTellIn = (job: Job): OutputFile | null => {
  const path = job.output;
  if (path === null || signatureOf(job.agent).output(path) === null) return null;
  for (const [pid, { openFiles }] of job.facts) {
    for (const { fd, target, deleted } of openFiles ?? []) {
      if (target !== path || deleted) continue;
      const file = fileHeldOpen(pid, fd, path);
      if (file !== null) return { path, file };
    }
  }
  return null;
};

const exitCodes = { reaped: 143, killed: 137 } as const;

/** Whether the agent was notified, with a sentence for the record either way. */
export interface Telling {
  readonly told: boolean;
  readonly text: string;
}

/**
 * Notes in the agent's output file that its command was ended.
 * @param uid the required owner of the file
 */
export const tellAgent = (job: Job, output: OutputFile, uid: number, event: TimeoutEvent): Telling => {
  const untold = appendToOutput(output, uid, timeoutEventLine(event));
  if (untold !== null)
    return { told: false, text: say('The agent could not be told in its output file: {why}.', { why: untold }) };
  const text = say('Noted in the agent’s output file, {path}.', { path: output.path });
  const { exitCode } = dossiers[job.agent];
  if (exitCode === 'none' || event.outcome === 'survived') return { told: true, text };
  const code = exitCodes[event.outcome];
  const written = writeExitCode({ folder: dirname(output.path), file: exitCode.file, output, uid, code });
  switch (written.kind) {
    case 'written':
      return { told: true, text: joined(text, say('Exit code {code} was written beside it.', { code })) };
    case 'there':
      return { told: true, text };
    case 'refused':
      return {
        told: true,
        text: joined(text, say('Its exit code could not be written beside it: {why}.', { why: written.why })),
      };
  }
};
