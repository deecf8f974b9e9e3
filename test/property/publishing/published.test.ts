import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { expose, expositionFormats } from '../../../app/metrics/exposition.ts';
import { metricFamilies } from '../../../app/metrics/families.ts';
import { MetricsFile, readMetricsFile } from '../../../main/publishing/metrics-file.ts';
import { readJsonFile } from '../../../main/store/files/json-file.ts';
import { sampleFacts, sampleLook } from '../../unit/metrics/sample-facts.ts';
import { hostileText } from '../hostile-text.ts';
import { readExposition } from '../metrics/read-exposition.ts';

const folder = mkdtempSync(join(tmpdir(), 'curfew-published-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'metrics.json');

new MetricsFile(path).note(sampleLook, 5);
const file = readJsonFile(path);
const published = file.kind === 'value' ? file.value : null;

/** Another value of the same type, which may be one that makes sense. */
const another = (value: unknown): fc.Arbitrary<unknown> => {
  if (typeof value === 'number') return fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true }), fc.constant(-1));
  if (typeof value === 'boolean') return fc.boolean();
  return typeof value === 'string' ? fc.oneof(hostileText, fc.constantFrom('web1', 'gemini', 'live')) : fc.jsonValue();
};

/** A value with one part of it replaced, doubled or left out, at a random place. */
const changed = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return fc.oneof(
      fc.constantFrom([...items, ...items], items.slice(1)),
      ...items.map((item, at) => changed(item).map((one) => items.with(at, one))),
    );
  }
  if (typeof value !== 'object' || value === null)
    return fc.oneof({ weight: 4, arbitrary: another(value) }, fc.jsonValue());
  const entries = Object.entries(value);
  return fc.oneof(
    ...entries.map(([name, part]) => ({
      weight: 4,
      arbitrary: changed(part).map((one) => ({ ...value, [name]: one })),
    })),
    fc.constantFrom(...entries.map(([name]) => Object.fromEntries(entries.filter(([other]) => other !== name)))),
  );
};

test('whatever a file of the supervisor says, the numbers made of it keep the rules of both formats', () => {
  let watched = 0;
  fc.assert(
    fc.property(fc.tuple(changed(published), fc.nat(2)), ([value, more]) => {
      writeFileSync(path, JSON.stringify(value));
      const watching = readMetricsFile(path, sampleLook.lastScanMs + more);
      if (watching.kind === 'watching') watched += 1;
      for (const format of expositionFormats) {
        const text = expose(metricFamilies({ ...sampleFacts, watching }), format);
        expect(readExposition(text, format).length).toBeGreaterThan(5);
      }
    }),
    { numRuns: 600 },
  );
  // Some changes are harmless, so this is not about refused files alone.
  expect(watched).toBeGreaterThan(50);
});
