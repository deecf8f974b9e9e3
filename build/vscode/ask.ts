import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { z } from 'zod';
import { ownEnvironment, passedOn } from '../../main/os/programs/passed-on.ts';

// What is used of the documents of `--json`. They may have more fields.
const statement = z.object({ text: z.string() });
const jobId = z.string().regex(/^[0-9a-f]+$/u);
const job = z.object({
  id: jobId,
  agent: z.string(),
  command: z.string(),
  project: z.string().nullable(),
  ageSeconds: z.number(),
  holds: z.object({ rssBytes: z.number(), ports: z.array(z.number()) }),
  verdict: z.object({ state: z.string(), reasons: z.array(statement) }),
});

/** A job as `curfew scan --json` lists it. */
export type Job = Readonly<z.infer<typeof job>>;

/** The argument of the command `curfew.end`, which other code of the editor may call, too. */
export const pickedForm = z.object({ id: jobId });

/** The document of `curfew scan --json`. */
export const scanForm = z.object({ jobs: z.array(job) });

/** The document of `curfew reap --json`, with `--dry-run` as well. */
export const reapForm = z.object({
  incidents: z.array(
    z.object({
      reasons: z.array(statement),
      outcome: z.string().nullable(),
      freed: z.object({ rssBytes: z.number() }),
      processes: z.array(z.object({ rssBytes: z.number() })),
    }),
  ),
});

/**
 * What the command gets of the editor's environment: what Curfew needs, the user's language, and on
 * Windows what finds and runs a batch file.
 */
const passed = [
  ...ownEnvironment,
  'LC_ALL',
  'LC_MESSAGES',
  'LANGUAGE',
  'PATHEXT',
  'ComSpec',
  'SystemDrive',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERDOMAIN',
] as const;

/** The command is not there. */
export class Missing extends Error {}

/** How long a question may take before its command is ended, milliseconds. */
const questionMs = 120_000;

/**
 * Asks the command line.
 * @param timeout milliseconds; 0: it is never stopped, as an end that was begun is carried through
 * @throws Missing
 */
export const ask = async <T>(
  command: string,
  args: readonly string[],
  form: z.ZodType<T>,
  timeout = questionMs,
): Promise<T> =>
  new Promise((resolve, reject) => {
    // On Windows npm installs a batch file, which only a shell starts. Each word is a constant or
    // an id of hexadecimal digits. No program is found in the folder that is open.
    const options = {
      maxBuffer: 64 * 1024 * 1024,
      timeout,
      killSignal: 'SIGKILL' as const,
      shell: process.platform === 'win32',
      cwd: homedir(),
      env: { ...passedOn(passed), NoDefaultCurrentDirectoryInExePath: '1' },
    };
    execFile(command, [...args, '--json'], options, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') reject(new Missing(error.message));
      else if (error?.killed === true) reject(new Error('no answer in time'));
      // Its status says how an end went, and so does the document.
      else if (stdout.trim() === '') reject(new Error(stderr.trim() || (error?.message ?? 'no answer')));
      else
        try {
          resolve(form.parse(JSON.parse(stdout)));
        } catch (cause) {
          reject(cause instanceof Error ? cause : new Error(String(cause)));
        }
    });
  });
