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

/** The parts used of vitest's report (https://vitest.dev/guide/reporters.html#json-reporter). */
export type Report = z.infer<typeof Report>;

/** Reads the report in a file; null, with a warning, if it is unreadable. */
export const readReport = (file: string): Report | null => {
  try {
    return Report.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    console.error(`no readable report of the tests in ${file}: ${String(error)}`);
    return null;
  }
};
