import { appendFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { runChild } from '../cli/run-child.js';
import { failedFiles } from './failed-files.ts';

/**
 * `npm test [-- FILE…]`: runs the tests in the given files, folders and patterns. Without any: those that need no process of the
 * project, on SQLite. `--postgres` runs those that need a database on PostgreSQL; `--processes`, `--console`, `--package` and `--faults`
 * (`npm run test:processes`, …) run the other kinds. `--shard=1/2` runs the first of two parts of the files. `--again=LIST` writes the
 * files that failed into LIST, one a line, and ends well, unless they are too many to be run again (`.ci/run` does that).
 */

/**
 * `from`: folders and patterns of files; `atOnce`: how many test processes run at a time; `groups`: how many processes share the files. Node
 * would start one for each file, and loading the server and running it cold is most of what a small file costs.
 */
type Kind = { from: readonly string[]; atOnce: number; groups: number; setup: string };

/** More failures than a busy machine explains: these are not run again. */
const MOST_AGAIN = 8;

const SETUP = 'test/global-setup.ts';
const PROCESSES = ['cli', 'mcp-tools', 'openapi-tools', 'runner', 'runs', 'sandbox', 'start', 'tasks-examples'];
const IN_PROCESS = `test/!(${[...PROCESSES, 'console', 'faults', 'package', 'postgres'].join('|')})/**/*.test.ts`;
const inProcess: Kind = { from: [IN_PROCESS], atOnce: 6, groups: Number(process.env['TEST_GROUPS'] ?? 6), setup: SETUP };
const kinds: Record<string, Kind> = {
  /** What only PostgreSQL has, too. */
  '--postgres': { ...inProcess, from: ['test/postgres', IN_PROCESS] },
  /** Tests that start the command line, the runner, workers or the whole of it, and whole runs with their scripts. */
  '--processes': { from: PROCESSES.map((folder) => `test/${folder}`), atOnce: 4, groups: 6, setup: SETUP },
  /** Each starts a server, some a runner, and pages of a browser that they share. */
  '--console': { from: ['test/console'], atOnce: 3, groups: 12, setup: 'test/console/global-setup.ts' },
  /** The package that `npm pack` makes, installed in an empty folder as a user would. */
  '--package': { from: ['test/package'], atOnce: 1, groups: 1, setup: SETUP },
  /** Processes are killed; each file has a test process of its own. */
  '--faults': { from: ['test/faults'], atOnce: 2, groups: Number.POSITIVE_INFINITY, setup: SETUP },
};

const args = process.argv.slice(2);
const shard = args.find((name) => name.startsWith('--shard='));
const again = args.find((name) => name.startsWith('--again='))?.slice('--again='.length);
const option = args.find((name) => Object.hasOwn(kinds, name)) ?? '';
const kind = kinds[option] ?? inProcess;
const given = args.filter((name) => name !== shard && name !== option && !name.startsWith('--again='));
const chosen = (given.length > 0 ? given : kind.from).map((name) => ({ name, paths: filesOf(name) }));
const unknown = chosen.filter(({ paths }) => paths.length === 0);
for (const { name } of unknown) process.stderr.write(`"${name}" is not a test file, and not a folder or pattern with test files\n`);
const part = shardOf(shard ?? '--shard=1/1');
if (!part) process.stderr.write(`"${shard}" is not a part: --shard=1/2 is the first of two\n`);
let files = [...new Set(chosen.flatMap(({ paths }) => paths))].sort();
if (option === '--postgres') {
  process.env['TEST_ENGINES'] = 'postgres';
  files = files.filter(needsEngine);
} else if (kind === inProcess && given.length === 0) {
  process.env['TEST_ENGINES'] ??= 'sqlite';
}
if (files.length === 0 && unknown.length === 0) process.stderr.write('none of these files has a test of this kind\n');
const ours = part?.(files) ?? [];
if (files.length === 0 || unknown.length > 0 || !part) process.exitCode = 1;
// Without a file, Node would look for tests by itself and run all that it finds.
else if (ours.length > 0) process.exitCode = await runTests(ours);

/** Chooses the files of one part of several; null if the text names none. Neighbours go to different parts. */
function shardOf(text: string): ((files: readonly string[]) => readonly string[]) | null {
  const [, part, parts] = /^--shard=(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (!part || !parts || part > parts) return null;
  return (files) => files.filter((_, i) => i % parts === part - 1);
}

function filesOf(name: string): readonly string[] {
  const isFolder = existsSync(name) && statSync(name).isDirectory();
  if (existsSync(name) && !isFolder) return [resolve(name)];
  const found = globSync(isFolder ? '**/*.test.ts' : name, { cwd: isFolder ? name : '.', exclude: ['**/node_modules/**'] });
  return found.map((file) => resolve(isFolder ? name : '.', file)).filter((file) => statSync(file).isFile());
}

/** Tells whether the file has tests that run on each engine of `TEST_ENGINES`, or on PostgreSQL alone. */
function needsEngine(path: string): boolean {
  return /\bonBothStores\(|\bengines\b|startApp\('postgres'/.test(readFileSync(path, 'utf8'));
}

async function runTests(files: readonly string[]): Promise<number> {
  // Files are dealt out in turn: long files often have neighbouring names and would otherwise fall into one group.
  const { atOnce, setup, groups: most } = kind;
  const count = Math.min(most, files.length);
  const groups = Array.from({ length: count }, (_, n) => files.filter((_, i) => i % count === n));
  const folder = mkdtempSync(join(tmpdir(), 'backroom-groups-'));
  const options = [
    // Not `tsx` alone: it gives required files a second instance of what others `import()`.
    '--import=tsx/esm',
    '--enable-source-maps',
    '--disable-warning=ExperimentalWarning',
    // A server under test makes many short-lived objects. With a larger young generation they are collected less often.
    '--max-semi-space-size=32',
    '--test',
    `--test-concurrency=${atOnce}`,
    `--test-global-setup=${setup}`,
    '--test-reporter=./tools/test-reporter.ts',
    '--test-reporter-destination=stdout',
    '--test-reporter=./tools/failed-files.ts',
    `--test-reporter-destination=${join(folder, 'report')}`,
  ];
  try {
    const written = groups.map((group, n) => writeEntry(folder, group, n));
    const code = await runChild(process.execPath, [...options, ...written.map(({ entry }) => entry)]);
    if (code !== 1 || again === undefined) return code;
    return leaveForLater(failedFiles(readFileSync(join(folder, 'report'), 'utf8'), written), again);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the files that failed into the list, and resolves with the exit code: 0 unless they are too many or none in particular. */
function leaveForLater(failed: readonly string[] | null, list: string): number {
  if (failed === null || failed.length === 0 || failed.length > MOST_AGAIN) return 1;
  appendFileSync(list, failed.map((name) => `${name}\n`).join(''));
  process.stdout.write(`left to be run again, alone:\n${failed.map((name) => `  ${name}\n`).join('')}`);
  return 0;
}

/** Writes the file that one of the test processes starts with; returns its path and the names of the group's files. */
function writeEntry(folder: string, group: readonly string[], n: number): { entry: string; files: readonly string[] } {
  const entry = join(folder, `group-${String(n + 1).padStart(2, '0')}.mjs`);
  const loader = new URL('./test-group.ts', import.meta.url).href;
  const files = group.map((path) => ({ name: relative('.', path), path }));
  writeFileSync(entry, `import { loadTests } from ${JSON.stringify(loader)};\nloadTests(${JSON.stringify(files)});\n`);
  return { entry, files: files.map(({ name }) => name) };
}
