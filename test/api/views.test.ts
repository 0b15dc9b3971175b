import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { type Person, person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('saved views', (app) => {
  const of = ({ token }: Pick<Person, 'token'>) => app().clientFor(token).me;
  const names = async (who: Pick<Person, 'token'>, screen?: string) =>
    (await of(who).list_views(screen === undefined ? {} : { screen })).map(({ name }) => name);

  test('a view keeps filters, columns and place; views are listed by position, of one screen or of all', async () => {
    const ann = await person(app());
    const search = { status: ['pending', 'processing'], min: 10.5, nested: { q: 'Őszi', none: null } };
    const view = await of(ann).create_view({ screen: 'orders', name: ' To send ', search, columns: ['total', 'name'] });
    const { id, created_at, updated_at, ...fields } = view;
    assert.equal(created_at, updated_at);
    assert.deepEqual(fields, {
      ...{ screen: 'orders', name: 'To send', search, columns: ['total', 'name'] },
      ...{ shared: false, position: 1, admin_id: ann.adminId, own: true },
    });
    assert.deepEqual(await of(ann).get_view(id), view);
    const late = await of(ann).create_view({ screen: 'orders', name: 'Late' });
    assert.deepEqual([late.position, late.search, late.columns], [2, {}, null]);
    await of(ann).create_view({ screen: 'orders', name: 'First', position: -5 });
    await of(ann).create_view({ screen: 'customers', name: 'To send' });
    assert.deepEqual(await names(ann, 'orders'), ['First', 'To send', 'Late']);
    assert.deepEqual((await names(ann)).sort(), ['First', 'Late', 'To send', 'To send']);
    const changed = await of(ann).update_view(id, { columns: null, search: { q: 'x' }, position: 9, name: 'Sent' });
    assert.deepEqual([changed.columns, changed.search, changed.position, changed.name], [null, { q: 'x' }, 9, 'Sent']);
    await of(ann).delete_view(id);
    assert.deepEqual(await names(ann, 'orders'), ['First', 'Late']);
    await refused(of(ann).get_view(id), 404, 'not_found');
  });

  test('others read only shared views, and change none; owners change what is shared', async () => {
    const [ann, bob, owner] = [await person(app()), await person(app()), await person(app(), { role: 'owner' })];
    const own = await of(ann).create_view({ screen: 'products', name: 'Mine' });
    const shared = await of(ann).create_view({ screen: 'products', name: 'Ours', shared: true });
    for (const other of [bob, owner]) {
      assert.deepEqual(await names(other, 'products'), ['Ours']);
      const { own: isOwn, ...seen } = await of(other).get_view(shared.id);
      assert.deepEqual([isOwn, seen.admin_id, seen.name], [false, ann.adminId, 'Ours']);
      await refused(of(other).get_view(own.id), 404, 'not_found');
      await refused(of(other).update_view(own.id, { name: 'x' }), 404, 'not_found');
      await refused(of(other).delete_view(own.id), 404, 'not_found');
    }
    await refused(of(bob).update_view(shared.id, { name: 'x' }), 403, 'forbidden');
    await refused(of(bob).delete_view(shared.id), 403, 'forbidden');
    assert.deepEqual((await of(owner).update_view(shared.id, { name: 'Everybody' })).admin_id, ann.adminId);
    await refused(of(owner).update_view(shared.id, { name: 'mine' }), 422, 'duplicate');
    await of(ann).update_view(shared.id, { shared: false });
    assert.deepEqual(await names(bob, 'products'), []);
    await refused(of(owner).delete_view(shared.id), 404, 'not_found');
    await of(ann).update_view(shared.id, { shared: true });
    await of(owner).delete_view(shared.id);
    assert.deepEqual(await names(ann, 'products'), ['Mine']);
  });

  test('a name is used once for a screen of an admin, whatever its case, also by two requests at a time', async () => {
    const [ann, bob] = [await person(app()), await person(app())];
    const make = (who: Person, screen: string, name: string) => of(who).create_view({ screen, name });
    const { id } = await make(ann, 'orders', 'Late');
    const error = await refused(make(ann, 'orders', 'LATE'), 422, 'duplicate');
    assert.equal(error.errors[0]?.pointer, '/name');
    await make(bob, 'orders', 'Late');
    const other = await make(ann, 'orders', 'Other');
    await refused(of(ann).update_view(other.id, { name: 'late' }), 422, 'duplicate');
    assert.equal((await of(ann).update_view(id, { name: 'LATE' })).name, 'LATE');
    await make(ann, 'orders', 'Broken \ud800');
    await refused(make(ann, 'orders', 'broken \udfff'), 422, 'duplicate');
    await refused(of(ann).update_view(other.id, { name: 'Broken \ud800' }), 422, 'duplicate');
    const outcomes = await Promise.allSettled([make(ann, 'orders', 'Twice'), make(ann, 'orders', 'Twice')]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  test('an admin has at most 100 views', async () => {
    const ann = await person(app());
    for (let n = 0; n < 100; n++) await of(ann).create_view({ screen: 'orders', name: `View ${n}` });
    await refused(of(ann).create_view({ screen: 'customers', name: 'One more' }), 422, 'out_of_range');
    const [first] = await of(ann).list_views();
    await of(ann).delete_view(first?.id ?? 0);
    await of(ann).create_view({ screen: 'customers', name: 'One more' });
  });

  test('bad values are refused with their place', async () => {
    const { me } = app().client;
    const view = { screen: 'orders', name: 'x' };
    await refused(me.create_view({ ...view, screen: 'Orders' }), 422, 'slug_invalid');
    await refused(me.list_views({ screen: '../x' }), 422, 'slug_invalid');
    await refused(me.create_view({ ...view, name: ' ' }), 422, 'blank');
    await refused(me.create_view({ ...view, columns: ['a', 'a'] }), 422, 'duplicate');
    await refused(me.create_view({ ...view, search: { q: 'ő'.repeat(4096) } }), 422, 'too_long');
    assert.equal((await me.create_view({ ...view, search: { q: 'ő'.repeat(4091) } })).name, 'x');
    const list = await app().request({ method: 'POST', path: '/admin/api/me/views', body: { ...view, name: 'y', search: [] } });
    assert.equal(list.status, 422);
  });

  test('a change of a view that another has changed meanwhile is refused with If-Match', async () => {
    const path = `/admin/api/me/views/${(await app().client.me.create_view({ screen: 'tasks', name: 'Shared', shared: true })).id}`;
    const { headers } = await app().request({ path, token: OWNER_TOKEN });
    const bob = await person(app(), { role: 'owner' });
    const patch = (etag: string | undefined, name: string, token: string) =>
      app().request({ method: 'PATCH', path, body: { name }, token, headers: { 'if-match': etag ?? '' } });
    assert.equal((await patch(headers['etag'], 'Theirs', bob.token)).status, 200);
    assert.equal((await patch(headers['etag'], 'Mine', OWNER_TOKEN)).status, 412);
  });
});
