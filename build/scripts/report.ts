import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

/** What vitest writes of a run (https://vitest.dev/guide/reporters.html#json-reporter), as far as it is used here. */
export type Report = z.infer<typeof Report>;

/** The report in a file; null, and a line of complaint, where there is no readable one. */
export const readReport = (file: string): Report | null => {
  try {
    return Report.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    console.error(`no readable report of the tests in ${file}: ${String(error)}`);
    return null;
  }
};
