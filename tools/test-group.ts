import asyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const require = createRequire(import.meta.url);

// node:test tracks every promise, to find the test that a later `test()` or error belongs to. That takes a sixth of the processor
// time of these processes and is not needed: tests are declared while their file loads, or by `t.test()`; the handlers below
// report other errors.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
const { before, describe } = await import('node:test');

let running = '';
for (const event of ['uncaughtException', 'unhandledRejection']) {
  // node:test lets the process fail, but prints only the error's message.
  process.on(event, (error) => process.stderr.write(`✖ while ${running} ran: ${inspect(error)}\n`));
}

/**
 * Loads several test files into this process. Each file becomes a suite with the file's name: its hooks then apply to its own
 * tests only, and a file that cannot be loaded fails as one suite. node:test runs no test before all suites are built.
 */
export function loadTests(files: readonly { name: string; path: string }[]): void {
  for (const { name, path } of files) {
    describe(name, () => {
      before(() => {
        running = name;
      });
      return load(path);
    });
  }
}

/**
 * `require` runs the file synchronously, and therefore inside its suite. It cannot load a file with a top-level `await`:
 * such a file is imported, and its tests and hooks belong to the whole process.
 */
async function load(path: string): Promise<void> {
  try {
    require(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_REQUIRE_ASYNC_MODULE')) throw error;
    await import(pathToFileURL(path).href);
  }
}
