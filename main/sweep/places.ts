import { readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import type { FormPlace } from '../../app/sweep/left-form.ts';
import type { MarkerEnvironment } from '../../app/process/facts.ts';
import type { Engine } from '../engine/engine.ts';
import type { Look } from '../observing/look.ts';
import { leadsToOtherMachine } from '../os/files/other-machine.ts';

export interface PlacesInput {
  readonly home: string;
  readonly uid: number;
  /** The environments of the caller, first, and of the user's processes, where they are read. */
  readonly environments: readonly MarkerEnvironment[];
  /** The folders of each agent that any look saw. */
  readonly seen: readonly { readonly agent: AgentId; readonly seen: string }[];
  /** Projects of known sessions. */
  readonly projects: readonly string[];
  /** Temporary folders; /tmp and the system's own by default. */
  readonly temporary?: readonly string[];
}

/**
 * Returns the folder's real path: the user's home and the system's temporary folder may be links;
 * below them none is followed.
 */
const realPlace = (path: string): string | null => {
  try {
    return realpathSync(path);
  } catch {
    // Missing, so empty.
    return null;
  }
};

const isPlain = (path: string): boolean =>
  isAbsolute(path) && normalize(path) === path && path !== '/' && !leadsToOtherMachine(path);

const distinct = (paths: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(paths.filter((path): path is string => path != null)),
];

const named = (input: PlacesInput, variable: string): readonly string[] =>
  input.environments
    .map((environment) => environment[variable])
    .filter((path) => path !== undefined && isPlain(path)) as string[];

/** Returns an agent's own folder in the user's home and those that its variable names, or did. */
const agentFolders = (agent: AgentId, input: PlacesInput): readonly string[] => {
  const { registry } = dossiers[agent];
  if (registry === 'none') return [];
  const own = realPlace(input.home);
  const seen = input.seen.filter((one) => one.agent === agent && isPlain(one.seen)).map((one) => one.seen);
  return distinct([
    own === null ? null : join(own, registry.folder),
    ...named(input, registry.folderVariable),
    ...seen,
  ]);
};

/**
 * Returns also folders beside the agent's own whose names begin like it (`~/.claude-work`): users
 * keep several by its variable, and a transcript in one of them may be resumed.
 */
export const possibleAgentFolders = (agent: AgentId, input: PlacesInput): readonly string[] => {
  const { registry } = dossiers[agent];
  const own = realPlace(input.home);
  if (registry === 'none' || own === null) return [];
  let beside: readonly string[] = [];
  try {
    beside = readdirSync(own, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && /^[.\-_]/u.test(entry.name.slice(registry.folder.length)))
      .filter(({ name }) => name.startsWith(registry.folder))
      .map(({ name }) => join(own, name));
  } catch {
    // A home that can't be listed: its own folder is read all the same.
  }
  return distinct([...agentFolders(agent, input), ...beside]);
};

/** Returns the folders at which the paths of a form begin. */
export const placesOf = (place: FormPlace, agent: AgentId, input: PlacesInput): readonly string[] => {
  switch (place) {
    case 'temporary':
      return distinct([
        ...(input.temporary ?? ['/tmp', tmpdir()]).map(realPlace),
        ...named(input, 'CLAUDE_CODE_TMPDIR').map(realPlace),
      ]);
    case 'runtime':
      return distinct([realPlace(`/run/user/${input.uid}`)]);
    case 'home':
      return distinct([realPlace(input.home)]);
    case 'agent-folder':
      return agentFolders(agent, input);
    case 'project':
      return distinct(input.projects.filter(isPlain).map(realPlace));
  }
};

/** Returns what tells the places of agents at a look. */
export const placesAt = (
  { source, home, temporary }: Pick<Engine, 'source' | 'home'> & Pick<PlacesInput, 'temporary'>,
  { table, sessions }: Look,
  caller: MarkerEnvironment,
  seen: PlacesInput['seen'],
): PlacesInput => {
  const own = [...table.rows.values()].filter((row) => row.uid === table.uid && !row.kernelThread);
  const environments = own.map((row) => source.environment(row)).filter((one) => one !== null);
  const projects = sessions.map(({ project }) => project).filter((one) => one !== null);
  const common = { home, uid: table.uid, environments: [caller, ...environments], seen, projects };
  return temporary === undefined ? common : { ...common, temporary };
};
