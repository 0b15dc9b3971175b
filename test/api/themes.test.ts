import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('themes', (app) => {
  const activeTheme = async () => {
    const active = (await app().client.themes.list()).data.filter((theme) => theme.active);
    assert.equal(active.length, 1);
    return active[0] ?? assert.fail();
  };
  const contentIn = async (themeId: number, slug: string) =>
    (await app().client.themes.get_template(themeId, `templates/page.${slug}`)).content;

  test('TH1: one theme exists and is active from the start; others are created, renamed, found and deleted', async () => {
    assert.equal((await activeTheme()).name, 'Default');
    const theme = await app().client.themes.create({ name: ' Őszi ' });
    assert.deepEqual([theme.name, theme.active], ['Őszi', false]);
    assert.deepEqual(await app().client.themes.get(theme.id), theme);
    assert.deepEqual((await app().client.themes.list({ search: 'őSZI' })).data, [theme]);
    assert.deepEqual(await app().client.themes.update(theme.id, {}), theme);
    const renamed = await app().client.themes.update(theme.id, { name: 'Autumn' });
    assert.deepEqual(await app().client.themes.get(theme.id), renamed);
    await refused(app().client.themes.create({ name: ' ' }), 422, 'blank');
    await app().client.themes.delete(theme.id);
    await refused(app().client.themes.get(theme.id), 404, 'not_found');
    await refused(app().client.themes.delete(theme.id), 404, 'not_found');
  });

  test('TH1: the active theme cannot be deleted', async () => {
    await refused(app().client.themes.delete((await activeTheme()).id), 409, 'theme_active');
  });

  test('P7: activating a theme gives every page a template; pages show the active theme’s', async () => {
    const { client } = app();
    const old = await activeTheme();
    const written = await client.pages.create({ slug: 'p7-written', title: 'Written' });
    const missing = await client.pages.create({ slug: 'p7-missing', title: 'Missing' });
    await client.pages.update(written.id, { content: 'old theme' });
    await client.pages.update(missing.id, { content: 'old theme' });
    const theme = await client.themes.create({ name: 'New' });
    const saved = await client.themes.save_template(theme.id, 'templates/page.p7-written', { content: 'new theme' });
    assert.equal(saved.content, 'new theme');
    assert.equal((await client.pages.get(written.id)).content, 'old theme');

    const { headers } = await app().request({ path: `/admin/api/pages/${missing.id}` });
    assert.deepEqual(await client.themes.activate(theme.id), { ...theme, active: true });
    assert.equal((await activeTheme()).id, theme.id);
    assert.equal((await client.pages.get(written.id)).content, 'new theme');
    const shown = await app().request({ path: `/admin/api/pages/${missing.id}` });
    assert.notEqual(shown.headers['etag'], headers['etag']);
    assert.match(Object(shown.body)['content'], /page\.title/);
    assert.equal(await contentIn(old.id, 'p7-missing'), 'old theme');
    assert.deepEqual(await client.themes.activate(theme.id), { ...theme, active: true });

    await client.pages.update(written.id, { content: 'written once more' });
    assert.equal(await contentIn(theme.id, 'p7-written'), 'written once more');
    assert.equal(await contentIn(old.id, 'p7-written'), 'old theme');
    await client.themes.delete(old.id);
    assert.equal((await client.pages.get(written.id)).content, 'written once more');
  });

  test('P6: a changed slug renames the template in every theme; content is stored in the active theme', async () => {
    const { client } = app();
    const active = await activeTheme();
    const theme = await client.themes.create({ name: 'Second' });
    const page = await client.pages.create({ slug: 'p6', title: 'P6' });
    await client.themes.save_template(theme.id, 'templates/page.p6', { content: 'second' });
    await client.pages.update(page.id, { slug: 'p6-renamed', content: 'first' });
    assert.equal(await contentIn(active.id, 'p6-renamed'), 'first');
    assert.equal(await contentIn(theme.id, 'p6-renamed'), 'second');
    for (const { id } of [active, theme]) await refused(contentIn(id, 'p6'), 404, 'not_found');
    await refused(client.themes.save_template(theme.id, 'templates/page.p6', { content: 'x' }), 404, 'not_found');
    const other = await client.pages.create({ slug: 'p6', title: 'Another' });
    assert.match((await client.pages.get(other.id)).content, /page\.title/);
    await client.pages.delete(page.id);
    await refused(contentIn(theme.id, 'p6-renamed'), 404, 'not_found');
  });

  test('P7: pages created while themes are activated have a template in the active theme', async () => {
    const { client } = app();
    const themes = await Promise.all(['A', 'B', 'C'].map((name) => client.themes.create({ name })));
    const pages = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const theme = themes[n % themes.length];
        const [page] = await Promise.all([
          client.pages.create({ slug: `made-${n}`, title: 'Made' }),
          ...(theme && n % 2 === 0 ? [client.themes.activate(theme.id)] : []),
        ]);
        return page;
      }),
    );
    const { id } = await activeTheme();
    const paths = new Set((await client.themes.list_templates(id)).map(({ path }) => path));
    for (const { slug } of pages) assert.ok(paths.has(`templates/page.${slug}`), slug);
  });

  test('TH2: a template is written and read by its path, with slashes or percent-encoded', async () => {
    const { client } = app();
    const theme = await client.themes.create({ name: 'Paths' });
    const { content, warnings } = await client.themes.save_template(theme.id, 'parts/menu', { content: '{{ a' });
    assert.equal(content, '{{ a');
    assert.deepEqual(warnings, [{ line: 1, column: 1, message: 'output "{{ a" not closed' }]);
    const base = `/admin/api/themes/${theme.id}/templates`;
    for (const path of [`${base}/parts/menu`, `${base}/parts%2Fmenu`]) {
      const { status, body, headers } = await app().request({ path });
      assert.equal(status, 200, path);
      assert.deepEqual(body, await client.themes.get_template(theme.id, 'parts/menu'));
      const first = { 'if-match': String(headers['etag']) };
      const put = { method: 'PUT', path, headers: first };
      assert.equal((await app().request({ ...put, body: { content: path } })).status, 200);
      assert.equal((await app().request({ ...put, body: { content: 'late' } })).status, 412);
    }
    await client.themes.save_template(theme.id, 'a', { content: 'ő😀' });
    assert.deepEqual(
      (await client.themes.list_templates(theme.id)).map(({ path, size }) => [path, size]),
      [
        ['a', 2],
        ['parts/menu', `${base}/parts%2Fmenu`.length],
      ],
    );
    for (const bad of ['parts/../x', '..', 'A', 'a/', 'a//b', '/a', '.a', 'a b', `a${'/b'.repeat(8)}`]) {
      const { status } = await app().request({ path: `${base}/${encodeURIComponent(bad)}`, method: 'PUT', body: { content: 'x' } });
      assert.equal(status, 404, bad);
    }
    assert.equal((await app().request({ path: `${base}/parts/other` })).status, 404);
    assert.equal(
      (await app().request({ path: '/admin/api/themes/999999/templates/a', method: 'PUT', body: { content: 'x' } })).status,
      404,
    );
    assert.equal((await app().request({ path: `${base}/a`, method: 'DELETE' })).status, 405);
  });

  test('G19: a template has at most 524,288 characters; templates without a page have 2,097,152 together', async () => {
    const { client } = app();
    const theme = await client.themes.create({ name: 'Large' });
    const content = 'x'.repeat(524_288);
    await refused(client.themes.save_template(theme.id, 'a', { content: `${content}x` }), 422, 'too_long');
    for (const path of ['a', 'b', 'c', 'd']) await client.themes.save_template(theme.id, path, { content });
    await refused(client.themes.save_template(theme.id, 'e', { content: 'x' }), 422, 'too_long');
    await client.themes.save_template(theme.id, 'a', { content: 'x' });
    await client.themes.save_template(theme.id, 'e', { content: 'x' });
    assert.equal((await client.themes.list_templates(theme.id)).length, 5);
  });
});
