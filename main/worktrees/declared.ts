import { join } from 'node:path';
import { orchestratorLists, type ReadList } from '../../app/worktrees/orchestrators.ts';
import { readBoundedFile } from '../os/files/bounded-read.ts';
import { leadsToOtherMachine } from '../os/files/other-machine.ts';
import { filesHere } from '../os/files/small-file.ts';

/** Bytes of a list that are searched; of a larger one nothing is known. */
const maxBytes = 128 * 1024 * 1024;

/** What a database has not yet taken over lies beside it. */
const parts = ['', '-wal'] as const;

const mayBeThere = (path: string): boolean => filesHere.stamp(path).state !== 'absent';

const holdsIn = (path: string): ReadList['holds'] => {
  try {
    const texts = parts
      .map((part) => `${path}${part}`)
      .filter((one) => one === path || mayBeThere(one))
      .map((one) => readBoundedFile(one, maxBytes));
    return texts.every((one) => one.kind === 'read')
      ? (text) => texts.some((one) => one.kind === 'read' && one.bytes.includes(text))
      : null;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return null;
  }
};

/**
 * Returns the lists of orchestrators that are on this machine. They are searched as bytes: texts
 * stand in a database as they are, and what it deleted may be found too, which keeps a worktree.
 */
export const readLists = (home: string): readonly ReadList[] =>
  orchestratorLists.flatMap(({ name, names, path }) => {
    const file = join(home, ...path);
    if (!mayBeThere(file)) return [];
    // What leads to another machine or a sandbox may never answer.
    return [{ name, names, holds: names === 'nothing' || leadsToOtherMachine(file) ? null : holdsIn(file) }];
  });
