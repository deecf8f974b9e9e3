import { join } from 'node:path';
import { outputOf } from '../../../app/agents/signatures.ts';
import { isAbsolutePath } from '../../../app/paths/path.ts';
import type { TaskReport } from '../../../app/history/departure.ts';
import type { Job } from '../../../app/model/job.ts';
import { fileTail } from '../../output/output-file.ts';
import { taskReportIn, transcriptPath } from './task-end.ts';

/** What is said last of a task stands at the end of a transcript, which can be very long. */
const transcriptTailBytes = 262_144;

/**
 * Returns what Claude Code says in a session's transcript of how a job of it ended; null where it
 * says nothing.
 */
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
