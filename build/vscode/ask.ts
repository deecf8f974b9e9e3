import { execFile } from 'node:child_process';
import { z } from 'zod';

// What is used of the documents of `--json`. They may have more fields.
const statement = z.object({ text: z.string() });
const job = z.object({
  id: z.string().regex(/^[0-9a-f]+$/u),
  agent: z.string(),
  command: z.string(),
  project: z.string().nullable(),
  ageSeconds: z.number(),
  holds: z.object({ rssBytes: z.number(), ports: z.array(z.number()) }),
  verdict: z.object({ state: z.string(), reasons: z.array(statement) }),
});

/** A job as `curfew scan --json` lists it. */
export type Job = Readonly<z.infer<typeof job>>;

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

/** The command is not there. */
export class Missing extends Error {}

/**
 * Asks the command line. It is never stopped: an end that was begun is carried through.
 * @throws Missing
 */
export const ask = async <T>(command: string, args: readonly string[], form: z.ZodType<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    // On Windows npm installs a batch file, which only a shell starts. Each word is a constant or
    // an id of hexadecimal digits.
    const options = { maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' };
    execFile(command, [...args, '--json'], options, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') reject(new Missing(error.message));
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
