import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runChild } from '../cli/run-child.js';
import { PACKAGE_BUILD } from '../ops/built-app.js';
import { buildConsole } from '../ops/missing-builds.ts';
import { bundleApp } from './app-bundle.ts';

/** `npm pack` runs this first: it builds what the package has instead of sources, which Node does not run below node_modules. */

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

await rm(PACKAGE_BUILD, { recursive: true, force: true });
await rm(at('dist/types'), { recursive: true, force: true });
await bundleApp(PACKAGE_BUILD);
const types = await runChild(process.execPath, [
  at('node_modules/typescript/bin/tsc'),
  '--singleThreaded',
  '-p',
  at('tools/package-types.json'),
]);
if (types !== 0) throw new Error('the types of the package could not be made; why is above');
if ((await buildConsole()) !== 0) throw new Error('the console could not be built; why is above');
