import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import { programOf } from '../../app/agents/signatures.ts';
import { baseName, isInFolder } from '../../app/paths/path.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { leadsToOtherMachine } from '../os/files/other-machine.ts';
import { filesHere } from '../os/files/small-file.ts';
import { whatRuns } from '../os/processes/what-runs.ts';

/** Words of a command line in which a program may stand: behind an emulator, a launcher. */
const maxWords = 12;
/** Folders above a script in which its package is looked for. */
const maxAbove = 4;

const shell = /^-?(?:ba|z|da|k|fi)?sh$/u;
/** A script by its ending, or a name without one that may be a link to a script. */
const script = /(?:\.[cm]?[jt]sx?|^[^.]+|\/[^./]+)$/u;
/** What agents write is not what they run. */
const isDocument = /\.(?:md|jsonl?|sh|output|log|txt|sock)$/iu;

/** The word in the names of an agent's programs and packages: `claude` of `.claude-unwrapped`. */
const wordOf = (agent: AgentId): string | null => {
  const { registry } = dossiers[agent];
  return registry === 'none' ? null : registry.folder.replaceAll(/^[^a-z]+/giu, '').toLowerCase();
};

const isCalled = (word: string, name: string): boolean =>
  new RegExp(`(?:^|[^a-z])${word}(?:[^a-z]|$)`, 'iu').test(name) && !isDocument.test(name);

/** What a path leads to; none where there is no file. */
const realFile = (path: string): readonly string[] => {
  if (leadsToOtherMachine(path)) return [];
  try {
    const real = realpathSync(path);
    return statSync(real).isFile() ? [real] : [];
  } catch {
    return [];
  }
};

/** The name of the package that a script belongs to; empty: none is found. */
const packageOf = (path: string, uid: number | null): string => {
  let folder = dirname(path);
  for (let above = 0; above < maxAbove; above += 1) {
    for (const owner of new Set([uid ?? 0, 0])) {
      const file = filesHere.text(join(folder, 'package.json'), owner);
      // One without a name only says how the files beside it are read.
      const name = file.state === 'read' ? /"name"\s*:\s*"([^"]{1,200})"/u.exec(file.value)?.[1] : undefined;
      if (name !== undefined) return name;
    }
    folder = dirname(folder);
  }
  return '';
};

/**
 * Returns whether a process that is in no list of names could be an agent, by what it runs and
 * holds: a program or package called after the agent, a program packed by Bun (as agents are
 * shipped), a file or the working folder in the agent's own folder. A process that can't be looked
 * into is no matter here: then nothing is swept at all.
 */
export const couldBeAgent = (agent: AgentId, row: ProcessRow, folders: readonly string[]): boolean => {
  const word = wordOf(agent);
  if (word === null || row.pid === process.pid || row.kernelThread) return false;
  if (programOf(row) !== null || shell.test(row.comm)) return false;
  const words = row.argv.slice(0, maxWords);
  if (isCalled(word, row.comm) || words.some((one) => isCalled(word, baseName(one)))) return true;
  const runs = whatRuns(row.pid);
  if (runs !== null) {
    if (runs.isBunProgram || isCalled(word, baseName(runs.executable))) return true;
    if ([runs.cwd, ...runs.open].some((path) => folders.some((folder) => isInFolder(path, folder)))) return true;
  }
  const scripts = words
    .filter((one, index) => index > 0 && !one.startsWith('-') && script.test(one))
    .flatMap((one) => (isAbsolute(one) ? realFile(one) : runs === null ? [] : realFile(resolve(runs.cwd, one))));
  return scripts.some((path) => isCalled(word, baseName(path)) || isCalled(word, packageOf(path, row.uid)));
};
