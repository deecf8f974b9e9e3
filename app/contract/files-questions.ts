import { z } from 'zod';
import { filesViewSchema } from './views/files-view.ts';

/** Paths that one question may name; more is asked for in parts. */
export const maxPaths = 500;

/** What agents left in files. Git is asked about each worktree, so ask only while it is shown. */
export const filesQuestions = {
  'files.list': { input: z.object({}), output: filesViewSchema },
  /**
   * Removes these, and what lies in these folders, by the rules of `curfew sweep`; a worktree among
   * them counts as named by the user. The answer shows what was found then, and what stayed.
   */
  'files.remove': {
    input: z.object({ paths: z.array(z.string().min(1).max(4096)).min(1).max(maxPaths) }),
    output: filesViewSchema,
  },
} as const;
