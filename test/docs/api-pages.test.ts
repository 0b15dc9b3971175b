import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errorCodes } from '../../contract/errors.ts';
import { endpointList } from '../../contract/index.ts';
import { type AllAnswers, carryOut } from '../../site/api/carry-out.ts';
import { type ApiDocument, readDocument } from '../../site/api/document.ts';
import type { ApiPage } from '../../site/api/kept-pages.ts';
import { pagesOf } from '../../site/api/pages.ts';
import { OWNER_TOKEN, RUNNER_TOKEN } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';

/** The reference of the API, with the examples that a shop answers (site/api). The server checks each of its answers by its schema. */

let document: ApiDocument;
let all: AllAnswers;
let pages: ApiPage[];
before(async () => {
  document = readDocument();
  all = await carryOut();
  pages = await pagesOf(document, all);
});
after(() => all.open.close());

const whole = (): string => pages.map(({ text }) => text).join('\n');
/** The page without its blocks and pieces of code. */
const words = (text: string): string => text.replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '').replaceAll(/`[^`\n]*`/g, '');
const anchorsOf = (text: string): string[] => [
  ...[...text.matchAll(/^#+ .* \{#([^}]+)\}$/gm)].map(([, id = '']) => id),
  ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
];

/** Examples that show a refusal, because the shop of the examples cannot do what they ask for, each with its reason. */
const refusedExamples: Readonly<Record<string, string>> = {};

test('each operation has an example that is answered with the documented success', () => {
  assert.deepEqual([...all.answers.keys()].sort(), endpointList.map(({ id }) => id).sort());
  const refused = [...all.answers.values()].filter(({ status }) => status >= 400).map(({ endpoint }) => endpoint.id);
  assert.deepEqual(refused, Object.keys(refusedExamples));
  const wrong = [...all.answers.values()].filter(({ endpoint, status, refused: code }) => code === undefined && status !== endpoint.status);
  assert.deepEqual(wrong, []);
});

test('each operation stands on one page, under an anchor with its id, with its call and its answer, in the order of the contract', () => {
  const place = new Map(document.operations.map(({ id }, n) => [id, n]));
  const found = pages.flatMap(({ path, text }) => {
    const sections = text.split(/^## /m).flatMap((section) => {
      const id = /\{#([\w.]+)\}$/m.exec(section.split('\n')[0] ?? '')?.[1] ?? '';
      return place.has(id) ? [{ id, section }] : [];
    });
    const order = sections.map(({ id }) => place.get(id) ?? -1);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
      path,
    );
    return sections;
  });
  assert.deepEqual(found.map(({ id }) => id).sort(), [...place.keys()].sort());
  for (const { id, section } of found) assert.match(section, /^```sh[\s\S]*^```http\nHTTP\/1\.1 \d{3} [A-Z]/m, id);
});

test('the permission that is told is the one that the server asks for', async () => {
  const text = whole();
  const { token } = await person(all.open.app, { permissions: [] });
  const wrong: string[] = [];
  for (const { endpoint, path } of all.answers.values()) {
    const { id, method, permission, stream, open: isOpen } = endpoint;
    if (isOpen || (stream && permission === null)) continue;
    const { status, headers } = await all.open.app.request({ method, path: `/admin/api${path}`, token });
    const from = text.indexOf(`{#${id}}\n`);
    const section = text.slice(from, text.indexOf('\n## ', from));
    const told = /^Needs `([^`]+)`/m.exec(section)?.[1] ?? null;
    const asked = status === 403 ? (headers['x-required-permission'] ?? null) : null;
    if (told !== permission || (permission !== null && asked !== told)) wrong.push(`${id}: told ${told}, asked for ${asked} (${status})`);
  }
  assert.deepEqual(wrong, []);
});

test('every link between the pages leads somewhere, and every error code has its place', () => {
  const anchors = new Map(pages.map(({ path, text }) => [path.replace('api/', './'), anchorsOf(text)]));
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((\.\/[\w-]+\.md)?(?:#([^)]+))?\)/g)].flatMap(([link, page = path.replace('api/', './'), anchor]) => {
      const known = anchors.get(page);
      return known !== undefined && (anchor === undefined || known.includes(anchor)) ? [] : [`${path}: ${link}`];
    }),
  );
  assert.deepEqual([...new Set(broken)], []);
  const index = anchors.get('./index.md') ?? [];
  assert.deepEqual(
    Object.keys(errorCodes).filter((code) => !index.includes(code)),
    [],
  );
  for (const [path, own] of anchors) assert.equal(new Set(own).size, own.length, `${path} has an anchor twice`);
});

test('nothing outside of code would be read as a template or as a tag', () => {
  for (const { path, text } of pages) {
    const left = words(text).replaceAll(/<a id="\w+"><\/a>|<\/?code( v-pre)?>/g, '');
    assert.doesNotMatch(left, /\{\{|\}\}|<[a-z/]/i, path);
    for (const [, content = ''] of text.matchAll(/`([^`\n]*)`/g)) assert.doesNotMatch(content, /\{\{/, path);
  }
});

test('no page has a secret, or an address of this machine beside that of the documents', () => {
  const secrets = [...all.answers.values()].flatMap(({ endpoint, content }) =>
    content.kind === 'json' && typeof content.value === 'object' && content.value !== null
      ? Object.entries(content.value).flatMap(([name, value]) =>
          (endpoint.secretFields?.includes(name) || name === 'token') && typeof value === 'string' ? [value] : [],
        )
      : [],
  );
  assert.ok(secrets.length > 5);
  const text = whole();
  assert.deepEqual(
    [...secrets, OWNER_TOKEN, RUNNER_TOKEN].filter((secret) => text.includes(secret)),
    [],
  );
  assert.deepEqual([...new Set(text.match(/(?:127\.0\.0\.1|localhost):(?!8787\b)\d+/g))], []);
});
