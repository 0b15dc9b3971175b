import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** The documents for developers name files of the project, from its root on or from the root of a zone. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/internals/*.md', { cwd: root })];
const files = globSync('**/*.{ts,tsx,js,sql,txt,css}', { cwd: root, exclude: (name) => /^(node_modules|dist|\.git)$/.test(name) });
/** `server/http/body.ts` is also `http/body.ts` and `body.ts`: a document may leave out what its sentence has said. */
const known = new Set(files.flatMap((file) => file.split('/').map((_, n, parts) => parts.slice(n).join('/'))));

const PATH = /(?<![\w/.*<>-])(?:[\w-]+\/)+[\w-]+\.(?:tsx?|js|sql|txt|css)\b/g;

for (const document of documents) {
  test(`${document} names files that are there`, () => {
    const named = readFileSync(`${root}/${document}`, 'utf8').match(PATH) ?? [];
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((path) => !known.has(path)),
      [],
    );
  });
}
