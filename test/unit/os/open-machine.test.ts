import { expect, test } from 'vitest';
import { askedParts, passes, type ReaderCheck } from '../../../app/process/reader-check.ts';
import { checkedOnce, checkKey, type KeptChecks } from '../../../main/os/open-machine.ts';
import type { Signaller } from '../../../main/os/processes/signaller.ts';
import type { ProcessSource } from '../../../main/os/processes/source.ts';
import manifest from '../../../package.json' with { type: 'json' };

const whole: ReaderCheck = { reader: 'libproc', parts: askedParts.map((part) => ({ part, ok: true, found: '' })) };
const input = {
  source: { name: 'libproc' } as ProcessSource,
  signaller: {} as Signaller,
  start: () => ({ problem: 'made anew' }),
};

/** What a start uses where this was kept by another. */
const used = (check: ReaderCheck, keptUnder: string | null, key: string | null): string | undefined => {
  const kept: KeptChecks = { get: (asked) => (asked === keptUnder ? check : null), keep: () => undefined };
  return checkedOnce({ kept, proves: true }, input, key).parts.find(({ ok }) => !ok)?.found;
};

test('a check that passed is used again where it has every part of today’s list', () => {
  expect(used(whole, 'a', 'a')).toBeUndefined();
  for (const part of askedParts)
    expect(used({ ...whole, parts: whole.parts.filter((one) => one.part !== part) }, 'a', 'a')).toBe('made anew');
  expect(used({ reader: 'libproc', parts: [] }, 'a', 'a')).toBe('made anew');
});

test('a check of another key, or where the system can not be named, is made anew', () => {
  expect(used(whole, 'a', 'b')).toBe('made anew');
  expect(used(whole, null, null)).toBe('made anew');
  expect(checkKey('ntdll', true, null)).toBeNull();
});

test('the key is another for another Curfew, koffi, revision of Windows, reader, way of calling and list', () => {
  const key = checkKey('ntdll', true, 4_351) ?? '';
  expect(key).toContain(` ${manifest.version} `);
  expect(key).toContain(` ${manifest.optionalDependencies.koffi} `);
  expect(key).toContain(askedParts.join(','));
  const others = [
    checkKey('ntdll', true, 4_352),
    checkKey('ntdll', true, 'none'),
    checkKey('libproc', true, 4_351),
    checkKey('ntdll', false, 4_351),
  ];
  expect(new Set([key, ...others]).size).toBe(5);
});

test('a failed check is not kept', () => {
  const keptKeys: string[] = [];
  const kept: KeptChecks = { get: () => null, keep: (key) => void keptKeys.push(key) };
  expect(passes(checkedOnce({ kept, proves: true }, input, 'a'))).toBe(false);
  expect(keptKeys).toEqual([]);
});
