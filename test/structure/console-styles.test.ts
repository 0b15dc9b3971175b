import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** The class with which a selector begins. */
const LEADING = /^\s*\.([a-z][\w-]*)[^{}]*?[,{]/gm;

test('a class of the console is styled in one file, because a page keeps the styles of all pages that were open before it', () => {
  const files = new Map<string, Set<string>>();
  for (const file of globSync('console/**/*.css', { exclude: ['**/node_modules/**'] }))
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(LEADING)) files.set(name, (files.get(name) ?? new Set()).add(file));
  assert.ok(files.size > 100, String(files.size));
  const shared = [...files].filter(([, where]) => where.size > 1).map(([name, where]) => `.${name}: ${[...where].join(', ')}`);
  assert.deepEqual(shared, []);
});
