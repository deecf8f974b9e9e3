import { z } from 'zod';
import { DetachedFailed, startDetached } from '../os/programs/detached.ts';
import { runIdPattern } from '../../app/process/identity.ts';

/** A background supervisor's one report on standard output: the start, or its failure. */
const startReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started'), id: z.string().regex(runIdPattern), pid: z.int().positive() }),
  /** The lock is held, or the command can't be started: a sentence and the exit status. */
  z.object({ kind: z.literal('refused'), text: z.string(), status: z.int() }),
]);

export type StartReport = z.infer<typeof startReport>;

/**
 * Starts the supervisor of a background run with this command line and resolves with its report.
 * @throws DetachedFailed when it ends without a report
 */
export const startSupervisor = async (args: readonly string[]): Promise<StartReport> => {
  const line = await startDetached(args);
  const parsed = startReport.safeParse(JSON.parse(line));
  if (!parsed.success) throw new DetachedFailed(`it said ${JSON.stringify(line.slice(0, 200))}`);
  return parsed.data;
};
