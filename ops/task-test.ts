import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../cli/failure.ts';
import { runChild } from '../cli/run-child.js';
import { pathsOf, TEST } from '../cli/task-files.ts';

/** `backroom task test`: runs the tests of the named tasks, or of all tasks in a folder. */

/** Test files that run at the same time. No more, because each file starts a server, a runner and workers. */
const AT_ONCE = 2;

try {
  await main();
} catch (error) {
  if (!(error instanceof Error) || !isUsageError(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { dir: { type: 'string', default: '.' } } });
  process.exitCode = await runTests(
    values.dir,
    chooseTests(values.dir, positionals).map((name) => name + TEST),
  );
}

/** The names of the tasks to test: the given ones, or all that have a test. */
function chooseTests(dir: string, names: readonly string[]): readonly string[] {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) throw new UsageError(`--dir: there is no folder "${dir}"`);
  const tested = readdirSync(dir)
    .filter((file) => file.endsWith(TEST))
    .map((file) => file.slice(0, -TEST.length))
    .sort();
  if (tested.length === 0) throw new UsageError(`no task in "${dir}" has a test: it is expected in NAME${TEST}, beside NAME.ts`);
  for (const name of names) {
    if (tested.includes(name)) continue;
    const isTask = existsSync(pathsOf(dir, name).meta);
    const problem = isTask
      ? `the task "${name}" has no test: "${join(dir, name + TEST)}" is missing`
      : `there is no task "${name}" in "${dir}"`;
    throw new UsageError(`${problem}; tasks with a test are: ${tested.join(', ')}`);
  }
  const chosen = names.length > 0 ? names : tested;
  for (const name of chosen) {
    const missing = Object.values(pathsOf(dir, name)).find((file) => !existsSync(file));
    if (missing !== undefined) throw new UsageError(`the test "${join(dir, name + TEST)}" has no task: "${missing}" is missing`);
  }
  return chosen;
}

/**
 * Runs Node's own test runner, which gives each file a process; returns its exit code. It reads file names as patterns, so it
 * gets no path, whose characters could mean something else: it starts in the folder instead.
 */
async function runTests(dir: string, files: readonly string[]): Promise<number> {
  const hooks = new URL('./task-kit-hooks.ts', import.meta.url).href;
  const warnings = ['ExperimentalWarning', 'MODULE_TYPELESS_PACKAGE_JSON'].map((name) => `--disable-warning=${name}`);
  // A test may start this command. With this variable, Node would take the files for parts of that test, and run none of them.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = [...warnings, '--import', hooks, '--test', `--test-concurrency=${AT_ONCE}`];
  return runChild(process.execPath, [...options, ...files], { cwd: dir, env });
}

function isUsageError(error: Error): boolean {
  return error instanceof UsageError || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
}
