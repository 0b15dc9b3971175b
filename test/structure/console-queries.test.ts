import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** After a new sign-in all that is shown may be another. */
const READS_ALL = ['console/app/shell.tsx'];

test('an act in the console names what it changed: only a new sign-in reads everything again', () => {
  const files = globSync('console/**/*.{ts,tsx}', { exclude: ['**/node_modules/**'] }).toSorted();
  assert.ok(files.length > 200, String(files.length));
  const found = files.filter((file) => /\.(invalidate|refetch|reset)Queries\(\s*(\{\s*\})?\s*\)/.test(readFileSync(file, 'utf8')));
  assert.deepEqual(found, READS_ALL);
});
