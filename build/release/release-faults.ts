import { messageOf } from '../../app/format/error-message.ts';
import { changelogSection } from './changelog.ts';
import { type ReleaseDescription, unknownRepository } from './description.ts';

const changelogFault = (changelog: string, version: string): readonly string[] => {
  try {
    changelogSection(changelog, version);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
};

/**
 * Returns why a tag can't be released, in sentences with what to do; none if it can.
 * @param environment with the names that GitHub gives a workflow: GITHUB_REF_NAME,
 *   GITHUB_REPOSITORY
 */
export const releaseFaults = (
  { version, repository }: Pick<ReleaseDescription, 'version' | 'repository'>,
  changelog: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] => {
  const tag = environment['GITHUB_REF_NAME'] ?? '';
  const here = environment['GITHUB_REPOSITORY'] ?? '';
  const tagFault = `The tag is ${JSON.stringify(tag)}, and package.json has version ${version}: tag v${version}, or change it with \`npm version\`.`;
  const repositoryFault =
    repository === unknownRepository
      ? `package.json names no repository, and npm compares it with the provenance: \`npm pkg set repository=github:${here}\`.`
      : `package.json names the repository ${repository}, and this is ${here}: npm would refuse the provenance.`;
  return [
    ...(tag === `v${version}` ? [] : [tagFault]),
    ...(repository.toLowerCase() === here.toLowerCase() ? [] : [repositoryFault]),
    ...changelogFault(changelog, version),
  ];
};
