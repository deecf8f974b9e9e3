import { expect, test } from 'vitest';
import { releaseFaults } from '../../../../build/release/release-faults.ts';
import { unknownRepository } from '../../../../build/release/description.ts';

const changelog = '# Changes\n\n## 1.2.3\n\n- new\n';
const release = { version: '1.2.3', repository: 'Me/curfew' };
const environment = { GITHUB_REF_NAME: 'v1.2.3', GITHUB_REPOSITORY: 'me/curfew' };

test('a tag of this version, of this repository, with its section of the changelog, can be released', () => {
  expect(releaseFaults(release, changelog, environment)).toEqual([]);
});

test.each([
  ['another tag', release, changelog, { ...environment, GITHUB_REF_NAME: 'v1.2.4' }, 'npm version'],
  ['a branch', release, changelog, { ...environment, GITHUB_REF_NAME: '1.2.3' }, 'tag v1.2.3'],
  [
    'no repository',
    { ...release, repository: unknownRepository },
    changelog,
    environment,
    'npm pkg set repository=github:me/curfew',
  ],
  ['another repository', { ...release, repository: 'you/curfew' }, changelog, environment, 'refuse the provenance'],
  ['no section', release, '# Changes\n\n## Unreleased\n\n- new\n', environment, 'rename "## Unreleased"'],
] as const)('%s can not, and is told what to do', (_what, described, text, given, advice) => {
  const faults = releaseFaults(described, text, given);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(advice);
});
