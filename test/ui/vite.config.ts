import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The scene: the renderer over a bridge that only pretends. For pictures and tests; nothing of it
 * is in the product.
 */
export default defineConfig({
  root: join(import.meta.dirname, 'scene'),
  base: './',
  plugins: [react()],
  // React and Base UI complain of what is wrong only then; how big and how fast the product is, is
  // measured on the product.
  define: { 'process.env.NODE_ENV': JSON.stringify('development') },
  build: {
    rolldownOptions: { input: ['index', 'blank'].map((page) => join(import.meta.dirname, `scene/${page}.html`)) },
    outDir: join(import.meta.dirname, '../../build/out/scene'),
    emptyOutDir: true,
    target: 'chrome140',
    sourcemap: true,
  },
});
