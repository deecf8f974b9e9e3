import { join } from 'node:path';
import type { TaskReport } from '../../../app/history/departure.ts';

/**
 * What Claude Code says in a notification of a task that it stopped itself; read in the program of
 * 2.1.329, where the two reasons are called `memory_pressure` and `deadline`.
 */
const causes = [
  ['stopped because the system is running low on memory', 'memory'],
  ['stopped after reaching its background time limit', 'deadline'],
] as const;

/**
 * What the end of a transcript says of a task: the line is JSON, in which stands
 * `<task-notification>` with `<task-id>` and `<status>`. null where nothing is told of it.
 */
export const taskReportIn = (transcript: string, task: string): TaskReport | null => {
  const line = transcript
    .split('\n')
    .findLast((one) => one.includes('<task-notification>') && one.includes(`<task-id>${task}</task-id>`));
  if (line === undefined) return null;
  const [notification] = line.slice(line.indexOf(`<task-id>${task}</task-id>`)).split('</task-notification>', 1);
  const status = /<status>(\w{1,40})<\/status>/u.exec(notification ?? '')?.[1];
  const cause = causes.find(([words]) => notification?.includes(words))?.[1] ?? null;
  return status === undefined && cause === null ? null : { status: status ?? 'killed', cause };
};

/** Where the transcript of a session is. `configFolder` is CLAUDE_CONFIG_DIR where that is set. */
export const transcriptPath = (configFolder: string, projectSlug: string, session: string): string =>
  join(configFolder, 'projects', projectSlug, `${session}.jsonl`);
