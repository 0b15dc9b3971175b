#!/usr/bin/env node
// Starts cli/main.ts. This file runs on any Node.js; the project installs the version that it needs itself.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runChild } from './run-child.js';

const OLDEST = 26;
const main = new URL('./main.ts', import.meta.url);
const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= OLDEST) {
  await import(main.href);
} else if (existsSync(own)) {
  process.exitCode = await runChild(own, ['--disable-warning=ExperimentalWarning', fileURLToPath(main), ...process.argv.slice(2)]);
} else {
  process.stderr.write(
    `Node.js ${OLDEST} is needed, and this is ${process.versions.node}: run "npm ci" in ${fileURLToPath(new URL('..', import.meta.url))}\n`,
  );
  process.exitCode = 1;
}
