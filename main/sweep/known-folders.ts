import { isAbsolute } from 'node:path';
import type { Engine } from '../engine/engine.ts';
import type { Look } from '../observing/look.ts';

/** Incidents whose folders are looked at: the latest. */
const maxIncidents = 200;

/**
 * Returns the folders in which agents worked, as far as Curfew knows: of sessions, of jobs and
 * their processes, and of what was ended. No disk is searched.
 */
export const knownFolders = ({ history }: Pick<Engine, 'history'>, look: Look): readonly string[] => {
  const ofJobs = [...look.jobs.values()].flatMap(({ job }) => [
    job.project,
    ...[...job.facts.values()].map(({ cwd, cwdDeleted }) => (cwdDeleted ? null : cwd)),
  ]);
  const ofSessions = look.sessions.map(({ project }) => project);
  const ended = [...history.query({ host: 'local', limit: maxIncidents })].map(({ project }) => project);
  return [
    ...new Set([...ofSessions, ...ofJobs, ...ended].filter((path) => path !== null && isAbsolute(path))),
  ] as string[];
};
