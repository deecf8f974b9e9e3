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

/**
 * True for a program that could be this agent under a name that its signature doesn't know. Says
 * yes too often rather than too seldom: what could be the agent keeps its jobs from being taken for
 * left over.
 */
export const couldBeAgent = (agent: AgentId, row: Pick<ProcessRow, 'argv' | 'comm'>): boolean => {
  const word = dossiers[agent].names.containedAs;
  if (word === 'none') return false;
  const { executable, script, module } = programName(row);
  const names = [row.comm, ...namingParts(executable), ...(script === null ? [] : namingParts(script)), module ?? ''];
  return names.some((name) => word.test(name.toLowerCase()));
};

const known = new WeakMap<Pick<ProcessRow, 'argv' | 'comm'>, boolean>();

/** True for a program that could be some agent under such a name. */
export const couldBeAnyAgent = (row: Pick<ProcessRow, 'argv' | 'comm'>): boolean =>
  kept(known, row, () => agentIds.some((agent) => couldBeAgent(agent, row)));
