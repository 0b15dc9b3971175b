import asyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const require = createRequire(import.meta.url);

// node:test follows every promise, to find the test that a later `test()` or error belongs to: a sixth of the processor time
// of these processes. Here tests are named while their file is loaded, or by `t.test()`; other errors are told below.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
const { before, describe } = await import('node:test');

let running = '';
for (const event of ['uncaughtException', 'unhandledRejection']) {
  // node:test lets the process fail, and tells the message alone.
  process.on(event, (error) => process.stderr.write(`✖ while ${running} ran: ${inspect(error)}\n`));
}

/**
 * Loads several files of tests into this process, each as a suite under its name, so that its hooks are of its own tests
 * alone, and a file that can't be loaded is a suite that fails. node:test runs no test before all suites are built.
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
 * `require` runs the file at once, and so inside its suite. A file that waits while it is loaded can't be had that way:
 * it is imported, and its tests and hooks are of the whole process.
 */
async function load(path: string): Promise<void> {
  try {
    require(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_REQUIRE_ASYNC_MODULE')) throw error;
    await import(pathToFileURL(path).href);
  }
}
