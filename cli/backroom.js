#!/usr/bin/env node
// Starts cli/main.ts. This file runs on any Node.js; the project installs the version that it needs itself.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OLDEST = 26;
const main = new URL('./main.ts', import.meta.url);
const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= OLDEST) {
  await import(main.href);
} else if (existsSync(own)) {
  const args = ['--disable-warning=ExperimentalWarning', fileURLToPath(main), ...process.argv.slice(2)];
  const child = spawn(own, args, { stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  process.stderr.write(`Node.js ${OLDEST} is needed, and this is ${process.versions.node}: run "npm ci" in ${fileURLToPath(new URL('..', import.meta.url))}\n`);
  process.exitCode = 1;
}
