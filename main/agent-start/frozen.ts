import { rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { once } from '../../app/format/once.ts';
import { asPid } from '../../app/process/identity.ts';
import { thaw } from '../os/containment/frozen-group.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { whyNotDead } from '../run/record/proved-dead.ts';
import { readJsonFile } from '../store/files/json-file.ts';
import { writeWholeFile } from '../store/files/whole-file.ts';
import { type AgentRecord, frozenFile } from './record.ts';

/** Which Curfew stops a group of an agent for a moment: it may itself end in that moment. */
const frozenNote = once(() =>
  z.object({
    folder: z.string(),
    host: z.string(),
    process: z.object({ bootId: z.string(), pid: z.int().positive(), startTicks: z.number() }),
  }),
);

type Reader = Pick<ProcessSource, 'bootId' | 'read'>;

/**
 * Runs what freezes a group of this start and thaws it, noted on disk meanwhile.
 * @throws before anything is frozen, where it can't be noted
 */
export const whileNoted = <Result>(file: string, folder: string, reader: Reader, freezes: () => Result): Result => {
  const own = reader.read(asPid(process.pid));
  if (own === null) throw new Error('this process can not be read');
  const by = { bootId: reader.bootId, pid: own.pid, startTicks: own.startTicks };
  writeWholeFile(file, JSON.stringify({ folder, host: hostname(), process: by }));
  try {
    return freezes();
  } finally {
    rmSync(file, { force: true });
  }
};

/**
 * Lets the groups go on that a Curfew froze which is proved dead. Only writes to folders that are
 * the very ones of these starts. Returns whether a note is left. Never throws.
 */
export const thawAbandoned = (state: string, records: readonly AgentRecord[], reader: Reader): boolean =>
  records
    .map(({ id, groups }) => {
      const path = frozenFile(state, id);
      const file = readJsonFile(path);
      if (file.kind === 'missing') return false;
      try {
        const note = frozenNote().safeParse(file.kind === 'value' ? file.value : null);
        if (note.success) {
          const { folder, host, process } = note.data;
          if (whyNotDead({ ...process, host }, reader) !== null) return true;
          const group = groups.find((one) => one.folder === folder);
          if (group !== undefined && statSync(folder, { throwIfNoEntry: false })?.ino === group.inode) thaw(folder);
        }
        rmSync(path, { force: true });
        return false;
      } catch {
        return true;
      }
    })
    .includes(true);
