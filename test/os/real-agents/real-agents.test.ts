import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playOne } from './cell.ts';
import { changes } from './changes.ts';
import { realAgents } from './kinds.ts';
import { live } from './living.ts';
import { measuredSchema } from './measured.ts';
import { missingOf } from './session.ts';

/**
 * A sample of the matrix that `npm run test:agents` plays whole; what it gave stands in
 * measured.json.
 */
const measured = measuredSchema.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'measured.json'), 'utf8')));

for (const kind of realAgents) {
  const missing = missingOf(kind);
  if (missing !== null) console.warn(`SKIPPED, the real ${kind.name}: ${missing}`);
  const before = measured[kind.folder];

  describe.skipIf(missing !== null)(`the real ${kind.name}${missing === null ? '' : ` (SKIPPED: ${missing})`}`, () => {
    test('killed after a look: what it leaves is found as the matrix says, and it looks as it did', async () => {
      const { cell, observed } = await playOne(kind, 'killed', 'a look before', {
        before: before?.observed,
      });
      expect(changes(before?.observed, observed).join('\n')).toBe('');
      const expected = before?.cells['killed']?.['a look before'];
      for (const of of ['commands', 'servers'] as const)
        expect(cell[of].missed, `${of} missed: ${cell.short.join(', ')}`).toBeLessThanOrEqual(
          expected?.[of].missed ?? 0,
        );
    });

    test('living past every limit, where also what works is ended: its servers and itself are not touched', async () => {
      const { touched } = await live(kind, 5);
      expect(touched).toEqual([]);
    });
  });
}
