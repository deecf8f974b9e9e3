// Writes the third-party notices of a package of Curfew: the licences of the packages inside it,
// and their list as CycloneDX 1.5.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBuilder } from 'vite';
import { installedLicences, thirdPartyText, type Licence } from './licence-text.ts';
import { buildEpoch } from '../release/epoch.ts';
import { softwareBill } from './software-bill.ts';
import { tool } from './tool.ts';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const share = join(root, 'build/out/share');
const fileName = 'licences.json';

const licences: z.ZodType<readonly Licence[]> = z.array(
  z.object({ name: z.string(), version: z.string(), identifier: z.string().optional(), text: z.string().optional() }),
);

/**
 * Built once more, in memory: only the bundler knows which packages' modules are in a bundle.
 * https://vite.dev/config/build-options#build-license
 */
const bundled = async (): Promise<readonly Licence[]> => {
  const builder = await createBuilder({
    configFile: join(root, 'build/vite.config.ts'),
    logLevel: 'warn',
    build: { write: false, license: { fileName } },
  });
  const found: Licence[] = [];
  for (const environment of Object.values(builder.environments)) {
    if (!['renderer', 'cli', 'guard', 'mcp', 'shell', 'preload'].includes(environment.name)) continue;
    const built = await builder.build(environment);
    if (!Array.isArray(built) && !('output' in built)) throw new Error(`${environment.name} was not built`);
    for (const { output } of Array.isArray(built) ? built : [built]) {
      const asset = output.find((file) => file.fileName === fileName);
      if (asset?.type !== 'asset') throw new Error(`the bundler gave no licences for ${environment.name}`);
      const text = typeof asset.source === 'string' ? asset.source : Buffer.from(asset.source).toString('utf8');
      found.push(...licences.parse(JSON.parse(text)));
    }
  }
  return found;
};

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), dev: z.boolean().optional() })),
});
const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
// What stays beside the bundles where npm puts it; koffi's binaries for other platforms are parts
// of the same package.
const beside = Object.entries(lock.packages)
  .filter(([path, { dev }]) => path.startsWith('node_modules/') && dev !== true)
  .map(([path]) => path);

/** Data that was taken over: the forms of tokens in app/format/secrets/token-forms.ts. */
const gitleaks: Licence = {
  name: 'gitleaks (rules)',
  version: '8.30.1',
  identifier: 'MIT',
  text: readFileSync(join(import.meta.dirname, 'gitleaks-licence.txt'), 'utf8'),
};

const all = [...(await bundled()), ...installedLicences(root, beside), gitleaks];
const shipped = [...new Map(all.map((one) => [`${one.name}@${one.version}`, one])).values()].toSorted((a, b) =>
  `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'),
);

// The bundler has set NODE_ENV to production, for which npm omits bundled packages.
const [npmProgram, ...npmWords] = tool('npm');
const asked = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--include=dev'];
const npm = spawnSync(npmProgram, [...npmWords, ...asked], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (npm.status !== 0) throw new Error(`npm sbom failed:\n${npm.error?.message ?? npm.stderr}`);

mkdirSync(share, { recursive: true });
writeFileSync(join(share, 'THIRD-PARTY-LICENCES.txt'), thirdPartyText(shipped));
const manifest = z.object({ name: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const epoch = buildEpoch(root, process.env, Date.now());
writeFileSync(join(share, 'curfew.cdx.json'), softwareBill(npm.stdout, shipped, manifest.name, epoch));
const without = shipped.filter(({ text }) => text === undefined).map(({ name }) => name);
console.log(
  `${shipped.length} packages of others, ${without.length} without a text of their own: ${without.join(', ')}`,
);
