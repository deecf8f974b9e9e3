// Run by the release workflow: compares the tag with package.json, CHANGELOG.md and the repository,
// and ends with status 1 and what to do where they differ. `--notes` prints the section of the
// changelog instead.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogSection } from '../release/changelog.ts';
import { releaseIn } from '../release/description.ts';
import { releaseFaults } from '../release/release-faults.ts';

const root = join(import.meta.dirname, '../..');
const release = releaseIn(root);
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
if (process.argv.includes('--notes')) {
  process.stdout.write(changelogSection(changelog, release.version));
} else {
  const faults = releaseFaults(release, changelog, process.env);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`${release.npmName} ${release.version} of ${release.repository} can be released.`);
}
