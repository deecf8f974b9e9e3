import { join } from 'node:path';
import { outputOf } from '../../../app/agents/signatures.ts';
import { isAbsolutePath } from '../../../app/paths/path.ts';
import type { TaskReport } from '../../../app/history/departure.ts';
import type { Job } from '../../../app/model/job.ts';
import { fileTail } from '../../output/output-file.ts';

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
const transcriptPath = (configFolder: string, projectSlug: string, session: string): string =>
  join(configFolder, 'projects', projectSlug, `${session}.jsonl`);

/** What is said last of a task stands at the end of a transcript, which can be very long. */
const transcriptTailBytes = 262_144;

/** Returns what a session's transcript says of how a job of it ended; null: nothing. */
export const claudeCodeTaskReport = (job: Job, home: string, uid: number): TaskReport | null => {
  if (job.task === null || job.session === null || job.output === null) return null;
  const slug = outputOf(job.output)?.match.projectSlug ?? null;
  if (slug === null) return null;
  const moved = [...job.facts.values()]
    .map(({ environment }) => environment?.['CLAUDE_CONFIG_DIR'])
    .find((folder) => folder !== undefined && isAbsolutePath(folder));
  const path = transcriptPath(moved ?? join(home, '.claude'), slug, job.session);
  const tail = fileTail(path, uid, transcriptTailBytes);
  return tail === null ? null : taskReportIn(tail, job.task);
};
