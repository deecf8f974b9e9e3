import { statSync } from 'node:fs';
import type { RunSubject } from '../../../app/jobs/find/run-jobs.ts';
import { type BootId, type RunId, asBootId, asPid } from '../../../app/process/identity.ts';
import type { RunRecord } from './record.ts';
import { RunFolder } from './run-folder.ts';
import { unfinishedRuns } from './unfinished.ts';

interface Known {
  /** Of the file the record was read from. */
  readonly mtimeMs: number;
  readonly record: RunRecord | null;
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Returns the log to read: the errors if the run wrote nothing else. */
const outputOf = (folder: RunFolder): string =>
  bytesOf(folder.stdout) === 0 && bytesOf(folder.stderr) > 0 ? folder.stderr : folder.stdout;

const subjectOf = (record: RunRecord, folder: RunFolder): RunSubject | null => {
  const { limits, supervisor, root, inForce } = record;
  if (record.end !== null || root === null) return null;
  const subreaper = inForce?.subreaper === true;
  return {
    terms: {
      id: record.id,
      background: record.background,
      maxElapsedSeconds: limits.maxElapsedSeconds,
      atMaxElapsed: limits.atMaxElapsed,
      hardCapSeconds: limits.hardCapSeconds,
      graceSeconds: limits.graceSeconds,
      supervisor: {
        bootId: asBootId(supervisor.bootId),
        pid: asPid(supervisor.pid),
        startTicks: supervisor.startTicks,
      },
    },
    name: record.name,
    command: record.command,
    folder: record.folder,
    output: record.background ? outputOf(folder) : null,
    root,
    sinceTicks: record.sinceTicks,
    subreaper,
    seen: subreaper ? [] : (folder.readMembers()?.members ?? []),
  };
};

/** Reads the records of unfinished runs, each only if it has changed. */
export class RunReader {
  readonly #runs: string;
  #known: ReadonlyMap<RunId, Known> = new Map();

  constructor(runs: string) {
    this.#runs = runs;
  }

  /** Returns unfinished runs of this boot and namespace. Reads a small folder if there are none. */
  read(bootId: BootId): readonly RunSubject[] {
    const known = new Map<RunId, Known>();
    const subjects: RunSubject[] = [];
    for (const id of unfinishedRuns(this.#runs)) {
      const folder = new RunFolder(this.#runs, id);
      const mtimeMs = statSync(folder.meta, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const before = this.#known.get(id);
      const one = before?.mtimeMs === mtimeMs ? before : { mtimeMs, record: folder.read() };
      known.set(id, one);
      const subject =
        one.record === null || one.record.supervisor.bootId !== bootId ? null : subjectOf(one.record, folder);
      if (subject !== null) subjects.push(subject);
    }
    this.#known = known;
    return subjects;
  }
}
