import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Said } from '../../app/format/said.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import { signatureOf } from '../../app/agents/signatures.ts';
import type { Job } from '../../app/model/job.ts';
import { joined, say } from '../../app/text/say.ts';
import { type TimeoutEvent, timeoutEventLine } from '../../app/text/agents/timeout-event.ts';
import { fileAtPath, fileHeldOpen, isSameFile } from '../os/files/held-file.ts';
import { holdFolder } from '../os/files/held-folder.ts';
import { type OutputFile, appendToOutput } from './append-to-output.ts';

/** An exit code and where it is written. */
export interface ExitCode {
  readonly folder: string;
  /** Its name in that folder. */
  readonly file: string;
  /** The output file in that folder, which identifies the folder. */
  readonly output: OutputFile;
  readonly uid: number;
  readonly code: number;
}

/** The result. `there`: its own shell had written one. */
export type ExitCodeWriting =
  | { readonly kind: 'written' | 'there' }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Writes an exit code with a line end, for an agent that reads it there. Written only if missing:
 * never over an existing file, through a link, or into a folder that replaced the job's.
 */
export const writeExitCode = ({ folder, file, output, uid, code }: ExitCode): ExitCodeWriting => {
  const held = holdFolder(folder, uid);
  if (!held.ok) return { kind: 'refused', why: held.why };
  try {
    const beside = fileAtPath(held.folder.at(basename(output.path)));
    if (beside === null || !isSameFile(beside, output.file))
      return { kind: 'refused', why: `${folder} is another folder by now` };
    writeFileSync(held.folder.at(file), `${code}\n`, { flag: 'wx' });
    return { kind: 'written' };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return error.code === 'EEXIST'
      ? { kind: 'there' }
      : { kind: 'refused', why: `${join(folder, file)}: ${error.message}` };
  } finally {
    held.folder.close();
  }
};

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
  readonly text: Said;
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
