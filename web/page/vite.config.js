import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

import { h5webChanges } from './h5web-changes.js';

export default defineConfig({
  base: './',
  plugins: [h5webChanges()],
  // npm puts h5web's library below its application, which must be the only user of it.
  resolve: {
    alias: {
      '@h5web/lib': fileURLToPath(
        new URL('./node_modules/@h5web/app/node_modules/@h5web/lib/dist/index.js', import.meta.url),
      ),
    },
  },
  esbuild: { jsx: 'automatic' },
  build: {
    outDir: '../src/main/resources/org/hyperslab/web/page',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2022',
    chunkSizeWarningLimit: 4096,
    // One script and one style sheet, of names that stay: the first page is three requests.
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: 'viewer.js',
        assetFileNames: 'viewer[extname]',
      },
    },
  },
});
