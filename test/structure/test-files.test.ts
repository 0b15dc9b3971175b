import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `npm test` loads several files into one process; node:test begins with the first tests while a module still waits. */
test('no file of the tests waits while it is loaded: the tests of others would begin before its own are known', () => {
  const files = globSync('test/**/*.ts', { cwd: root, exclude: ['test/openapi-tools/**'] });
  assert.ok(files.length > 200);
  assert.deepEqual(files.filter(waitsAtTopLevel), []);
});

function waitsAtTopLevel(file: string): boolean {
  const source = stripTypeScriptTypes(readFileSync(`${root}/${file}`, 'utf8'));
  const options = { ecmaVersion: 'latest', sourceType: 'module' } as const;
  parse(source, options);
  try {
    parse(source, { ...options, allowAwaitOutsideFunction: false });
    return false;
  } catch {
    return true;
  }
}
