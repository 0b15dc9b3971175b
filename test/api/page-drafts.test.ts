import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { png } from '../helpers/images.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('drafts of pages', (app) => {
  let slugs = 0;
  async function live(content = '<p>Live</p>'): Promise<number> {
    const { id } = await app().client.pages.create({ slug: `live-${++slugs}`, title: 'Live' });
    await app().client.pages.update(id, { content, published: true });
    return id;
  }
  const etagOf = async (id: number): Promise<string> => String((await app().request({ path: `/admin/api/pages/${id}` })).headers['etag']);
  const drafted = async (): Promise<number[]> => (await app().client.pages.list_drafts()).map(({ page_id }) => page_id);

  test('P14: a draft changes nothing that is shown, until it is published at once', async () => {
    const { pages, media } = app().client;
    const id = await live();
    const image = await media.create({ file: { filename: 'a.png', content: png(2, 2) } });
    const before = await pages.get(id);
    const etag = await etagOf(id);
    const { warnings, draft_updated_at } = await pages.save_draft(id, { content: '<p>{{ x | shout }}</p>', og_image_media_id: image.id });
    assert.equal(warnings[0]?.message, 'undefined filter: shout');
    await pages.save_draft(id, { title: ' Soon ', meta_title: 'Soon' });
    assert.deepEqual(await pages.get(id), before);
    assert.notEqual(await etagOf(id), etag);
    assert.match(String((await app().request({ path: `/admin/api/pages/${id}/preview` })).body), /Live/);
    const draft = await pages.get_draft(id);
    assert.ok(draft_updated_at !== null && draft.draft_updated_at !== null && draft.draft_updated_at >= draft_updated_at);
    assert.deepEqual(
      [draft.title, draft.content, draft.meta_title, draft.og_image_url, draft.updated_at],
      ['Soon', '<p>{{ x | shout }}</p>', 'Soon', image.url, before.updated_at],
    );
    assert.ok((await drafted()).includes(id));
    const published = await pages.publish_draft(id);
    assert.deepEqual([published.title, published.published], ['Soon', true]);
    const { draft_updated_at: none, ...after } = await pages.get_draft(id);
    assert.equal(none, null);
    assert.deepEqual(after, await pages.get(id));
    assert.deepEqual([after.content, after.og_image_media_id], ['<p>{{ x | shout }}</p>', image.id]);
    assert.ok(!(await drafted()).includes(id));
    await refused(pages.publish_draft(id), 409, 'no_draft');
  });

  test('P14: a discarded draft is gone; so is one that says only what the page has', async () => {
    const { pages } = app().client;
    const id = await live();
    const before = await pages.get(id);
    await pages.save_draft(id, { content: 'other' });
    await pages.discard_draft(id);
    assert.deepEqual(await pages.get_draft(id), { ...before, draft_updated_at: null });
    await refused(pages.discard_draft(id), 409, 'no_draft');
    await pages.save_draft(id, { content: 'other', meta_title: 'x' });
    await pages.save_draft(id, { content: before.content });
    assert.equal((await pages.get_draft(id)).meta_title, 'x');
    assert.equal((await pages.save_draft(id, { meta_title: null })).draft_updated_at, null);
    await refused(pages.publish_draft(id), 409, 'no_draft');
  });

  test('P14: what is sent to the page itself takes effect at once; the draft keeps what it changes', async () => {
    const { pages } = app().client;
    const id = await live();
    await pages.save_draft(id, { content: 'draft' });
    await pages.update(id, { title: 'New title', content: 'direct' });
    assert.equal((await pages.get(id)).content, 'direct');
    const draft = await pages.get_draft(id);
    assert.deepEqual([draft.title, draft.content], ['New title', 'draft']);
    await pages.publish_draft(id);
    const page = await pages.get(id);
    assert.deepEqual([page.title, page.content], ['New title', 'draft']);
  });

  test('P14: a draft belongs to the theme that was active when it was written', async () => {
    const { pages, themes } = app().client;
    const id = await live();
    const active = (await themes.list()).data.find((theme) => theme.active);
    await pages.save_draft(id, { content: 'of the first' });
    const other = await themes.create({ name: 'Second' });
    await themes.activate(other.id);
    assert.equal((await pages.get_draft(id)).draft_updated_at, null);
    assert.ok(!(await drafted()).includes(id));
    await pages.save_draft(id, { content: 'of the second' });
    await themes.activate(active?.id ?? 0);
    assert.equal((await pages.get_draft(id)).content, 'of the first');
    await themes.delete(other.id);
    await pages.delete(id);
    assert.ok(!(await drafted()).includes(id));
  });

  test('P14: an unknown image is refused, a stale If-Match too; an image that is deleted meanwhile is refused when it is published', async () => {
    const { pages, media } = app().client;
    const id = await live();
    await refused(pages.save_draft(id, { og_image_media_id: 999_999 }), 422, 'media_not_found');
    const image = await media.create({ file: { filename: 'b.png', content: png(2, 2) } });
    const stale = { 'if-match': await etagOf(id) };
    await pages.save_draft(id, { og_image_media_id: image.id });
    const path = `/admin/api/pages/${id}/draft`;
    assert.equal((await app().request({ method: 'PUT', path, body: { title: 'x' }, headers: stale })).status, 412);
    assert.equal((await app().request({ method: 'POST', path: `${path}/publish`, headers: stale })).status, 412);
    assert.equal((await app().request({ method: 'DELETE', path, headers: stale })).status, 412);
    await media.delete(image.id);
    assert.equal((await pages.get_draft(id)).og_image_url, null);
    await refused(pages.publish_draft(id), 422, 'media_not_found');
    assert.ok((await drafted()).includes(id));
    await refused(pages.get_draft(999_999), 404, 'not_found');
    await refused(pages.save_draft(999_999, {}), 404, 'not_found');
  });

  test('P14: drafts need the permissions of pages, and the log tells what changed in them', async () => {
    const { pages, me, audit_log } = app().client;
    const id = await live();
    const { token } = await me.create_token({ name: 'reader of drafts', permissions: ['admin_api.pages.read'] });
    const reader = app().clientFor(String(token));
    await pages.save_draft(id, { title: 'Other', content: 'other' });
    assert.equal((await reader.pages.get_draft(id)).title, 'Other');
    await refused(reader.pages.save_draft(id, { title: 'x' }), 403, 'forbidden');
    await refused(reader.pages.publish_draft(id), 403, 'forbidden');
    await refused(reader.pages.discard_draft(id), 403, 'forbidden');
    const { data } = await audit_log.list({ resource_type: 'page', resource_id: id });
    const entry = data.find(({ changes }) => 'draft.title' in changes);
    assert.deepEqual(entry?.changes['draft.title'], ['Live', 'Other']);
    assert.match(String(entry?.changes['draft.content']), /11 characters.*5 characters/);
  });
});
