import { z } from 'zod';
import { type Removal, removedKinds, removers } from '../../../app/history/removal.ts';
import { parseJson } from '../../../app/format/json.ts';
import { once } from '../../../app/format/once.ts';
import { withTexts } from '../../../app/format/said.ts';
import { safeName } from '../../../app/format/secrets/safe-view.ts';
import { saidSchema } from '../../../app/contract/views/said.ts';
import type { DatabasePlace } from '../database/database-design.ts';
import { readDatabase, withDatabase } from '../database/lasting-database.ts';
import { inTransaction, textCell } from '../database/sqlite.ts';

/** Without the secrets that this Curfew knows, written and read. */
const stored = once((): z.ZodType<Removal> => {
  const said = saidSchema.transform((given) => withTexts(given, safeName));
  return z.object({
    atMs: z.number().min(-8.64e15).max(8.64e15),
    kind: z.enum(removedKinds),
    what: said,
    path: z.string().transform(safeName),
    files: z.number().nonnegative(),
    bytes: z.number().nonnegative(),
    why: said,
    by: z.enum(removers),
  });
});

/**
 * Records what was removed, all in one write.
 * @throws StoreFailure
 */
export const recordRemovals = (place: DatabasePlace, removals: readonly Removal[]): void => {
  if (removals.length === 0) return;
  withDatabase(place, (connection) => {
    inTransaction(connection, () => {
      const insert = connection.prepare('INSERT INTO removal (at_ms, body) VALUES (?, ?)');
      for (const one of removals) insert.run(Math.round(one.atMs), JSON.stringify(stored().parse(one)));
    });
  });
};

/**
 * Returns the latest of the removals that are meant, newest first; what can't be read is left out.
 * @throws StoreFailure
 */
export const latestRemovals = (
  place: DatabasePlace,
  limit: number | null,
  isMeant: (removal: Removal) => boolean = () => true,
): readonly Removal[] =>
  readDatabase(place, (connection) => {
    const found: Removal[] = [];
    for (const row of connection.prepare('SELECT body FROM removal ORDER BY at_ms DESC, number DESC').all()) {
      if (found.length === limit) break;
      const removal = stored().safeParse(parseJson(textCell(row['body'])));
      if (removal.success && isMeant(removal.data)) found.push(removal.data);
    }
    return found;
  }) ?? [];
