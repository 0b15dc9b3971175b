import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runChild } from '../cli/run-child.js';
import { PACKAGE_BUILD } from '../ops/built-app.js';
import { buildConsole, buildDocs } from '../ops/missing-builds.ts';
import { bundleApp } from './app-bundle.ts';
import { bundleClient } from './client-bundle.ts';
import { describePackage } from './release/describe-package.ts';

/** `npm pack` runs this first: it builds what the package has instead of sources, which Node does not run below node_modules. */

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

await rm(PACKAGE_BUILD, { recursive: true, force: true });
await rm(at('dist/types'), { recursive: true, force: true });
const bundled = [...(await bundleApp(PACKAGE_BUILD)), ...(await bundleClient(at('dist/client.js')))];
// Scripts have other globals than what is used in Node.
for (const config of ['package-types.json', 'package-sandbox-types.json']) {
  const code = await runChild(process.execPath, [at('node_modules/typescript/bin/tsc'), '--singleThreaded', '-p', at(`tools/${config}`)]);
  if (code !== 0) throw new Error('the types of the package could not be made; why is above');
}
if ((await buildConsole()) !== 0) throw new Error('the console could not be built; why is above');
if ((await buildDocs()) !== 0) throw new Error('the documentation could not be built; why is above');
describePackage(bundled);
