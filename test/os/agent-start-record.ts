import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The record of one start by `curfew agent`, as far as tests look at it. */
export const startRecord = z.looseObject({
  id: z.string(),
  agent: z.string().nullable(),
  process: z.object({ bootId: z.string(), pid: z.int(), startTicks: z.number() }),
  groups: z.array(
    z.object({
      folder: z.string(),
      inode: z.number(),
      hierarchy: z.string(),
      path: z.string(),
      holds: z.enum(['agent', 'calls']),
    }),
  ),
});

export type StartRecord = z.infer<typeof startRecord>;

/** Returns the records in a home of Curfew's. */
export const recordsIn = (folder: string): readonly StartRecord[] =>
  existsSync(join(folder, 'agents'))
    ? readdirSync(join(folder, 'agents')).map((name) =>
        startRecord.parse(JSON.parse(readFileSync(join(folder, 'agents', name), 'utf8'))),
      )
    : [];
