import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// This file is JavaScript because it decides, before any TypeScript is loaded, whether the build can be used.

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The folder with one build for each state of the sources, and that of the package. */
export const BUILDS = join(ROOT, 'dist/app');
/** The build of the package, which has no sources. */
export const PACKAGE_BUILD = join(BUILDS, 'package');
export const IS_PACKAGE = !existsSync(join(ROOT, 'server'));

/** What the build is made from. */
const FOLDERS = ['contract', 'client', 'server', 'runner', 'sandbox-lib', 'cli', 'ops', 'tracing'];
const FILES = ['tools/app-bundle.ts', 'package.json', 'package-lock.json'];

/** The programs and threads of the project that the build has, each as one file. */
export const PROGRAMS = [
  'server/main',
  'runner/main',
  'ops/start',
  'ops/demo',
  'cli/main',
  'ops/admin',
  'ops/db',
  'ops/db-copy',
  'ops/import',
  'ops/doctor',
  'ops/sample-shop',
  'ops/decisions',
  'ops/secrets',
  'ops/sign-in-link',
  'ops/task-kit',
  'ops/task-kit-hooks',
  'ops/task-test',
  'server/db/sqlite/reader-thread',
  'server/json-schema/thread',
  'server/shop-data/sample/order-thread',
  'server/source-check/thread',
  'server/templates/thread',
  'server/type-check/process',
  'runner/isolation/look-program',
  'runner/worker/make-snapshot',
];
/** A worker's program, which is a bundle of its own: it shares no file with the others. */
export const WORKER = 'runner/worker/main';

/**
 * The file name of a program in the build.
 *
 * @param {string} program
 */
export const nameOf = (program) => program.replaceAll('/', '-');

/** The paths of the files, from ROOT on, by which a build is known. */
export function sources() {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map((path) => join(folder, String(path)))
      .filter((path) => /\.(ts|js|json)$/.test(path)),
  );
  return [...found, ...FILES].sort();
}

/** A digest of the sources: paths, sizes and times of change. Contents would take ten times as long to read at each start. */
export function stampOfSources() {
  const hash = createHash('sha256');
  for (const path of sources()) {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    // Images of containers keep whole seconds.
    hash.update(`${path} ${size} ${Math.floor(mtimeMs / 1000)}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** The folder of the build of the present sources; null where they were not built. */
export function builtFolder() {
  if (IS_PACKAGE) return PACKAGE_BUILD;
  if (!existsSync(BUILDS)) return null;
  const folder = join(BUILDS, stampOfSources());
  return existsSync(folder) ? folder : null;
}
