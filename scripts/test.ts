import { existsSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { runChild } from '../cli/run-child.js';

/** `npm test [-- FILE…]`: all tests but those of killed processes and of the console, or those of these files, folders and patterns. */

/**
 * The processes that the files are dealt to. Node gives each file that it is told of a process of its own; to load the
 * server, and to run it cold, is most of what a small one costs.
 */
const GROUPS = Number(process.env['TEST_GROUPS'] ?? 20);
const AT_ONCE = 4;

const given = process.argv.slice(2);
const chosen = (given.length > 0 ? given : ['test/!(faults|console)/**/*.test.ts']).map((name) => ({ name, paths: filesOf(name) }));
const unknown = chosen.filter(({ paths }) => paths.length === 0);
for (const { name } of unknown) process.stderr.write(`"${name}" is no file of tests, and no folder or pattern of any\n`);
process.exitCode = unknown.length > 0 ? 1 : await runTests([...new Set(chosen.flatMap(({ paths }) => paths))].sort());

function filesOf(name: string): readonly string[] {
  const isFolder = existsSync(name) && statSync(name).isDirectory();
  if (existsSync(name) && !isFolder) return [resolve(name)];
  const found = globSync(isFolder ? '**/*.test.ts' : name, { cwd: isFolder ? name : '.', exclude: ['**/node_modules/**'] });
  return found.map((file) => resolve(isFolder ? name : '.', file)).filter((file) => statSync(file).isFile());
}

async function runTests(files: readonly string[]): Promise<number> {
  // Dealt out, so that the long ones, which have names alike, part.
  const groups = Array.from({ length: Math.min(GROUPS, files.length) }, (_, n) => files.filter((_, i) => i % GROUPS === n));
  const folder = mkdtempSync(join(tmpdir(), 'backroom-groups-'));
  const options = [
    '--disable-warning=ExperimentalWarning',
    // A server under test makes much that is soon forgotten: a larger nursery is swept less often.
    '--max-semi-space-size=32',
    '--test',
    `--test-concurrency=${AT_ONCE}`,
    '--test-global-setup=test/global-setup.ts',
    '--test-reporter=./scripts/test-reporter.ts',
  ];
  try {
    return await runChild(process.execPath, [...options, ...groups.map((group, n) => writeEntry(folder, group, n))]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The file that a process of these tests starts with. */
function writeEntry(folder: string, group: readonly string[], n: number): string {
  const entry = join(folder, `group-${String(n + 1).padStart(2, '0')}.mjs`);
  const loader = new URL('./test-group.ts', import.meta.url).href;
  const files = group.map((path) => ({ name: relative('.', path), path }));
  writeFileSync(entry, `import { loadTests } from ${JSON.stringify(loader)};\nloadTests(${JSON.stringify(files)});\n`);
  return entry;
}
