import { parseJson } from '../../../app/format/json.ts';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import type { AgentNote } from '../../../app/jobs/lineage/evidence.ts';
import { SmallFiles } from '../../os/files/small-file.ts';

/** `<tmp>/mux-bashes/<workspace>/<process>/meta.json`, as used. https://github.com/coder/mux */
const metaSchema = once(() =>
  z.object({
    pid: z.int().min(2).max(4_194_304).optional(),
    displayName: z.string().max(1024).optional(),
    script: z.string().max(131_072).optional(),
  }),
);

/** Notes that are remembered; a script can be long, and processes come and go for weeks. */
const maxRemembered = 256;

/** Reads what mux notes of its background processes, each note again only when it has changed. */
export class MuxProcesses {
  readonly #uid: number;
  readonly #folders = new Set<string>();
  #notes: SmallFiles<z.infer<ReturnType<typeof metaSchema>>>;

  /** @param uid whose files they have to be */
  constructor(uid: number) {
    this.#uid = uid;
    this.#notes = this.#none();
  }

  /** The note of this folder's process, for its `output.log`. null: no folder, or unreadable. */
  read(folder: string): AgentNote | null {
    if (this.#folders.size >= maxRemembered && !this.#folders.has(folder)) {
      this.#folders.clear();
      this.#notes = this.#none();
    }
    this.#folders.add(folder);
    const meta = this.#notes.read(join(folder, 'meta.json'), Date.now());
    if (meta.state !== 'read') return null;
    const { displayName, script, pid } = meta.value;
    return { displayName: displayName ?? null, script: script ?? null, pid: pid ?? null };
  }

  #none(): SmallFiles<z.infer<ReturnType<typeof metaSchema>>> {
    return new SmallFiles(this.#uid, (text) => metaSchema().safeParse(parseJson(text)).data ?? null);
  }
}

/** Opens mux's notes in one user's files; the reader takes the path of an output file. */
export const muxTaskNotes = (uid: number): ((output: string) => AgentNote | null) => {
  const processes = new MuxProcesses(uid);
  return (output) => processes.read(dirname(output));
};
