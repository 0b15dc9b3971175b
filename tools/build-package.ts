import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { runChild } from '../cli/run-child.js';
import { operations } from '../client/operations.ts';
import { PACKAGE_BUILD } from '../ops/built-app.js';
import { buildConsole, buildDocs } from '../ops/missing-builds.ts';
import { bundleApp } from './app-bundle.ts';

/** `npm pack` runs this first: it builds what the package has instead of sources, which Node does not run below node_modules. */

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

await rm(PACKAGE_BUILD, { recursive: true, force: true });
await rm(at('dist/types'), { recursive: true, force: true });
await bundleApp(PACKAGE_BUILD);
await bundleClient();
// Scripts have other globals than what is used in Node.
for (const config of ['package-types.json', 'package-sandbox-types.json']) {
  const code = await runChild(process.execPath, [at('node_modules/typescript/bin/tsc'), '--singleThreaded', '-p', at(`tools/${config}`)]);
  if (code !== 0) throw new Error('the types of the package could not be made; why is above');
}
if ((await buildConsole()) !== 0) throw new Error('the console could not be built; why is above');
if ((await buildDocs()) !== 0) throw new Error('the documentation could not be built; why is above');

/** The client as one file for Node, browsers and Deno; it has the table of operations as data. */
async function bundleClient(): Promise<void> {
  const table = at('client/operations.ts');
  await build({
    entryPoints: [at('client/index.ts')],
    outfile: at('dist/client.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    tsconfigRaw: {},
    logLevel: 'silent',
    plugins: [
      {
        name: 'operations',
        setup({ onLoad }) {
          const contents = `export const operations = ${JSON.stringify(operations)};`;
          onLoad({ filter: /operations\.ts$/ }, ({ path }) => (path === table ? { contents, loader: 'js' } : undefined));
        },
      },
    ],
  });
  await stop();
}
