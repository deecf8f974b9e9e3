import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAbsence, parseJson, SmallFiles } from './small-file.ts';

/** `<tmp>/mux-bashes/<workspace>/<process>/meta.json`, as far as it is used. https://github.com/coder/mux */
const metaSchema = z.object({
  id: z.string().max(256).optional(),
  pid: z.int().min(2).max(4_194_304).optional(),
  displayName: z.string().max(1024).optional(),
  script: z.string().max(131_072).optional(),
  status: z.string().max(64).optional(),
});

/** What mux notes of one background process. */
export interface MuxProcess {
  /** The name that the person sees in mux; null where mux gave none. */
  readonly displayName: string | null;
  /** The command as the agent asked for it. */
  readonly script: string | null;
  readonly pid: number | null;
  /**
   * Whether `exit_code` is there: mux and the shell write it when the process has ended. null: could not be told.
   */
  readonly hasExitCode: boolean | null;
}

/** Reads the folder of one background process of mux, that of its `output.log`. null when there is no such folder or nothing readable in it. */
export const readMuxProcess = (folder: string, uid: number): MuxProcess | null => {
  const meta = new SmallFiles(uid, (text) => metaSchema.safeParse(parseJson(text)).data ?? null).read(
    join(folder, 'meta.json'),
    0,
  );
  let hasExitCode: boolean | null;
  try {
    hasExitCode = lstatSync(join(folder, 'exit_code')).isFile();
  } catch (error) {
    hasExitCode = isAbsence(error) ? false : null;
  }
  if (meta.state !== 'read')
    return hasExitCode === true ? { displayName: null, script: null, pid: null, hasExitCode } : null;
  const { displayName, script, pid } = meta.value;
  return { displayName: displayName ?? null, script: script ?? null, pid: pid ?? null, hasExitCode };
};
