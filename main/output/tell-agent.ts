import { messageOf, codeOf } from '../../app/format/error-message.ts';
import {
  writeFileSync,
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Said } from '../../app/format/said.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import { signatureOf } from '../../app/agents/signatures.ts';
import type { Job } from '../../app/model/job.ts';
import { inEnglish, joined, say } from '../../app/text/say.ts';
import { type TimeoutEvent, timeoutEventLine } from '../../app/text/agents/timeout-event.ts';
import { fileAtPath, fileHeldOpen, isSameFile, type FileIdentity } from '../os/files/held-file.ts';
import { holdFolder } from '../os/files/held-folder.ts';

/** The identity of a file that a job held open. */
export interface OutputFile {
  readonly path: string;
  readonly file: FileIdentity;
}

const ownerWrites = 0o200n;

/** Returns why a file is not written to; null if the job held it, this user's, by one name. */
const objection = (status: BigIntStats, { path, file }: OutputFile, uid: number): string | null => {
  if (!status.isFile()) return `${path} is no regular file any more`;
  if (!isSameFile(file, { device: status.dev, inode: status.ino })) return `${path} is another file by now`;
  if (status.uid !== BigInt(uid)) return `${path} belongs to another user`;
  // A second name may belong to a file that is no output.
  if (status.nlink !== 1n) return `${path} has ${status.nlink} names`;
  return (status.mode & ownerWrites) === 0n ? `${path} may not be written` : null;
};

const reasonOf = (path: string, error: unknown): string | null => {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return `${path} is gone`;
  if (code === 'ELOOP') return `${path} is a link by now`;
  return code === null || !(error instanceof Error) ? null : `${path}: ${error.message}`;
};

/** Appends on a line of its own, in one write. */
const append = (fd: number, bytes: number, text: string): string | null => {
  const last = Buffer.alloc(1);
  const read = bytes === 0 ? 0 : readSync(fd, last, 0, 1, bytes - 1);
  const line = Buffer.from(read === 1 && last.toString('latin1') !== '\n' ? `\n${text}` : text);
  return writeSync(fd, line) === line.length ? null : 'only a part of the line could be written';
};

/**
 * Appends a text to the file that a job held open, on a line of its own. The file is checked before
 * it is opened, so that opening has no effect on a pipe or device, and again through its
 * descriptor: a file swapped in between is not written. Creates nothing, follows no link, never
 * blocks.
 * @returns null, or why it was not added, in words
 */
export const appendToOutput = (output: OutputFile, uid: number, text: string): string | null => {
  const { path } = output;
  const { O_APPEND, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_RDWR } = constants;
  let fd: number | null = null;
  try {
    const before = objection(lstatSync(path, { bigint: true }), output, uid);
    if (before !== null) return before;
    fd = openSync(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const status = fstatSync(fd, { bigint: true });
    return objection(status, output, uid) ?? append(fd, Number(status.size), text);
  } catch (error) {
    const reason = reasonOf(path, error);
    if (reason === null) throw error;
    return reason;
  } finally {
    if (fd !== null) closeSync(fd);
  }
};

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
  if (!held.ok) return { kind: 'refused', why: inEnglish(held.why) };
  try {
    const beside = fileAtPath(held.folder.at(basename(output.path)));
    if (beside === null || !isSameFile(beside, output.file))
      return { kind: 'refused', why: `${folder} is another folder by now` };
    writeFileSync(held.folder.at(file), `${code}\n`, { flag: 'wx' });
    return { kind: 'written' };
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return codeOf(error) === 'EEXIST'
      ? { kind: 'there' }
      : { kind: 'refused', why: `${join(folder, file)}: ${messageOf(error)}` };
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
