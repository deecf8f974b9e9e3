// npm run release-files: writes what package managers are told of a release into
// build/release/files, without hashes as long as nothing is released. `-- --sums FILE --output
// FOLDER` writes them for a release with the hashes of SHA256SUMS.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { releaseIn, unknownRepository } from '../release/description.ts';
import { releaseFiles } from '../release/release-files.ts';
import { readSums } from '../release/sums.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: { sums: { type: 'string' }, output: { type: 'string', default: join(root, 'build/release/files') } },
});
const sums = values.sums === undefined ? new Map<string, string>() : readSums(readFileSync(values.sums, 'utf8'));
const release = releaseIn(root, sums);
const files = releaseFiles(release);
for (const [file, text] of files) {
  const path = join(values.output, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
console.log(`${files.size} files of version ${release.version} in ${values.output}`);
if (release.repository === unknownRepository)
  console.log(`package.json has no "repository" yet, so they name ${unknownRepository}.`);
