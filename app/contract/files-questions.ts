import { z } from 'zod';
import { filesViewSchema } from './views/files-view.ts';

/** Entries that one question may name; more is asked for in parts. */
export const maxEntries = 500;

/** What agents left in files. Git is asked about each worktree, so ask only while it is shown. */
export const filesQuestions = {
  'files.list': { input: z.object({}), output: filesViewSchema },
  /**
   * Removes what has these ids, by the rules of `curfew sweep`: what is not as it was shown has
   * another, and stays. A worktree counts as named by the user, for the reasons that were shown.
   * The answer shows what was found then, and what stayed.
   */
  'files.remove': {
    input: z.object({
      ids: z
        .array(z.string().regex(/^[0-9a-f]{32}$/u))
        .min(1)
        .max(maxEntries),
    }),
    output: filesViewSchema,
  },
} as const;
