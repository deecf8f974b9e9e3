// npm run package: builds and packs what this platform can make. If Electron can't be downloaded it
// says so and packs the folder with a stand-in, so that at least the layout can be checked.
// `--folder` packs no installers. CURFEW_SIGNED_RELEASE=owner/repo makes a release that updates
// itself, and fails without a signature.
import { spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { downloadFailure } from '../package/download-failure.ts';
import { pack } from '../package/pack.ts';
import { releaseFrom } from '../package/release.ts';
import { writeStandIn } from '../package/stand-in.ts';
import { tool } from './tool.ts';

const root = join(import.meta.dirname, '../..');
const manifest = z
  .object({ devDependencies: z.object({ electron: z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const electronVersion = manifest.devDependencies.electron;
const what = process.argv.includes('--folder') ? 'folder' : 'installers';

const release = releaseFrom(process.env);

/** Where Electron and the tools for installers are downloaded from. */
const downloads = 'github.com';

/** Packs with the real Electron; returns why it can't be downloaded, or null on success. */
const packReally = async (): Promise<string | null> => {
  try {
    // Checked first: the downloader retries for long before it gives up.
    await lookup(downloads);
    const files = await pack({ what, electronVersion, electronFolder: null, release, output: null });
    console.log(files.length === 0 ? 'Packed into build/out/package.' : files.join('\n'));
    return null;
  } catch (error) {
    const why = downloadFailure(error);
    if (why === null) throw error;
    return why;
  }
};

const packWithStandIn = async (): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-stand-in-'));
  try {
    writeStandIn(folder, electronVersion);
    return await pack({ what: 'folder', electronVersion, electronFolder: folder, release: null, output: null });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const [npm, ...npmWords] = tool('npm');
const built = spawnSync(npm, [...npmWords, 'run', '--silent', 'build', '--', '--logLevel', 'warn'], {
  cwd: root,
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(1);
const listed = spawnSync(process.execPath, [join(import.meta.dirname, 'licences.ts')], { cwd: root, stdio: 'inherit' });
if (listed.status !== 0) process.exit(1);
const why = await packReally();
if (why !== null) {
  const missing = `Electron ${electronVersion} and the tools for installers come from ${downloads}, and something of that could not be had (${why}).`;
  if (process.platform === 'linux' && release === null) {
    await packWithStandIn();
    console.log(
      `${missing} The folder in build/out/package shows how the app is packed, but holds a stand-in instead of Electron: it doesn't start.`,
    );
  } else {
    console.error(`${missing} Nothing was packed.`);
    process.exitCode = 1;
  }
}
