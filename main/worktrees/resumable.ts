import { join } from 'node:path';
import { agentIds } from '../../app/agents/common/agent-id.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import type { Engine } from '../engine/engine.ts';
import type { Look } from '../observing/look.ts';
import { filesHere } from '../os/files/small-file.ts';
import { furtherFolders, seenFolders } from '../store/seen-list.ts';
import { placesAt, placesOf, possibleAgentFolders } from '../sweep/places.ts';

/** Projects of one folder of transcripts that are read; where there are more, nothing is known. */
const maxProjects = 2_000;

/** Returns whether a file is there, or a folder with something in it. */
export const hasSome = (path: string): boolean => {
  const names = filesHere.names(path, maxProjects);
  return names.state === 'unreadable' || (names.state === 'read' && names.value.length > 0);
};

/**
 * Returns what tells whether an ended session could go on in a folder, as far as transcripts do: in
 * the folders of agents, also those that only a process names or that a look saw once. An agent
 * whose transcripts do not tell their folder by their place may have one of any folder.
 */
export const resumableIn = (
  engine: Pick<Engine, 'source' | 'home' | 'places'>,
  look: Look,
): ((path: string) => boolean) => {
  const seen = seenFolders(engine.places).read();
  // A folder of which nothing is known may have any.
  if (seen === null || seen.some((one) => one.seen === furtherFolders)) return () => true;
  const places = placesAt(engine, look, {}, seen);
  const folders = agentIds.flatMap((agent) => {
    const { leftFiles } = dossiers[agent];
    const forms = leftFiles === 'none' ? [] : leftFiles.flatMap((form) => (form.may === 'never' ? [form] : []));
    return forms.flatMap(({ place, path: below, folderOf }) =>
      (place === 'agent-folder' ? possibleAgentFolders(agent, places) : placesOf(place, agent, places)).map((base) => ({
        folder: join(base, ...below.map(String)),
        folderOf,
      })),
    );
  });
  return (path) =>
    folders.some(({ folder, folderOf }) => {
      const names = filesHere.names(folder, maxProjects);
      if (names.state === 'absent') return false;
      if (names.state === 'unreadable' || folderOf === undefined) return hasSome(folder);
      const own = folderOf(path);
      return names.value.some((name) => name === own || name.startsWith(`${own}-`));
    });
};
