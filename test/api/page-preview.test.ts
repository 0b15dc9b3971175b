import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { png } from '../helpers/images.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('page previews', (app) => {
  let id = 0;
  let themeId = 0;
  before(async () => {
    id = (await app().client.pages.create({ slug: 'about', title: 'Über <us> & you', meta_title: 'About' })).id;
    themeId = (await app().client.themes.list()).data.find(({ active }) => active)?.id ?? 0;
  });
  const preview = (query = '') => app().request({ path: `/admin/api/pages/${id}/preview${query}` });
  const rendered = async (content: string, query = ''): Promise<string> => {
    await app().client.pages.update(id, { content });
    const { status, text } = await preview(query);
    assert.equal(status, 200, text);
    return text;
  };
  const faultOf = async (content: string) => {
    await app().client.pages.update(id, { content });
    const { status, body } = await preview();
    const { code, detail } = Object(body);
    return [status, code, detail];
  };

  test('the preview shows the page and its metadata under a policy that forbids scripts', async () => {
    const media = await app().client.media.create({ file: { filename: 'a.png', content: png(2, 2) } });
    await app().client.pages.update(id, { og_image_media_id: media.id });
    const { status, headers, text } = await preview();
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['content-length'], String(Buffer.byteLength(text)));
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /; sandbox$/);
    assert.doesNotMatch(policy, /script-src|allow-scripts/);
    assert.match(text, /<title>About<\/title>/);
    assert.match(text, /<h1>Über &lt;us&gt; &amp; you<\/h1>/);
    assert.ok(text.includes(`<meta property="og:image" content="${media.url}">`));
    const head = await app().request({ method: 'HEAD', path: `/admin/api/pages/${id}/preview` });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal((await app().request({ path: '/admin/api/pages/999999/preview' })).status, 404);
    assert.equal((await app().request({ path: `/admin/api/pages/${id}/preview`, token: null })).status, 401);
  });

  test('C10: metadata in a locale is the nearest translation; in the shop’s locale it is that of the page', async () => {
    await app().client.pages.replace_translations(id, {
      entries: [
        { field: 'meta_title', locale: 'de', value: 'Über uns' },
        { field: 'meta_title', locale: 'de-AT', value: 'Über uns in Wien' },
        { field: 'meta_title', locale: 'en', value: 'Not shown' },
      ],
    });
    const content = '{{ locale }}: {{ page.meta_title }}';
    assert.equal(await rendered(content), 'en: About');
    assert.equal(await rendered(content, '?locale=en'), 'en: About');
    assert.equal(await rendered(content, '?locale=de-at'), 'de-AT: Über uns in Wien');
    assert.equal(await rendered(content, '?locale=de-CH'), 'de-CH: Über uns');
    assert.equal(await rendered(content, '?locale=fr'), 'fr: About');
    assert.equal((await preview('?locale=!')).status, 422);
  });

  test('templates may use layouts and parts of the active theme, and no other file or object', async () => {
    const { client } = app();
    await client.themes.save_template(themeId, 'layouts/shop', { content: '<html>{% block main %}{% endblock %}</html>' });
    await client.themes.save_template(themeId, 'parts/name', { content: '{{ shop.name }}/{{ title }}' });
    assert.equal(
      await rendered("{% layout 'layouts/shop' %}{% block main %}{% render 'parts/name', title: page.slug %}{% endblock %}"),
      '<html>Backroom/about</html>',
    );
    for (const path of ['/etc/passwd', '../../package.json', 'package.json', 'templates/page.about', 'constructor', '__proto__']) {
      const [status, code] = await faultOf(`{% include '${path}' %}`);
      assert.deepEqual([status, code], [409, 'template_invalid'], path);
    }
    assert.equal(
      await rendered('{{ page.constructor }}{{ page.__proto__ }}{{ process }}{{ globalThis.process }}{{ page.title.constructor }}'),
      '',
    );
    assert.equal(await rendered('{{ nothing }}{{ page.title | unknown }}'), 'Über <us> & you');
  });

  test('a template that cannot be rendered is refused with the line and column of its fault', async () => {
    assert.deepEqual(await faultOf('one\ntwo {% if %}x'), [
      409,
      'template_invalid',
      'The template cannot be rendered: invalid value expression: "" (line 2, column 10).',
    ]);
    await app().client.themes.save_template(themeId, 'parts/broken', { content: '\n{% nope %}' });
    const [, , detail] = await faultOf("{% render 'parts/broken' %}");
    assert.equal(detail, 'The template cannot be rendered: tag "nope" not found (line 2, column 1 of parts/broken).');
  });

  test('templates that loop, nest or grow without end are refused, and the server goes on', async () => {
    await app().client.themes.save_template(themeId, 'parts/again', { content: "{% include 'parts/again' %}" });
    const greedy = [
      '{% for i in (1..1000000000) %}x{% endfor %}',
      `{% for i in (1..9000000) %}${'x'.repeat(1000)}{% endfor %}`,
      "{% include 'parts/again' %}",
      "{% assign a='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' %}{% for i in (1..60) %}{% capture a %}{{a}}{{a}}{% endcapture %}{% endfor %}{{ a | split: '' }}",
      '{% if page %}'.repeat(12_000),
    ];
    for (const content of greedy) {
      const [status, code] = await faultOf(content);
      assert.deepEqual([status, code], [409, 'template_invalid'], content.slice(0, 60));
    }
    assert.equal(await rendered('still here'), 'still here');
  });

  test('values that are not saved are shown and not stored; omitted ones are as saved', async () => {
    const { client } = app();
    const media = await client.media.create({ file: { filename: 'b.png', content: png(2, 2) } });
    const page = await client.pages.create({ slug: 'draft', title: 'Saved', meta_title: 'Saved meta' });
    const content = '{{ page.title }}/{{ page.meta_title }}/{{ page.meta_description }}/{{ page.og_image_url }}/{{ locale }}';
    assert.deepEqual(await client.pages.preview_draft(page.id, { content, title: 'New', meta_title: null, og_image_media_id: media.id }), {
      html: `New///${media.url}/en`,
      errors: [],
    });
    await client.pages.replace_translations(page.id, { entries: [{ field: 'meta_title', locale: 'de', value: 'Übersetzt' }] });
    const german = await client.pages.preview_draft(page.id, { content, locale: 'de-AT' });
    assert.equal(german.html, 'Saved/Übersetzt///de-AT');
    assert.match((await client.pages.preview_draft(page.id, {})).html ?? '', /<title>Saved meta<\/title>/);
    const { title, meta_title } = await client.pages.get(page.id);
    assert.deepEqual([title, meta_title], ['Saved', 'Saved meta']);
  });

  test('faults of an unsaved template are in the answer, those of other templates with their path', async () => {
    const { client } = app();
    const broken = await client.pages.preview_draft(id, { content: 'one\ntwo {% if %}x\n{% nope %}' });
    assert.equal(broken.html, null);
    assert.deepEqual(
      broken.errors.map(({ line, column, template }) => [line, column, template]),
      [
        [2, 10, null],
        [3, 1, null],
      ],
    );
    await client.themes.save_template(themeId, 'parts/broken', { content: '\n{% nope %}' });
    const included = await client.pages.preview_draft(id, { content: "{% render 'parts/broken' %}" });
    assert.deepEqual(included, { html: null, errors: [{ line: 2, column: 1, message: 'tag "nope" not found', template: 'parts/broken' }] });
    const lenient = await client.pages.preview_draft(id, { content: '{{ page.slug | shout }}' });
    assert.equal(lenient.html, 'about');
    assert.match(lenient.errors[0]?.message ?? '', /shout/);
    const endless = await client.pages.preview_draft(id, { content: '{% for i in (1..1000000000) %}x{% endfor %}' });
    assert.deepEqual([endless.html, endless.errors.length], [null, 1]);
  });

  test('a template of a theme is shown in its page, in the page that is asked for, or by itself', async () => {
    const { client } = app();
    const other = (await client.themes.create({ name: 'Next season' })).id;
    await client.themes.save_template(other, 'templates/page.about', { content: "<b>{% render 'parts/price' %}</b>{{ page.slug }}" });
    const ofPage = await client.themes.preview(other, { path: 'templates/page.about', content: '{{ page.title | escape }}' });
    assert.deepEqual(ofPage, { html: 'Über &lt;us&gt; &amp; you', errors: [] });
    const shared = { path: 'parts/price', content: '{{ shop.currency }}' };
    assert.equal((await client.themes.preview(other, { ...shared, page_id: id })).html, '<b>EUR</b>about');
    assert.equal((await client.themes.preview(other, shared)).html, 'EUR');
    assert.deepEqual(
      (await client.themes.preview(other, { path: 'parts/price', content: '{% if %}', page_id: id })).errors.at(0)?.template,
      null,
    );
    const unwritten = await client.themes.preview(other, { path: 'parts/else', content: 'x', page_id: id });
    assert.deepEqual(
      unwritten.errors.at(0)?.template,
      'templates/page.about',
      'the page of this theme includes a template that it has not',
    );
    assert.deepEqual(
      (await client.themes.list_templates(other)).map(({ path }) => path),
      ['templates/page.about'],
    );
  });

  test('a preview of unsaved text is refused for what is not there, and for who may not see the page', async () => {
    const { client } = app();
    const path = 'templates/page.about';
    await refused(client.pages.preview_draft(999_999, { content: '' }), 404, 'not_found');
    await refused(client.pages.preview_draft(id, { og_image_media_id: 999_999 }), 422, 'media_not_found');
    await refused(client.pages.preview_draft(id, { locale: '!' }), 422, 'invalid_locale');
    await refused(client.pages.preview_draft(id, { content: 'x'.repeat(524_289) }), 422, 'too_long');
    await refused(client.themes.preview(999_999, { path, content: '' }), 404, 'not_found');
    await refused(client.themes.preview(themeId, { path: 'templates/page.nothing', content: '' }), 422, 'page_not_found');
    await refused(client.themes.preview(themeId, { path: 'parts/x', content: '', page_id: 999_999 }), 422, 'page_not_found');
    await refused(client.themes.preview(themeId, { path, content: '', page_id: 999_999 }), 422, 'invalid_value');
    await refused(client.themes.preview(themeId, { path: '../x', content: '' }), 422, 'invalid_value');
    const designer = app().clientFor((await person(app(), { permissions: ['admin_api.themes.read'] })).token);
    assert.equal((await designer.themes.preview(themeId, { path: 'parts/x', content: 'x' })).html, 'x');
    await refused(designer.themes.preview(themeId, { path, content: '' }), 403, 'forbidden');
    await refused(designer.themes.preview(themeId, { path: 'parts/x', content: '', page_id: id }), 403, 'forbidden');
    await refused(designer.pages.preview_draft(id, { content: '' }), 403, 'forbidden');
  });
});
