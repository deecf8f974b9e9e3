import type { ProcessRow } from '../process/row.ts';
import { agentIds, type AgentId } from './common/agent-id.ts';
import { kept } from '../format/kept.ts';
import { isWindowsPath } from '../paths/path.ts';
import { programName } from './common/program-name.ts';
import { dossiers } from './dossiers.ts';

/** Folders of installations: the path behind says what owns a program; a project's name doesn't. */
const installations: ReadonlySet<string> = new Set([
  'node_modules',
  'site-packages',
  'dist-packages',
  'extensions',
  'opt',
  'lib',
  'share',
  'programs',
  'Applications',
  'apps',
]);

/** The same on Windows, where case doesn't count. */
const windowsInstallations: ReadonlySet<string> = new Set([
  ...[...installations].map((folder) => folder.toLowerCase()),
  'appdata',
  'program files',
  'program files (x86)',
  'programdata',
  'windowsapps',
]);

/** The parts of a program's path that name it: its file, and what follows installation folders. */
const namingParts = (path: string): readonly string[] => {
  const parts = path.split('/');
  const at = isWindowsPath(path)
    ? parts.findIndex((part) => windowsInstallations.has(part.toLowerCase()))
    : parts.findIndex((part) => installations.has(part));
  return at === -1 ? parts.slice(-1) : parts.slice(at + 1);
};

type Named = Pick<ProcessRow, 'argv' | 'comm'>;

/** The words by which a program's name and path tell what it belongs to, in small letters. */
const wordsOf = (row: Named): readonly string[] => {
  const { executable, script, module } = programName(row);
  const names = [row.comm, ...namingParts(executable), ...(script === null ? [] : namingParts(script)), module ?? ''];
  return names.map((name) => name.toLowerCase());
};

const isNamedBy = (words: readonly string[], agent: AgentId): boolean => {
  const word = dossiers[agent].names.containedAs;
  return word !== 'none' && words.some((one) => word.test(one));
};

/**
 * True for a program that could be this agent under a name that its signature doesn't know. Says
 * yes too often rather than too seldom: what could be the agent keeps its jobs from being taken for
 * left over.
 */
export const couldBeAgent = (agent: AgentId, row: Named): boolean => isNamedBy(wordsOf(row), agent);

const agentsOf = new WeakMap<Named, readonly AgentId[]>();

/** The agents that this program could be under such a name; mostly none. */
export const agentsItCouldBe = (row: Named): readonly AgentId[] =>
  kept(agentsOf, row, () => {
    const words = wordsOf(row);
    return agentIds.filter((agent) => isNamedBy(words, agent));
  });

/** True for a program that could be some agent under such a name. */
export const couldBeAnyAgent = (row: Named): boolean => agentsItCouldBe(row).length > 0;
