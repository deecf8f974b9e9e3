import { type AskedMember, startFromProgram } from './console/asker.ts';
import { isFile } from './programs/find-program.ts';
import { JobLauncher, withOwnVariables } from './windows/start/job-launcher.ts';
import { JobObject } from './windows/start/job-object.ts';
import { openKoffiStart } from './windows/start/koffi-start.ts';

export interface OpenJob {
  readonly job: JobObject;
  readonly launcher: JobLauncher;
}

/** Makes the job object of a run, or returns why Windows gives none. Never throws. */
export const openJob = (): OpenJob | { readonly reason: string } => {
  const kernel = openKoffiStart();
  if ('reason' in kernel) return kernel;
  const job = JobObject.make(kernel);
  if (job === null) return { reason: 'Windows made no job object' };
  const around = { environment: process.env, folder: process.cwd(), isFile };
  return { job, launcher: new JobLauncher({ kernel, job, around, withVariables: withOwnVariables }) };
};

/** Returns why a run can't be held together here, or null. Leaves nothing. */
export const whyNoJobs = (): string | null => {
  const made = openJob();
  if ('reason' in made) return made.reason;
  made.job.remove();
  return null;
};

/** More consoles than that are not looked into: each takes a program of its own. */
const maxAsked = 3;

/**
 * Asks the programs of a console to end, as Ctrl-C does, through one of them; only where no other
 * program is in it. Returns whether a console took it.
 */
export const askConsole = (members: readonly AskedMember[]): boolean => {
  for (const first of members.slice(0, maxAsked)) {
    const others = members.filter(({ pid }) => pid !== first.pid);
    if (startFromProgram([first, ...others]) === 'sent') return true;
  }
  return false;
};
