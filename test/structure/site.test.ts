import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointList } from '../../contract/index.ts';
import { inGroups, type Page } from '../../site/build/assemble.ts';
import { anchorOf, replaceLinks, summaryOf, titleOf } from '../../site/build/markdown.ts';
import { makesSecret } from '../../site/build/secret-makers.ts';

/** What the build of the documentation makes of texts; test/console/docs-site.test.ts looks at the whole. */

const page = (path: string): Page => ({ path, title: path, summary: '', text: '' });

test('the navigation is held to the pages: one without a group, one that is not there, and one in two places are named', () => {
  const problems: string[] = [];
  const groups = inGroups([page('a'), page('b'), page('more/c'), page('more/d'), page('lost')], problems, [
    { title: 'First', pages: ['a', 'gone', 'more/d'] },
    { title: 'Second', pages: ['b', 'a', 'more/*'] },
    { title: 'Empty', pages: ['nothing/*'] },
  ]);
  assert.deepEqual(
    groups.map(({ title, pages }) => [title, pages.map(({ path }) => path)]),
    [
      ['First', ['a', 'more/d']],
      ['Second', ['b', 'more/c']],
    ],
  );
  assert.deepEqual(problems, [
    'site/navigation.ts: "First" names gone, which is not there',
    'site/navigation.ts: a stands in two places',
    'site/navigation.ts: no group has lost',
  ]);
});

test('links are replaced in texts, and never in code', () => {
  const text = 'See [`a.ts`](../a.ts#x), `[not](this)` and ![a picture](p.svg).\n\n```md\n[nor](this)\n```\n[last\none](b.md)';
  const found: string[] = [];
  const changed = replaceLinks(text, ({ isImage, text: label, target }) => {
    found.push(`${isImage ? 'image ' : ''}${label}: ${target}`);
    return '@';
  });
  assert.deepEqual(found, ['`a.ts`: ../a.ts#x', 'image a picture: p.svg', 'last\none: b.md']);
  assert.equal(changed, 'See @, `[not](this)` and @.\n\n```md\n[nor](this)\n```\n@');
});

test('a page is listed with its title and first sentence, or with its headings where it begins with a list', () => {
  assert.equal(titleOf('# The `client`, and [more](x.md)\n'), 'The client, and more');
  assert.equal(summaryOf('# A\n\n- item\n\nIt is **one** sentence, e.g. this one. Another one.\n'), 'It is one sentence, e.g. this one.');
  assert.equal(summaryOf('# A\n\n## First\n\n- x\n\n## Second\n'), 'First · Second');
  assert.equal(anchorOf("A task's source, and `more`"), 'a-tasks-source-and-more');
});

test('commands that make a token, link or secret are known, however they are written, and no others', () => {
  for (const { id, method, path, secretFields } of endpointList) {
    const url = `http://127.0.0.1:8787/admin/api${path.replaceAll(/\{\w+\}/g, '7')}`;
    assert.equal(
      makesSecret(`curl -i -X ${method} '${url}' \\\n  -H "Authorization: Bearer $BACKROOM_TOKEN"`),
      secretFields !== undefined,
      id,
    );
  }
  const tokens = 'http://127.0.0.1:8787/admin/api/me/tokens';
  assert.equal(makesSecret(`curl ${tokens} -d '{"name": "x"}'`), true);
  assert.equal(makesSecret(`curl ${tokens}`), false);
  assert.equal(makesSecret(`npx backroom login\ncurl ${tokens}\ncurl ${tokens} --json '{"name": "x"}'`), true);
});
