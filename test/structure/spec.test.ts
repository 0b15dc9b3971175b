import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Code and tests name rules by the keys of docs/spec. Each key that they name stands there. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(`${root}/${file}`, 'utf8');

const zones = '{contract,server,runner,tracing,sandbox-lib,tasks-examples,cli,console,site,ops,tools,bench,deploy,test}';
/** All but this file, whose keys are examples. */
const sources = globSync(`${zones}/**/*.{ts,tsx,js}`, { cwd: root, exclude: (name) => name.includes('node_modules') })
  .filter((file) => file !== 'test/structure/spec.test.ts')
  .sort();
const documents = globSync(['*.md', '{docs,deploy}/**/*.md'], { cwd: root }).sort();

/** Not the `C3` of a percent-encoded `%C3`. */
const KEY = /(?<!%)\b[A-Z]{1,2}\d{1,2}\b/g;
const keysIn = (text: string): string[] => text.match(KEY) ?? [];
/** Such as `G6`, `G6, R2` or `ED5-ED8`. */
const KEYS = '[A-Z]{1,2}\\d{1,2}(?:(?:, |-| and )[A-Z]{1,2}\\d{1,2})*';

const rules = documents
  .filter((file) => file.startsWith('docs/spec/'))
  .flatMap((file) => [...read(file).matchAll(/^- <a id="(\w+)"><\/a>\*\*(\w+) /gm)].map(([, id = '', key = '']) => ({ file, id, key })));
const known = new Set(rules.map(({ key }) => key));
const families = new Set([...known].map(familyOf));

function familyOf(key: string): string {
  return key.replace(/\d+$/, '');
}

/** Comments with the marks of their lines taken away, so that a citation may be broken over two lines. */
function commentsOf(source: string): string[] {
  const found = source.match(/(?<=^|\s|\{)\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*/g) ?? [];
  return found.map((comment) => comment.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' '));
}

const CITATION = new RegExp(`\\bspec (${KEYS})`, 'g');

/** The names of tests and suites, and the messages that begin with a key. */
function namesOf(source: string): string[] {
  const named = source.matchAll(/\b(?:test|describe|suite|onBothStores|it)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g);
  const led = source.matchAll(new RegExp(`(['"\`])(${KEYS}: (?:\\\\.|(?!\\1)[^\\\\\\n])*)\\1`, 'g'));
  return [...named, ...led].map(([, , name = '']) => name);
}

/** Keys at the beginning of a name, whatever their letters, and others whose letters are those of a rule. */
function keysOfName(name: string): string[] {
  const lead = new RegExp(`^${KEYS}(?=[:,]| and )`).exec(name)?.[0] ?? '';
  return [...keysIn(lead), ...keysIn(name.slice(lead.length)).filter((key) => families.has(familyOf(key)))];
}

const unknownIn = (file: string, keys: string[]): string[] => keys.filter((key) => !known.has(key)).map((key) => `${file}: ${key}`);

describe('docs/spec', () => {
  test('each rule has one key, and an anchor of that name', () => {
    assert.ok(known.size > 300);
    assert.equal(rules.length, known.size, 'a key is used twice');
    assert.deepEqual(
      rules.filter(({ id, key }) => id !== key.toLowerCase()),
      [],
    );
  });

  test('the index names every page and the letters of its keys', () => {
    const index = read('docs/spec/README.md');
    for (const { file, key } of rules) {
      const row = index.split('\n').find((line) => line.includes(`](${file.replace('docs/spec/', '')})`));
      assert.match(row ?? '', new RegExp(`\\| (?:[A-Z]+ )*${familyOf(key)}(?: [A-Z]+)* \\|$`), `${key} of ${file}`);
    }
  });

  test('each rule that a comment cites exists', () => {
    const cited = sources.flatMap((file) =>
      commentsOf(read(file)).flatMap((comment) => [...comment.matchAll(CITATION)].map(([, keys = '']) => ({ file, keys }))),
    );
    assert.ok(cited.length > 150);
    assert.deepEqual(
      cited.flatMap(({ file, keys }) => unknownIn(file, keysIn(keys))),
      [],
    );
  });

  test('a comment that names a rule cites it as spec', () => {
    const bare = sources.flatMap((file) =>
      commentsOf(read(file))
        .flatMap((comment) => keysIn(comment.replaceAll(CITATION, '')))
        .filter((key) => known.has(key))
        .map((key) => `${file}: ${key}`),
    );
    assert.deepEqual(bare, []);
  });

  test('each key in the name of a test exists', () => {
    const named = sources
      .filter((file) => /^test\/|\.test\.ts$/.test(file))
      .flatMap((file) => namesOf(read(file)).map((name) => ({ file, keys: keysOfName(name) })));
    assert.ok(named.filter(({ keys }) => keys.length > 0).length > 500);
    assert.deepEqual(
      named.flatMap(({ file, keys }) => unknownIn(file, keys)),
      [],
    );
  });

  test('nothing cites a document or a section that is not here', () => {
    const gone = /\b(?:decisions|automation|storefront-admin-api)\.md\b|§/;
    assert.deepEqual(
      [...sources, ...documents].filter((file) => gone.test(read(file))),
      [],
    );
  });
});

describe('links of the documents', () => {
  /** As forges make the anchor of a heading. */
  const slugOf = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
  const anchorsOf = (text: string): Set<string> =>
    new Set([
      ...[...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading)),
      ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
    ]);
  const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '');
  const files = new Set(globSync('**/*', { cwd: root, exclude: (name) => name.includes('node_modules') || name === 'dist' }));

  for (const document of documents) {
    test(`${document} links only to what exists`, () => {
      const links = withoutCode(read(document)).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g);
      for (const [, link, picture] of links) {
        const target = link ?? picture ?? '';
        if (/^[a-z]+:/.test(target)) continue;
        const { pathname, hash } = new URL(target, `file:///${document}`);
        const file = decodeURIComponent(pathname.slice(1)).replace(/\/$/, '');
        assert.ok(files.has(file), `${target}: no such file`);
        if (hash !== '' && file.endsWith('.md')) assert.ok(anchorsOf(read(file)).has(hash.slice(1)), `${target}: no such heading`);
      }
    });
  }
});
