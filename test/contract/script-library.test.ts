import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { scriptNames } from '../../contract/script-library.ts';

const TYPES = new URL('../../sandbox-lib/index.ts', import.meta.url);

test('each name of the script library is declared as a global, with the type that it has in index.ts', () => {
  const lines = readFileSync(TYPES, 'utf8').split('\n');
  const declared = lines.slice(lines.indexOf('declare global {') + 1, lines.lastIndexOf('}'));
  assert.deepEqual(
    declared,
    scriptNames.map((name) => `  const ${name}: Names['${name}'];`),
  );
});
