import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runChild } from '../cli/run-child.js';

/**
 * `npm test [-- FILE…]`: all tests but those of killed processes, or those of these files. Node gives each file that it is
 * told of a process; to load the server, and to run it cold, is most of what a small one costs. So files go together.
 */
const GROUPS = 20;
/** They watch every statement that is prepared in their process. */
const ALONE = /-plans\.test\.ts$/;
const AT_ONCE = 4;

const given = process.argv.slice(2);
const files = (given.length > 0 ? given : globSync('test/!(faults)/**/*.test.ts')).sort();
const folder = mkdtempSync(join(tmpdir(), 'backroom-groups-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const together = files.filter((file) => !ALONE.test(file));
const groups = [
  // Dealt out, so that the long ones, which have names alike, part.
  ...Array.from({ length: Math.min(GROUPS, together.length) }, (_, n) => together.filter((_, i) => i % GROUPS === n)),
  ...files.filter((file) => ALONE.test(file)).map((file) => [file]),
];
const entries = groups.map((group, n) => {
  const entry = join(folder, `group-${String(n + 1).padStart(2, '0')}.mjs`);
  writeFileSync(entry, group.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`).join(''));
  return entry;
});
const options = [
  // A server under test makes much that is soon forgotten: a larger nursery is swept less often.
  '--max-semi-space-size=32',
  '--test',
  `--test-concurrency=${AT_ONCE}`,
  '--test-global-setup=test/global-setup.ts',
  '--test-reporter=./scripts/test-reporter.ts',
];
process.exitCode = await runChild(process.execPath, ['--disable-warning=ExperimentalWarning', ...options, ...entries]);
