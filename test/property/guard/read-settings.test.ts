import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readGuardSettings } from '../../../app/guard/read-settings.ts';
import { defaultGuard, guardRuleIds } from '../../../app/guard/settings.ts';
import { parseSettings } from '../../../app/settings/parse.ts';

const value = fc.oneof(
  fc.constantFrom(
    'off',
    'warn',
    'deny',
    'rewrite',
    'Deny',
    '',
    true,
    false,
    null,
    0,
    1,
    90,
    86_400,
    86_401,
    Number.NaN,
    [],
    {},
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const block = fc.oneof(
  value,
  fc.dictionary(fc.constantFrom('enabled', 'timeoutSeconds', '__proto__', 'toString', 'other', ...guardRuleIds), value),
);

test('the reader without zod agrees with the whole settings for any file', () => {
  fc.assert(
    fc.property(fc.oneof(value, fc.record({ guard: block, mode: value }), fc.record({ guard: block })), (file) => {
      expect(readGuardSettings(file)).toEqual(parseSettings(file).settings.guard);
    }),
    { numRuns: 3000 },
  );
});

test('off by default; nonsense in it is off, and nothing else of it', () => {
  expect(readGuardSettings({})).toEqual(defaultGuard);
  expect(defaultGuard.enabled).toBe(false);
  expect(readGuardSettings({ guard: { enabled: 'yes', noTimeout: 'deny' } })).toEqual({
    ...defaultGuard,
    noTimeout: 'deny',
  });
  expect(readGuardSettings({ guard: { enabled: true, killsAgent: 'rewrite', timeoutSeconds: 0 } })).toEqual({
    ...defaultGuard,
    enabled: true,
    killsAgent: 'off',
  });
});
