import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { build } from 'vite';
import { shellText } from '../../../build/bundler/shell-text.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-bundle-'));
  mkdirSync(join(folder, 'main'));
  writeFileSync(join(folder, 'main/say.sh'), `echo "\${HOME}" '\\0' \`id\`\n`);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const bundled = async (call: string): Promise<string> => {
  const source = `import { readFileSync } from 'node:fs';\nconst text: string = ${call};\nprocess.stdout.write(text);\n`;
  writeFileSync(join(folder, 'main/index.ts'), source);
  await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    plugins: [shellText()],
    build: { ssr: join(folder, 'main/index.ts'), outDir: join(folder, 'out') },
  });
  rmSync(join(folder, 'main/say.sh'));
  return execFileSync(process.execPath, [join(folder, 'out/index.mjs')], { encoding: 'utf8' });
};

test('a bundle holds the text of a shell file, and needs the file no more', async () => {
  expect(await bundled("readFileSync(new URL('./say.sh', import.meta.url), 'utf8')")).toBe(
    `echo "\${HOME}" '\\0' \`id\`\n`,
  );
});

test('a shell file that is read in another way fails the build', async () => {
  await expect(bundled("readFileSync(new URL('./say.sh', import.meta.url)).toString()")).rejects.toThrow(
    'names a shell file in a way that is not known here',
  );
});
