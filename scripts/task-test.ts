import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../cli/failure.ts';
import { runChild } from '../cli/run-child.js';
import { pathsOf, TEST } from '../cli/task-files.ts';

/** `backroom task test`: the tests of the tasks in a folder, or of those that are named. */

/** Each file has a server, a runner and its workers. */
const AT_ONCE = 2;

try {
  await main();
} catch (error) {
  if (!(error instanceof Error) || !isUsage(error)) throw error;
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

/** Of these tasks, or of all that have a test. */
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
    throw new UsageError(`${problem}; tested are: ${tested.join(', ')}`);
  }
  const chosen = names.length > 0 ? names : tested;
  for (const name of chosen) {
    const missing = Object.values(pathsOf(dir, name)).find((file) => !existsSync(file));
    if (missing !== undefined) throw new UsageError(`the test "${join(dir, name + TEST)}" has no task: "${missing}" is missing`);
  }
  return chosen;
}

/** Node's own test runner, each file in a process; its exit code. It takes names for patterns, and so gets no path. */
async function runTests(dir: string, files: readonly string[]): Promise<number> {
  const hooks = new URL('./task-kit-hooks.ts', import.meta.url).href;
  const warnings = ['ExperimentalWarning', 'MODULE_TYPELESS_PACKAGE_JSON'].map((name) => `--disable-warning=${name}`);
  // A test may start this command; Node would take the files for parts of that test, and run none.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = [...warnings, '--import', hooks, '--test', `--test-concurrency=${AT_ONCE}`];
  return runChild(process.execPath, [...options, ...files], { cwd: dir, env });
}

function isUsage(error: Error): boolean {
  return error instanceof UsageError || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
}
