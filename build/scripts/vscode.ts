// npm run vscode: packs the extension for VS Code, build/out/vscode/curfew-VERSION.vsix. One file
// of code, which needs nothing at run time but the editor and the command `curfew`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import manifest from '../../package.json' with { type: 'json' };
import { tool } from './tool.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'build/vscode');
const folder = join(root, 'build/out/vscode/extension');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    outDir: folder,
    emptyOutDir: false,
    target: 'node20',
    minify: true,
    ssr: join(source, 'extension.ts'),
    rolldownOptions: { external: ['vscode'], output: { format: 'cjs', entryFileNames: 'extension.cjs' } },
  },
  ssr: { noExternal: true },
});
for (const name of ['package.nls.json', 'package.nls.de.json', 'l10n', 'README.md'])
  cpSync(join(source, name), join(folder, name), { recursive: true });
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
cpSync(join(root, 'build/icons/program/128x128.png'), join(folder, 'icon.png'));
const own = JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8')) as object;
writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...own, version: manifest.version }, null, 2));
// Not among the dependencies: 125 MB for one file.
const [npm, ...before] = tool('npm');
const packing = ['exec', '--yes', '--ignore-scripts', '--package', '@vscode/vsce@4.1.0', '--', 'vsce', 'package'];
const to = join(folder, '..', `curfew-${manifest.version}.vsix`);
const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', to];
const { status } = spawnSync(npm, [...before, ...packing, ...options], { cwd: folder, stdio: 'inherit' });
process.exitCode = status ?? 1;
