import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig, type Plugin } from 'vite';
import config from '../vite.config.ts';
import { variantFolder } from './electron.ts';

// A variant of the desktop app for tests alone: for Electron 25, which runs CommonJS on Node 18 and
// has Chromium 114. The shell and the pages are the product's own source.

const root = join(import.meta.dirname, '../..');
const out = join(variantFolder, 'out');
const { environments, ...shared } = config;

/** Lays beside it what Electron reads of an app and what the shell finds relative to itself. */
const app: Plugin = {
  name: 'curfew:variant-app',
  applyToEnvironment: ({ name }) => name === 'shell',
  writeBundle() {
    const manifest = { name: 'curfew', productName: 'Curfew', desktopName: 'dev.curfew.Curfew.desktop' };
    mkdirSync(join(variantFolder, 'icons'), { recursive: true });
    cpSync(join(root, 'build/icons/tray'), join(variantFolder, 'icons/tray'), { recursive: true });
    writeFileSync(join(variantFolder, 'package.json'), JSON.stringify({ ...manifest, main: 'out/shell/main.cjs' }));
  },
};

/** The pages' own main file comes after what their Chromium lacks. */
const pages: Plugin = {
  name: 'curfew:variant-pages',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'renderer',
  transform(code, id) {
    const missing = join(import.meta.dirname, 'missing.ts');
    return id === join(root, 'renderer/main.tsx') ? `import ${JSON.stringify(missing)};\n${code}` : null;
  },
};

export default defineConfig({
  ...shared,
  plugins: [...(shared.plugins ?? []), app, pages],
  environments: {
    renderer: mergeConfig(environments?.['renderer'] ?? {}, {
      build: { outDir: join(out, 'renderer'), target: 'chrome114' },
    }),
    shell: {
      ...environments?.['shell'],
      define: {},
      build: {
        ...environments?.['shell']?.build,
        outDir: join(out, 'shell'),
        target: 'node18.15',
        rolldownOptions: {
          ...environments?.['shell']?.build?.rolldownOptions,
          input: { main: join(import.meta.dirname, 'main.ts') },
          output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      },
    },
    // For a plain Node of today.
    sqlite: {
      consumer: 'server',
      build: {
        ssr: true,
        outDir: join(out, 'sqlite'),
        target: 'node24',
        rolldownOptions: {
          input: { main: join(import.meta.dirname, 'sqlite-process.ts') },
          output: { format: 'es', entryFileNames: '[name].mjs' },
        },
      },
    },
    preload: mergeConfig(environments?.['preload'] ?? {}, {
      build: { outDir: join(out, 'preload'), target: 'chrome114' },
    }),
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['renderer', 'shell', 'sqlite', 'preload']) {
        const environment = builder.environments[name];
        if (environment === undefined) throw new Error(`no environment "${name}" in build/vite.config.ts`);
        await builder.build(environment);
      }
    },
  },
});
