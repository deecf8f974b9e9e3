import { messageOf, codeOf } from '../../app/format/error-message.ts';
import { say } from '../../app/text/say.ts';
import type { Said } from '../../app/format/said.ts';
import { join } from 'node:path';
import type { PathStep } from '../../app/sweep/left-form.ts';
import { absentForm, holdFolder } from '../os/files/held-folder.ts';
import { isAside } from '../os/files/remove-file.ts';
import { type SeenFile, seeFile } from '../os/files/found-file.ts';

/** At most this many names of one folder are read. */
const maxNames = 10_000;

/** A file or folder at the end of a path of a known form. */
export interface FormMatch {
  readonly file: SeenFile;
  /** The groups of its steps: `session`, `pid`, `atMs`. */
  readonly groups: Readonly<Record<string, string>>;
  /** The names of its steps. */
  readonly parts: readonly string[];
}

export interface FormSearch {
  readonly uid: number;
  /** Folders at which something is mounted: these are not entered. null: unknown, so none is. */
  readonly mounts: ReadonlySet<string> | null;
  /** Takes what could not be looked into, and why, in words. */
  readonly passOver: (why: Said) => void;
}

const groupsOf = (step: PathStep, name: string, uid: number): Readonly<Record<string, string>> | null => {
  if (typeof step === 'string') return step === name ? {} : null;
  const match = step.exec(name);
  if (match === null) return null;
  const groups = Object.entries(match.groups ?? {}).filter(([, value]) => (value as string | undefined) !== undefined);
  const found = Object.fromEntries(groups);
  return found['uid'] === undefined || found['uid'] === String(uid) ? found : null;
};

const search = (
  folder: string,
  [step, ...further]: readonly PathStep[],
  before: Pick<FormMatch, 'groups' | 'parts'>,
  tools: FormSearch,
): readonly FormMatch[] => {
  if (step === undefined) return [];
  const { uid, mounts, passOver } = tools;
  if (before.parts.length > 0 && (mounts === null || mounts.has(folder))) {
    passOver(
      say(
        mounts === null ? '{folder}: what is mounted there is not known' : '{folder}: another folder is mounted there',
        { folder },
      ),
    );
    return [];
  }
  const held = holdFolder(folder, uid);
  if (!held.ok) {
    if (held.why.key !== absentForm) passOver(held.why);
    return [];
  }
  const here: FormMatch[] = [];
  const below: { readonly name: string; readonly match: Pick<FormMatch, 'groups' | 'parts'> }[] = [];
  try {
    const names = typeof step === 'string' ? [step] : held.folder.names().toSorted();
    if (names.length > maxNames)
      passOver(say('{folder}: only the first {max} of {count} names', { folder, max: maxNames, count: names.length }));
    for (const name of names.slice(0, maxNames)) {
      if (isAside(name))
        passOver(say('{path}: left by a removal that was ended halfway', { path: join(folder, name) }));
      const groups = groupsOf(step, name, uid);
      if (groups === null) continue;
      const match = { groups: { ...before.groups, ...groups }, parts: [...before.parts, name] };
      if (further.length > 0) {
        below.push({ name, match });
        continue;
      }
      const file = seeFile(held.folder.at(name), join(folder, name), uid);
      if (file !== null) here.push({ file, ...match });
    }
  } catch (error) {
    if (codeOf(error) === null) throw error;
    passOver(`${folder}: ${messageOf(error)}`);
  } finally {
    held.folder.close();
  }
  return [...here, ...below.flatMap(({ name, match }) => search(join(folder, name), further, match, tools))];
};

/**
 * Returns what lies at paths of that form below a folder. Follows no link and looks into no folder
 * of another user.
 */
export const findForm = (base: string, path: readonly PathStep[], tools: FormSearch): readonly FormMatch[] =>
  search(base, path, { groups: {}, parts: [] }, tools);
