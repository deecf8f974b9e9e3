import { quietOf, type Quiet } from '../../app/reach/quiet.ts';
import { asPid } from '../../app/process/identity.ts';
import type { Look } from './look.ts';

/** Returns whether any agent or job is at work as of a look, and since when none is. */
export const quietIn = (look: Pick<Look, 'agents' | 'jobs' | 'table'>): Quiet =>
  quietOf({
    agents: (look.agents ?? []).map(({ agent, parts, idle }) => ({ agent, pid: parts[0]?.pid ?? asPid(0), idle })),
    jobs: [...look.jobs.values()].flatMap(({ job }) => (job.reach === undefined ? [job] : [])),
    nowMs: look.table.takenAtMs,
  });
