import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  describeRelease,
  downloadOf,
  registryTarball,
  releaseIn,
  repositoryOf,
  sumOf,
  tarballOf,
  unknownRepository,
  unknownSum,
} from '../../../../build/release/description.ts';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../../..');
const read = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>;

describe('the description of a release', () => {
  test('takes everything from package.json and package-lock.json', () => {
    const release = releaseIn(root);
    const manifest = read('package.json');
    expect(release).toMatchObject({ name: 'curfew', npmName: manifest['name'], version: manifest['version'] });
    expect(release.needs.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['koffi', 'ps-list', '@koromix/koffi-linux-x64']),
    );
    expect(release.needs.filter(({ platforms }) => platforms.length === 0).map(({ name }) => name)).toEqual([
      'koffi',
      'ps-list',
    ]);
    expect(release.shortSummary.length).toBeLessThanOrEqual(60);
  });

  test('names the Node that the checkout brings, and the oldest that the command accepts', () => {
    const release = releaseIn(root);
    const brought: unknown = JSON.parse(readFileSync(join(root, 'node_modules/node/package.json'), 'utf8'));
    expect(brought).toMatchObject({ version: release.node });
    const command = readFileSync(join(root, 'build/bin/curfew.js'), 'utf8');
    expect(command).toContain(`var needed = [${release.minNode.replace('.', ', ')}];`);
  });

  test('has the licence and maintainer that the installers have', () => {
    const release = releaseIn(root);
    const builder = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as {
      linux: { maintainer: string };
    };
    expect(builder.linux.maintainer).toBe(release.maintainer);
  });

  test.each([
    [undefined, unknownRepository],
    ['github:me/curfew', 'me/curfew'],
    ['me/curfew', 'me/curfew'],
    [{ url: 'git+https://github.com/me/cur.few.git' }, 'me/cur.few'],
    ['https://github.com/me/curfew', 'me/curfew'],
  ])('reads the repository %j', (field, name) => {
    expect(repositoryOf(field)).toBe(name);
  });

  test.each(['gitlab:me/curfew', 'https://example.org/me/curfew', 'curfew', 'me/curfew/x'])(
    'refuses the repository %j, for which no provenance is made',
    (field) => {
      expect(() => repositoryOf(field)).toThrow('GitHub');
    },
  );

  test('finds files at npm and at GitHub, also under a scoped name', () => {
    const release = describeRelease(
      { ...read('package.json'), name: '@me/curfew', version: '1.2.3', repository: 'me/curfew' },
      read('package-lock.json'),
      new Map([['me-curfew-1.2.3.tgz', 'ab']]),
    );
    expect(tarballOf(release)).toBe('me-curfew-1.2.3.tgz');
    expect(sumOf(release, tarballOf(release))).toBe('ab');
    expect(sumOf(release, 'else')).toBe(unknownSum);
    expect(registryTarball('@me/curfew', '1.2.3')).toBe('https://registry.npmjs.org/@me/curfew/-/curfew-1.2.3.tgz');
    expect(downloadOf(release, 'x.deb')).toBe('https://github.com/me/curfew/releases/download/v1.2.3/x.deb');
  });
});
