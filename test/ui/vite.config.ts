import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The scene: the renderer over a bridge that only pretends. For pictures and tests; nothing of it is in the product. */
export default defineConfig({
  root: join(import.meta.dirname, 'scene'),
  base: './',
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, '../../build/out/scene'),
    emptyOutDir: true,
    target: 'chrome140',
    sourcemap: true,
  },
});
