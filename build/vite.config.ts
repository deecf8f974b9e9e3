import { chmodSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { commanderWithoutPrograms, quickBuiltins, stringWidthWithoutSegmenter } from './bundler/quick-start.ts';
import { keptChunks } from './bundler/kept-chunks.ts';
import { latePackages } from './bundler/late-packages.ts';
import { mcpSdkSchemas, mcpSdkWithoutRest, mcpServerApart } from './bundler/mcp-server.ts';
import { latinSource } from './bundler/latin-source.ts';
import { shellText } from './bundler/shell-text.ts';
import { sharedChunk, startChunk } from './bundler/start-chunk.ts';

const root = join(import.meta.dirname, '..');
const out = join(import.meta.dirname, 'out');

/**
 * Puts the version check in front of the bundle as an executable file, so that an old Node reads
 * only that.
 */
const commandEntry: Plugin = {
  name: 'curfew:command-entry',
  applyToEnvironment: (environment) => environment.name === 'cli',
  buildStart() {
    this.addWatchFile(join(import.meta.dirname, 'bin/curfew.js'));
  },
  generateBundle() {
    const source = readFileSync(join(import.meta.dirname, 'bin/curfew.js'), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'curfew.js', source });
  },
  writeBundle({ dir }) {
    chmodSync(join(dir ?? join(out, 'cli'), 'curfew.js'), 0o755);
  },
};

/** Of the manifest the product asks its version alone. */
const versionOnly: Plugin = {
  name: 'curfew:version-only',
  load: {
    order: 'pre',
    handler(id) {
      if (id !== join(root, 'package.json')) return null;
      const { version } = JSON.parse(readFileSync(id, 'utf8')) as { readonly version: string };
      return JSON.stringify({ version });
    },
  },
};

/**
 * Vite names a page after its path from the root; the windows and the loopback page expect it at
 * the top of the folder.
 */
const pageAtTop: Plugin = {
  name: 'curfew:page-at-top',
  applyToEnvironment: (environment) => environment.name === 'renderer',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['renderer/index.html'];
      if (page !== undefined) page.fileName = 'index.html';
    },
  },
};

/**
 * What stays where npm put it: koffi loads a binary beside itself and is optional, ps-list starts
 * one on Windows.
 */
const besideItself = ['koffi', 'ps-list'];

/**
 * Each target of the project is one environment here, and one command builds them all: `npm run
 * build`.
 */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [
    commandEntry,
    versionOnly,
    shellText(),
    mcpServerApart(),
    mcpSdkWithoutRest(),
    mcpSdkSchemas(),
    react(),
    pageAtTop,
    commanderWithoutPrograms(['cli']),
    stringWidthWithoutSegmenter(['cli']),
    quickBuiltins(['cli', 'mcp']),
    latinSource(['cli', 'mcp']),
    keptChunks(['cli'], ['start', 'engine', 'scan'], 'chunks/kept-code.js'),
    latePackages(['cli', 'shell']),
  ],
  environments: {
    renderer: {
      consumer: 'client',
      build: {
        outDir: join(out, 'renderer'),
        emptyOutDir: true,
        // Electron 45 and the browsers of the last year; the loopback page is rarely shown by older
        // ones.
        target: 'chrome140',
        // The policy of the windows allows no inline script.
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        rolldownOptions: { input: join(root, 'renderer/index.html') },
      },
    },
    cli: {
      consumer: 'server',
      // Ink would bring a second string-width, which measures the same.
      resolve: { noExternal: true, builtins: [...builtinModules, /^node:/], dedupe: ['string-width'] },
      // For CommonJS packages; write-file-atomic names its temporary files after it.
      // The rest is for the view of `curfew watch`: React and Ink without what helps to develop
      // them.
      define: {
        __filename: 'import.meta.filename',
        __dirname: 'import.meta.dirname',
        'process.env.NODE_ENV': '"production"',
        'process.env.DEV': '"false"',
      },
      build: {
        ssr: true,
        outDir: join(out, 'cli'),
        emptyOutDir: true,
        target: 'node22.13',
        minify: false,
        sourcemap: true,
        rolldownOptions: {
          input: {
            index: join(root, 'main/cli/index.ts'),
            'chunks/kept-code': join(root, 'main/cli/common/kept-code.ts'),
          },
          external: besideItself,
          output: {
            format: 'es',
            // Removes comments, blanks and long names of variables, which V8 would keep in memory;
            // names of functions stay, so that a stack trace can be read.
            minify: { compress: false, mangle: { toplevel: false, keepNames: true } },
            entryFileNames: '[name].js',
            chunkFileNames: 'chunks/[name]-[hash].js',
            codeSplitting: {
              groups: [
                startChunk('first', join(root, 'main/cli/index.ts')),
                startChunk('start', join(root, 'main/cli/command-line.ts')),
                sharedChunk('engine', join(root, 'main/engine/engine.ts')),
                sharedChunk('scan', join(root, 'main/cli/commands/scan.ts')),
              ],
            },
          },
        },
      },
    },
    // Agents wait for it before each command: one file with a minimal start. CommonJS, which Node
    // starts 5 ms sooner.
    guard: {
      consumer: 'server',
      resolve: { noExternal: true, builtins: [...builtinModules, /^node:/] },
      build: {
        ssr: true,
        outDir: join(out, 'cli'),
        // The command line is already in it.
        emptyOutDir: false,
        target: 'node22.13',
        minify: true,
        rolldownOptions: {
          input: { guard: join(root, 'main/cli/guard.ts') },
          output: { format: 'cjs', entryFileNames: '[name].cjs' },
        },
      },
    },
    // Agents wait for its first answer when they start, and keep it as long as their session: files
    // of its own, without the engine.
    mcp: {
      consumer: 'server',
      resolve: { noExternal: true, builtins: [...builtinModules, /^node:/] },
      build: {
        ssr: true,
        outDir: join(out, 'cli'),
        emptyOutDir: false,
        target: 'node22.13',
        minify: true,
        rolldownOptions: {
          input: { mcp: join(root, 'main/mcp/server/serve.ts') },
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/mcp-[name]-[hash].js' },
        },
      },
    },
    // The desktop app's main process, for Electron's own Node.
    shell: {
      consumer: 'server',
      resolve: { noExternal: true, builtins: [...builtinModules, /^node:/] },
      define: { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' },
      build: {
        ssr: true,
        outDir: join(out, 'shell'),
        emptyOutDir: true,
        target: 'node24',
        minify: false,
        sourcemap: true,
        rolldownOptions: {
          input: {
            main: join(root, 'main/shell/main.ts'),
            'console-helper': join(root, 'main/shell/console/helper.ts'),
          },
          external: ['electron', ...besideItself],
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      },
    },
    // A preload in the sandbox can be neither an ES module nor several files:
    // https://www.electronjs.org/docs/latest/tutorial/esm
    preload: {
      consumer: 'server',
      resolve: { noExternal: true, builtins: [] },
      build: {
        ssr: true,
        outDir: join(out, 'preload'),
        emptyOutDir: true,
        target: 'chrome140',
        minify: false,
        rolldownOptions: {
          input: { main: join(root, 'main/preload/main.ts') },
          external: ['electron'],
          output: { format: 'cjs', entryFileNames: '[name].cjs' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['renderer', 'cli', 'guard', 'mcp', 'shell', 'preload']) {
        const environment = builder.environments[name];
        if (environment === undefined) throw new Error(`no environment "${name}" in build/vite.config.ts`);
        await builder.build(environment);
      }
    },
  },
});
