import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BUILDS, builtFolder, PACKAGE_BUILD, stampOfSources } from '../ops/built-app.js';
import { bundleApp } from './app-bundle.ts';

/** How many builds are kept: a server that still runs loads the rarely used files of the build that it was started from. */
const KEPT = 3;

async function buildApp(): Promise<void> {
  const stamp = stampOfSources();
  const part = join(BUILDS, `.part-${process.pid}`);
  try {
    await bundleApp(part);
    // Another process may have made the same build meanwhile.
    await rename(part, join(BUILDS, stamp)).catch(async (error: unknown) => {
      if (builtFolder() === null) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  await removeOld();
}

async function removeOld(): Promise<void> {
  const builds = (await readdir(BUILDS)).filter((name) => !name.startsWith('.') && name !== basename(PACKAGE_BUILD));
  const aged = await Promise.all(builds.map(async (name) => ({ name, at: (await stat(join(BUILDS, name))).mtimeMs })));
  const old = aged.sort((a, b) => b.at - a.at).slice(KEPT);
  await Promise.all(old.map(({ name }) => rm(join(BUILDS, name), { recursive: true, force: true })));
}

/** `npm run build:app`: builds the server, the runner and their threads, each into one file (run.js runs them). */
if (builtFolder() === null) await buildApp();
