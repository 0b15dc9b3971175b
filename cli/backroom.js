#!/usr/bin/env node
// Starts the command line. This file runs on any Node.js, and says which one is needed; a clone of the project has installed it itself.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runChild } from './run-child.js';

const OLDEST = 26;
const run = new URL('../ops/run.js', import.meta.url);
const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= OLDEST) {
  process.argv.splice(2, 0, 'cli/main');
  await import(run.href);
} else if (existsSync(own)) {
  process.exitCode = await runChild(own, [
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(run),
    'cli/main',
    ...process.argv.slice(2),
  ]);
} else {
  process.stderr.write(
    `Backroom needs Node.js ${OLDEST} or newer, and this is ${process.versions.node}: install a newer one from https://nodejs.org\n`,
  );
  process.exitCode = 1;
}
