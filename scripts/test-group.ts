import { createRequire } from 'node:module';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

/**
 * Loads several files of tests into this process, each as a suite under its name, so that its hooks are of its own tests
 * alone, and a file that can't be loaded is a suite that fails. node:test runs no test before all suites are built.
 */
export function loadTests(files: readonly { name: string; path: string }[]): void {
  for (const { name, path } of files) describe(name, () => load(path));
}

/**
 * `require` runs the file at once, and so inside its suite. A file that waits while it is loaded can't be had that way:
 * it is imported, and where node:test takes its tests to be outside the suite, its hooks are of the whole process.
 */
async function load(path: string): Promise<void> {
  try {
    require(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_REQUIRE_ASYNC_MODULE')) throw error;
    await import(pathToFileURL(path).href);
  }
}
