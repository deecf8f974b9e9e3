import { basename, join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { fileAtPath, isSameFile } from '../os/files/held-file.ts';
import { holdFolder } from '../os/files/held-folder.ts';
import type { OutputFile } from './append-to-output.ts';

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
