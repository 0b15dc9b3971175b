import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { operationTable } from '../contract/client.ts';

const outDir = fileURLToPath(new URL('../dist/console', import.meta.url));
const OPERATIONS = 'virtual:operations';

/** The table of operations as data, so that the browser loads no schema of the contract. */
function operations(): Plugin {
  return {
    name: 'operations',
    resolveId: (id) => (id === OPERATIONS ? `\0${OPERATIONS}` : undefined),
    load: (id) => (id === `\0${OPERATIONS}` ? `export default ${JSON.stringify(operationTable())}` : undefined),
  };
}

/** Writes `.br` and `.gz` beside each text file, so that the server compresses nothing while it serves. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    closeBundle() {
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        const file = join(outDir, name);
        if (!/\.(js|css|html|svg)$/.test(name) || !statSync(file).isFile()) continue;
        const bytes = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      }
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), operations(), precompress()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2024',
    // Small images and fonts as data URLs would be refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
