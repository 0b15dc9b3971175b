import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allDocuments, blocksOf, PROJECT, spansOf } from '../helpers/documents.ts';
import { faultsOf } from './named-commands.ts';

/** What the documents name is there: scripts of npm, commands with their options, and variables of the environment. */

const documents = allDocuments().filter(({ path }) => path !== 'CHANGELOG.md');
const spans = documents.flatMap(spansOf);

/** Variables of other programs, whose documentation has them. */
const OTHERS = /^(?:PG[A-Z]+|OTEL_[A-Z_]+|AWS_[A-Z_]+|NODE_[A-Z_]+|XDG_[A-Z_]+|POSTGRES_[A-Z_]+|NPM_[A-Z_]+)$/;

/** Where a program or a deployment reads or sets a variable. */
const READ = /(?:\['|["'$ ]|\$\{|^)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?='\]|[=:}'"])/gm;

test('every command that stands as code is there, with its options and files', () => {
  const told = spans
    .filter(({ text }) => /^(?:[A-Z_]+=\S+ )*(?:npm|npx backroom|backroom|node cli\/backroom\.js) /.test(text))
    .flatMap(({ document, line, text }) => faultsOf(text).map((fault) => `${document}:${line} \`${text}\`: ${fault}`));
  assert.deepEqual(told, []);
});

test('so is every command in a block', () => {
  const told = documents
    .flatMap(blocksOf)
    .flatMap(({ document, line, language, text }) =>
      language === 'sh' ? faultsOf(text).map((fault) => `${document}:${line} ${fault}`) : [],
    );
  assert.deepEqual(told, []);
});

test('every variable of the environment is read by something', () => {
  const sources = globSync('{server,runner,cli,ops,tools,tracing,test,bench,deploy,.ci,.github,site}/**/*.{ts,js,sh,yaml,yml,env}', {
    cwd: PROJECT,
    exclude: ['**/node_modules/**', 'test/docs/**'],
  });
  const text = [...sources, 'Dockerfile', '.ci/run'].map((path) => readFileSync(join(PROJECT, path), 'utf8')).join('\n');
  const known = new Set(text.match(READ)?.map((place) => place.replaceAll(/[^A-Z0-9_]/g, '')));
  const told = spans.flatMap(({ document, line, text: span }) => {
    const [name = ''] = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?==|$)/.exec(span) ?? [];
    return name === '' || known.has(name) || OTHERS.test(name) ? [] : [`${document}:${line} ${name}`];
  });
  assert.deepEqual(told, []);
});
