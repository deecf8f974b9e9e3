import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changelogSection } from '../../../../build/release/changelog.ts';
import { buildEpoch } from '../../../../build/release/epoch.ts';
import { readSums, sumsOfFiles, sumsText } from '../../../../build/release/sums.ts';
import { softwareBill } from '../../../../build/scripts/software-bill.ts';
import { hasProgram } from '../../../needs.ts';

describe('the section of a version in the changelog', () => {
  const text =
    '# Changes\n\n## Unreleased\n\n- next\n\n## 1.2.0\n\n- a\n- b\n\n## 1.1.0 (2026-01-01)\n\n- c\n\n## 1.0.0\n';
  test('is what stands under its heading', () => {
    expect(changelogSection(text, '1.2.0')).toBe('- a\n- b\n');
    expect(changelogSection(text, '1.1.0')).toBe('- c\n');
  });
  test('must be there, and must say something', () => {
    expect(() => changelogSection(text, '1.3.0')).toThrow('rename "## Unreleased"');
    expect(() => changelogSection(text, '1.2')).toThrow('no section');
    expect(() => changelogSection(text, '1.0.0')).toThrow('empty');
  });
});

describe('the moment of a build', () => {
  test.skipIf(!hasProgram('git'))('is that of the last commit', () => {
    expect(buildEpoch(import.meta.dirname, {}, 0)).toBeGreaterThan(1_700_000_000);
  });

  test('is SOURCE_DATE_EPOCH, and now where there is neither', () => {
    expect(buildEpoch('.', { SOURCE_DATE_EPOCH: '12' }, 0)).toBe(12);
    expect(() => buildEpoch('.', { SOURCE_DATE_EPOCH: 'soon' }, 0)).toThrow('SOURCE_DATE_EPOCH');
    const folder = mkdtempSync(join(tmpdir(), 'curfew-epoch-'));
    expect(buildEpoch(folder, {}, 5_999)).toBe(5);
    rmSync(folder, { recursive: true });
  });
});

describe('SHA256SUMS', () => {
  test('is what sha256sum reads, and is read back', () => {
    const folder = mkdtempSync(join(tmpdir(), 'curfew-sums-'));
    writeFileSync(join(folder, 'b.deb'), '');
    writeFileSync(join(folder, 'a.tgz'), 'abc');
    const sums = sumsOfFiles([join(folder, 'b.deb'), join(folder, 'a.tgz')]);
    rmSync(folder, { recursive: true });
    const text = sumsText(sums);
    expect(text).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.tgz\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b.deb\n',
    );
    expect(readSums(text)).toEqual(sums);
    expect(() => readSums('abc  a.tgz\n')).toThrow('not a line');
  });
});

test('the bill of materials is the same whenever and wherever it is made', () => {
  const printed = (at: string, folder: string): string =>
    JSON.stringify({
      bomFormat: 'CycloneDX',
      serialNumber: `urn:uuid:${at}`,
      metadata: { timestamp: at, component: { 'bom-ref': 'curfew@1.0.0', name: folder } },
      components: [
        { 'bom-ref': 'zod@4.0.0', name: 'zod', version: '4.0.0' },
        { 'bom-ref': 'vitest@5.0.0', name: 'vitest', version: '5.0.0' },
      ],
      dependencies: [{ ref: 'curfew@1.0.0', dependsOn: ['zod@4.0.0', 'vitest@5.0.0'] }],
    });
  const shipped = [{ name: 'zod', version: '4.0.0' }];
  const one = softwareBill(printed('2026-01-01', 'clone'), shipped, 'curfew', 1_000_000_000);
  expect(softwareBill(printed('2027-01-01', 'another'), shipped, 'curfew', 1_000_000_000)).toBe(one);
  expect(JSON.parse(one)).toMatchObject({
    metadata: { timestamp: '2001-09-09T01:46:40.000Z', component: { name: 'curfew' } },
    components: [{ name: 'zod' }],
    dependencies: [{ dependsOn: ['zod@4.0.0'] }],
  });
});
