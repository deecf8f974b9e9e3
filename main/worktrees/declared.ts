import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  orchestratorLists,
  pathsInState,
  type OrchestratorList,
  type ReadList,
} from '../../app/worktrees/orchestrators.ts';
import { readBoundedFile } from '../os/files/bounded-read.ts';
import { leadsToOtherMachine } from '../os/files/other-machine.ts';
import { filesHere } from '../os/files/small-file.ts';

type Found = Pick<ReadList, 'holds' | 'leadsTo'>;

/** Bytes of a list that are searched; of a larger one nothing is known. */
const maxBytes = 128 * 1024 * 1024;

/** Paths of a list that are looked at; of one with more nothing is known. */
const maxPaths = 10_000;

/**
 * What a database has not yet taken over lies beside it, and is read before it: what it takes over
 * meanwhile is then found in the database.
 */
const parts = { state: [''], database: ['-wal', '-journal', ''] } as const;

const nothingKnown: Found = { holds: () => false, leadsTo: null };

const mayBeThere = (path: string): boolean => filesHere.stamp(path).state !== 'absent';

/** What tells a folder in any spelling, also of case. Null: there is none. */
const identityOf = (path: string): string | null => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};

/** Carries out what asks the file system; null: that gave no answer. */
const answered = <Answer>(ask: () => Answer): Answer | null => {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return null;
  }
};

const leadsToOneOf = (paths: readonly string[]): ReadList['leadsTo'] => {
  if (paths.length > maxPaths || paths.some((path) => leadsToOtherMachine(path))) return null;
  const identities = answered(() => new Set(paths.map((path) => identityOf(path))));
  if (identities === null) return null;
  return (path) => {
    const own = answered(() => identityOf(path));
    return paths.includes(path) || own === null || identities.has(own);
  };
};

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Programs write some characters of JSON as codes: Go `&`, others all that is not ASCII. */
const withoutCodes = (json: string): string =>
  json.replace(/\\u(?<code>[0-9a-f]{4})/giu, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

const foundIn = (path: string, form: 'state' | 'database'): Found => {
  const read = parts[form]
    .map((part) => `${path}${part}`)
    .filter((one) => one === path || mayBeThere(one))
    .map((one) => readBoundedFile(one, maxBytes));
  const texts = read.flatMap((one) => (one.kind === 'read' ? [one.bytes] : []));
  if (texts.length < read.length) return nothingKnown;
  if (form === 'database') {
    const holds = (text: string): boolean => texts.some((one) => one.includes(text));
    return { ...nothingKnown, holds: (text) => holds(text) || holds(inJson(text)) };
  }
  const paths = pathsInState(texts.join(''));
  if (paths !== null) return { holds: (text) => paths.includes(text), leadsTo: leadsToOneOf(paths) };
  const plain = withoutCodes(texts.join(''));
  return { ...nothingKnown, holds: (text) => plain.includes(inJson(text)) };
};

const readList = (path: string, form: OrchestratorList['form']): Found =>
  // What leads to another machine or a sandbox may never answer.
  (form === 'names' || leadsToOtherMachine(path) ? null : answered(() => foundIn(path, form))) ?? nothingKnown;

/**
 * Returns the lists of orchestrators that are on this machine. Databases are searched as bytes:
 * texts stand there as they are, if not on two pages, and what was deleted may be found too.
 */
export const readLists = (home: string): readonly ReadList[] =>
  orchestratorLists.flatMap(({ name, path, form }) => {
    const file = join(home, ...path);
    return mayBeThere(file) ? [{ name, ...readList(file, form) }] : [];
  });
