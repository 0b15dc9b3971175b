import { existsSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { runChild } from '../cli/run-child.js';

/**
 * `npm test [-- FILE…]`: runs the tests in the given files, folders and patterns. Without any: those that need no process of the
 * project; `--processes` (`npm run test:processes`) runs those that start the command line, the runner, workers or the whole of it, and
 * whole runs with their scripts;
 * `--console` (`npm run test:console`) those of the console in a browser.
 */

/**
 * The number of processes that share the files. Node would start one process for each file, and loading the server and
 * running it cold is most of what a small file costs.
 */
const GROUPS = Number(process.env['TEST_GROUPS'] ?? 6);

/** The folders whose tests start processes of the project or run scripts. test/faults has a command of its own. */
const PROCESSES = ['cli', 'openapi-tools', 'runner', 'runs', 'sandbox', 'start', 'tasks-examples'];

const isConsole = process.argv.includes('--console');
const isProcesses = process.argv.includes('--processes');
/** A test of the console starts a server, a runner and pages of the browser, a test of processes one or two of them, the others none. */
const AT_ONCE = isConsole ? 3 : isProcesses ? 4 : 6;
const SETUP = isConsole ? 'test/console/global-setup.ts' : 'test/global-setup.ts';

const args = process.argv.slice(2).filter((name, _, all) => name !== '--console' || all.length === 1);
const given = args.flatMap((name) => {
  if (name === '--console') return ['test/console'];
  return name === '--processes' ? PROCESSES.map((folder) => `test/${folder}`) : [name];
});
const inside = `test/!(faults|console|${PROCESSES.join('|')})/**/*.test.ts`;
const chosen = (given.length > 0 ? given : [inside]).map((name) => ({ name, paths: filesOf(name) }));
const unknown = chosen.filter(({ paths }) => paths.length === 0);
for (const { name } of unknown) process.stderr.write(`"${name}" is not a test file, and not a folder or pattern with test files\n`);
process.exitCode = unknown.length > 0 ? 1 : await runTests([...new Set(chosen.flatMap(({ paths }) => paths))].sort());

function filesOf(name: string): readonly string[] {
  const isFolder = existsSync(name) && statSync(name).isDirectory();
  if (existsSync(name) && !isFolder) return [resolve(name)];
  const found = globSync(isFolder ? '**/*.test.ts' : name, { cwd: isFolder ? name : '.', exclude: ['**/node_modules/**'] });
  return found.map((file) => resolve(isFolder ? name : '.', file)).filter((file) => statSync(file).isFile());
}

async function runTests(files: readonly string[]): Promise<number> {
  // Files are dealt out in turn: long files often have neighbouring names and would otherwise fall into one group.
  const groups = Array.from({ length: Math.min(GROUPS, files.length) }, (_, n) => files.filter((_, i) => i % GROUPS === n));
  const folder = mkdtempSync(join(tmpdir(), 'backroom-groups-'));
  const options = [
    '--disable-warning=ExperimentalWarning',
    // A server under test makes many short-lived objects. With a larger young generation they are collected less often.
    '--max-semi-space-size=32',
    '--test',
    `--test-concurrency=${AT_ONCE}`,
    `--test-global-setup=${SETUP}`,
    '--test-reporter=./scripts/test-reporter.ts',
  ];
  try {
    return await runChild(process.execPath, [...options, ...groups.map((group, n) => writeEntry(folder, group, n))]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the file that one of the test processes starts with; returns its path. */
function writeEntry(folder: string, group: readonly string[], n: number): string {
  const entry = join(folder, `group-${String(n + 1).padStart(2, '0')}.mjs`);
  const loader = new URL('./test-group.ts', import.meta.url).href;
  const files = group.map((path) => ({ name: relative('.', path), path }));
  writeFileSync(entry, `import { loadTests } from ${JSON.stringify(loader)};\nloadTests(${JSON.stringify(files)});\n`);
  return entry;
}
