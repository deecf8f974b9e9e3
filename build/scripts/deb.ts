// npm run deb: builds the Debian package of the command line into build/out/release, with the Node
// that npm ci brought. `npm pack` (or `npm run prepack`) comes first. `-- --output FOLDER` names
// another folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { architectures } from '../release/deb/control.ts';
import { buildDeb } from '../release/deb/build-deb.ts';
import { releaseIn } from '../release/description.ts';
import { buildEpoch } from '../release/epoch.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { output: { type: 'string', default: join(root, 'build/out/release') } } });
const processor = process.arch;
if (processor !== 'x64' && processor !== 'arm64')
  throw new Error(`There is no package for ${processor}, only for ${Object.keys(architectures).join(' and ')}.`);
const nodePackage = `node_modules/node/node_modules/node-linux-${processor}`;
const licence = [`${nodePackage}/LICENSE`, `node_modules/node-linux-${processor}/LICENSE`].find((file) =>
  existsSync(join(root, file)),
);
if (licence === undefined)
  throw new Error('`npm ci` has not brought Node: its licence is missing in node_modules/node');
console.log(
  buildDeb({
    root,
    release: releaseIn(root),
    processor,
    epoch: buildEpoch(root, process.env, Date.now()),
    node: 'node_modules/node/bin/node',
    nodeLicence: licence,
    output: values.output,
    compression: 'xz',
  }),
);
