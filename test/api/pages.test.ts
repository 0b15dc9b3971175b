import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { png } from '../helpers/images.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('pages', (app) => {
  let slugs = 0;
  const newSlug = (): string => `page-${++slugs}`;
  const create = (fields: { slug?: string; title?: string; meta_title?: string | null; og_image_media_id?: number | null } = {}) =>
    app().client.pages.create({ slug: newSlug(), title: 'A page', ...fields });
  const uploadImage = () => app().client.media.create({ file: { filename: 'a.png', content: png(2, 2) } });

  test('P6: a new page is an unpublished draft, and has a template in the active theme', async () => {
    const slug = newSlug();
    const answer = await app().request({ method: 'POST', path: '/admin/api/pages', body: { slug, title: '  About us ' } });
    assert.equal(answer.status, 201);
    const page = await app().client.pages.create({ slug: newSlug(), title: 'Other' });
    assert.deepEqual(Object.keys(page).sort(), ['created_at', 'id', 'published', 'slug', 'title', 'updated_at']);
    assert.equal(page.published, false);
    const location = String(answer.headers['location']);
    const read = await app().request({ path: location });
    assert.equal(read.headers['etag'], answer.headers['etag']);
    const { data: themes } = await app().client.themes.list({ search: 'default' });
    const active = themes.find((theme) => theme.active);
    const template = await app().client.themes.get_template(active?.id ?? 0, `templates/page.${slug}`);
    const detail = await app().client.pages.get(Number(location.split('/').at(-1)));
    assert.equal(detail.title, 'About us');
    assert.equal(detail.content, template.content);
    assert.match(detail.content, /\{\{ page\.title \| escape \}\}/);
  });

  test('P1: pages are listed by title without marks, then id; the search covers title and slug in any case', async () => {
    const titles = ['ősz b', 'Ősz A', 'apple p1', 'Zebra p1', 'Apple p1'];
    const made = [];
    for (const [n, title] of titles.entries()) made.push(await create({ title, slug: `p1-${n}_x`.replace('_', '-') }));
    const found = await app().client.pages.list({ search: 'P1-' });
    assert.deepEqual(
      found.map(({ title }) => title),
      ['apple p1', 'Apple p1', 'Ősz A', 'ősz b', 'Zebra p1'],
    );
    assert.deepEqual(
      (await app().client.pages.list({ search: 'OSZ a' })).map(({ id }) => id),
      [made[1]?.id],
    );
    assert.deepEqual(await app().client.pages.list({ search: 'p1_' }), []);
    assert.deepEqual(await app().client.pages.list({ search: '%' }), []);
    assert.ok((await app().client.pages.list()).length >= titles.length);
    await refused(app().client.pages.list({ search: 'x'.repeat(201) }), 422, 'too_long');
  });

  test('P2: a malformed slug and a slug of another page are refused', async () => {
    const { id, slug } = await create({ slug: 'a--b' });
    await create({ slug: 'x'.repeat(100) });
    for (const bad of ['', 'A', ' a', 'a-', '-a', 'a_b', 'ő', 'x'.repeat(101)]) await refused(create({ slug: bad }), 422, 'slug_invalid');
    await refused(create({ slug }), 422, 'slug_taken');
    const other = await create();
    await refused(app().client.pages.update(other.id, { slug }), 422, 'slug_taken');
    assert.equal((await app().client.pages.update(id, { slug })).slug, slug);
  });

  test('P2: of simultaneous requests for a slug, by creating or renaming, one gets it', async () => {
    const pages = await Promise.all(Array.from({ length: 4 }, () => create()));
    const wanted = newSlug();
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 8 }, () => create({ slug: wanted })),
      ...pages.map(({ id }) => app().client.pages.update(id, { slug: wanted })),
    ]);
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'slug_taken');
    assert.equal((await app().client.pages.list({ search: wanted })).filter(({ slug }) => slug === wanted).length, 1);
  });

  test('P3: a blank title and an unknown image are refused', async () => {
    await refused(create({ title: '  ' }), 422, 'blank');
    const error = await refused(create({ og_image_media_id: 999_999 }), 422, 'media_not_found');
    assert.equal(error.errors[0]?.pointer, '/og_image_media_id');
    const { id } = await create();
    await refused(app().client.pages.update(id, { og_image_media_id: 999_999 }), 422, 'media_not_found');
    await refused(app().client.pages.update(id, { title: '' }), 422, 'blank');
  });

  test('P4, P5: metadata is empty until set; null or empty text clears it', async () => {
    const media = await uploadImage();
    const bare = await app().client.pages.get((await create({ meta_title: null })).id);
    assert.deepEqual([bare.meta_title, bare.meta_description, bare.og_image_media_id, bare.og_image_url], ['', '', null, null]);
    await app().client.pages.update(bare.id, { meta_title: 'T', meta_description: 'D', og_image_media_id: media.id });
    const full = await app().client.pages.get(bare.id);
    assert.deepEqual([full.meta_title, full.meta_description, full.og_image_media_id, full.og_image_url], ['T', 'D', media.id, media.url]);
    await app().client.pages.update(bare.id, { meta_title: null, meta_description: '', og_image_media_id: null });
    const cleared = await app().client.pages.get(bare.id);
    assert.deepEqual({ ...cleared, updated_at: '' }, { ...bare, updated_at: '' });
  });

  test('P5: omitted fields stay, an empty body changes nothing, and only metadata may be null', async () => {
    const { id } = await create();
    const before = await app().client.pages.get(id);
    const same = await app().client.pages.update(id, {});
    assert.equal(same.updated_at, before.updated_at);
    await app().client.pages.update(id, { title: before.title, content: before.content });
    assert.deepEqual(await app().client.pages.get(id), before);
    for (const field of ['title', 'slug', 'published', 'content']) {
      const answer = await app().request({ method: 'PUT', path: `/admin/api/pages/${id}`, body: { [field]: null, meta_title: 'x' } });
      assert.equal(answer.status, 422, field);
    }
    assert.deepEqual(await app().client.pages.get(id), before);
  });

  test('P9: a page can be published and unpublished without other fields', async () => {
    const { id } = await create();
    const page = await app().client.pages.update(id, { published: true });
    assert.equal(page.published, true);
    assert.equal((await app().client.pages.update(id, { published: false })).published, false);
  });

  test('G19: content of up to 524,288 characters is stored unchanged, longer content is refused', async () => {
    const { id } = await create();
    const content = `  \n${'ő😀'.repeat(262_142)}\n`;
    await app().client.pages.update(id, { content });
    assert.equal((await app().client.pages.get(id)).content, content);
    await refused(app().client.pages.update(id, { content: 'x'.repeat(524_289) }), 422, 'too_long');
    await refused(app().client.pages.update(id, { content: 'a\u0000' }), 422, 'invalid_value');
    const raw = JSON.stringify({ content: 'x'.repeat(4 * 1024 * 1024) });
    assert.equal((await app().request({ method: 'PUT', path: `/admin/api/pages/${id}`, raw })).status, 413);
    assert.equal((await app().client.pages.get(id)).content, content);
  });

  test('a template with errors is stored, and the answer warns of each with its line', async () => {
    const { id } = await create();
    assert.deepEqual((await app().client.pages.update(id, { content: '<p>{{ page.title | upcase }}</p>' })).warnings, []);
    const content = 'line one\n{{ page.title | shout }}\n{% if page %}\n{% nonsense %}';
    const { warnings } = await app().client.pages.update(id, { content });
    assert.deepEqual(
      warnings.map(({ line, message }) => [line, message]),
      [
        [2, 'undefined filter: shout'],
        [4, 'tag "nonsense" not found'],
      ],
    );
    assert.equal((await app().client.pages.get(id)).content, content);
    assert.equal((await app().client.pages.update(id, { content: '{{ a | b }}\n'.repeat(40_000) })).warnings.length, 20);
    assert.deepEqual((await app().client.pages.update(id, { title: 'No template' })).warnings, []);
  });

  test('ET2: a change or deletion with a stale If-Match is refused', async () => {
    const { id } = await create();
    const path = `/admin/api/pages/${id}`;
    const stale = { 'if-match': String((await app().request({ path })).headers['etag']) };
    const changed = await app().request({ method: 'PUT', path, body: { content: 'new' }, headers: stale });
    assert.equal(changed.status, 200);
    assert.equal(changed.headers['etag'], (await app().request({ path })).headers['etag']);
    assert.equal((await app().request({ method: 'PUT', path, body: { content: 'newer' }, headers: stale })).status, 412);
    assert.equal((await app().request({ method: 'DELETE', path, headers: stale })).status, 412);
    assert.equal((await app().client.pages.get(id)).content, 'new');
  });

  test('P8: deleting a page deletes its templates and translations', async () => {
    const { id, slug } = await create();
    await app().client.pages.replace_translations(id, { entries: [{ field: 'meta_title', locale: 'de', value: 'x' }] });
    await app().client.pages.delete(id);
    await refused(app().client.pages.delete(id), 404, 'not_found');
    await refused(app().client.pages.get(id), 404, 'not_found');
    await refused(app().client.pages.list_translations(id), 404, 'not_found');
    const { data: themes } = await app().client.themes.list();
    for (const theme of themes) {
      const paths = (await app().client.themes.list_templates(theme.id)).map(({ path }) => path);
      assert.ok(!paths.includes(`templates/page.${slug}`));
    }
    const again = await create({ slug });
    assert.deepEqual(await app().client.pages.list_translations(again.id), []);
  });

  test('P10: with locales in the settings, a new translation needs one of them or the default locale; existing ones may stay', async () => {
    const { pages, settings } = app().client;
    const { id } = await pages.create({ slug: 'in-languages', title: 'In languages' });
    const entry = (locale: string) => ({ field: 'meta_title' as const, locale, value: locale });
    await pages.replace_translations(id, { entries: [entry('pl')] });
    await settings.update({ locales: ['de-at', 'hu'] });
    await pages.replace_translations(id, { entries: [entry('pl'), entry('de-AT'), entry('hu'), entry('en')] });
    const error = await refused(pages.replace_translations(id, { entries: [entry('hu'), entry('fr')] }), 422, 'invalid_enum');
    assert.equal(error.errors[0]?.pointer, '/entries/1/locale');
    assert.equal((await pages.list_translations(id)).length, 4, 'the translations have not changed');
    await settings.update({ locales: [] });
    await pages.replace_translations(id, { entries: [entry('fr')] });
  });

  test('P10, C10: a request replaces all translations, with canonical locales, and raises the page’s version', async () => {
    const { id } = await create();
    const before = await app().request({ path: `/admin/api/pages/${id}` });
    const entries = [
      { field: 'meta_title' as const, locale: 'pt-br', value: 'Sobre nós' },
      { field: 'meta_title' as const, locale: 'en', value: 'Of the default locale' },
      { field: 'meta_description' as const, locale: 'zh-hans-cn', value: '' },
    ];
    await app().client.pages.replace_translations(id, { entries });
    assert.deepEqual(await app().client.pages.list_translations(id), [
      { field: 'meta_description', locale: 'zh-Hans-CN', value: '' },
      { field: 'meta_title', locale: 'en', value: 'Of the default locale' },
      { field: 'meta_title', locale: 'pt-BR', value: 'Sobre nós' },
    ]);
    const after = await app().request({ path: `/admin/api/pages/${id}` });
    assert.notEqual(after.headers['etag'], before.headers['etag']);
    await app().client.pages.replace_translations(id, { entries: [] });
    assert.deepEqual(await app().client.pages.list_translations(id), []);
  });

  test('P10, P11: one bad translation refuses the whole request and changes nothing', async () => {
    const { id } = await create();
    const old = { field: 'meta_title' as const, locale: 'de', value: 'Über uns' };
    await app().client.pages.replace_translations(id, { entries: [old] });
    const put = async (entries: unknown) => {
      const answer = await app().request({ method: 'PUT', path: `/admin/api/pages/${id}/translations`, body: { entries } });
      return [answer.status, Object(answer.body)['code']];
    };
    const good = { ...old, value: 'Neu' };
    const entry = (n: number) => ({ ...good, locale: `de-x-${n}` });
    assert.deepEqual(await put([good, { ...good, field: 'title' }]), [422, 'invalid_enum']);
    assert.deepEqual(await put([good, { ...good, locale: 'de_DE!' }]), [422, 'invalid_locale']);
    assert.deepEqual(await put([good, { ...good, locale: 'DE' }]), [422, 'duplicate']);
    assert.deepEqual(await put([good, { ...good, locale: 'fr', value: 'x'.repeat(1001) }]), [422, 'too_long']);
    assert.deepEqual(await put(Array.from({ length: 501 }, (_, n) => entry(n))), [422, 'too_long']);
    assert.deepEqual(await put(null), [422, 'invalid_type']);
    assert.deepEqual(await put(undefined), [422, 'required']);
    assert.deepEqual(await app().client.pages.list_translations(id), [old]);
    assert.deepEqual(await put(Array.from({ length: 500 }, (_, n) => entry(n))), [204, undefined]);
    assert.equal((await app().client.pages.list_translations(id)).length, 500);
  });

  test('ME3: deleting an image removes it from its pages', async () => {
    const media = await uploadImage();
    const { id } = await create({ og_image_media_id: media.id });
    const { headers } = await app().request({ path: `/admin/api/pages/${id}` });
    await app().client.media.delete(media.id);
    const page = await app().client.pages.get(id);
    assert.deepEqual([page.og_image_media_id, page.og_image_url], [null, null]);
    assert.notEqual((await app().request({ path: `/admin/api/pages/${id}` })).headers['etag'], headers['etag']);
  });

  test('pages need admin_api.pages.read to be read and previewed, and the write permission to be changed', async () => {
    const { id } = await create();
    const staff = await app().client.me.create_token({ name: 'reader', permissions: ['admin_api.pages.read'] });
    const reader = app().clientFor(String(staff.token));
    assert.equal((await reader.pages.get(id)).id, id);
    await refused(reader.pages.update(id, { title: 'x' }), 403, 'forbidden');
    await refused(reader.themes.list(), 403, 'forbidden');
    const stranger = await app().client.me.create_token({ name: 'stranger', permissions: ['admin_api.orders.read'] });
    await refused(app().clientFor(String(stranger.token)).pages.list(), 403, 'forbidden');
    const preview = await app().request({ path: `/admin/api/pages/${id}/preview`, token: stranger.token });
    assert.equal(preview.status, 403);
  });
});
