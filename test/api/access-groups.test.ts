import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeFile, makeProduct } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('access groups', (app) => {
  let made = 0;
  const slug = () => `group-${++made}`;
  const groups = () => app().client.access_groups;
  const newGroup = (values: { slug?: string; name?: string; description?: string | null } = {}) =>
    groups().create({ slug: slug(), name: `Group ${made}`, ...values });
  const file = async () => (await makeFile(app())).id;
  const page = async () => (await app().client.pages.create({ slug: slug(), title: 'Page' })).id;
  const etagOf = async (id: number) => (await app().request({ path: `/admin/api/access-groups/${id}` })).headers['etag'] ?? '';

  test('AG1, G20: groups are listed by name without case and marks, then with marks, then by id', async () => {
    const names = ['zz ähnlich', 'ZZ Äpfel', 'zz apfel', 'ZZ ÄHNLICH'];
    for (const name of names) await newGroup({ name });
    const listed = (await groups().list()).map(({ name }) => name).filter((name) => /^zz /i.test(name));
    assert.deepEqual(listed, ['zz ähnlich', 'ZZ ÄHNLICH', 'zz apfel', 'ZZ Äpfel']);
  });

  test('AG2: creating a group answers 201 with Location and counts of 0; the description may be omitted', async () => {
    const body = { slug: 'a--b', name: '  Readers ' };
    const answer = await app().request({ method: 'POST', path: '/admin/api/access-groups', body });
    assert.equal(answer.status, 201);
    const [listed] = (await groups().list()).filter((one) => one.slug === 'a--b');
    assert.deepEqual(answer.body, listed);
    assert.equal(answer.headers['location'], `/admin/api/access-groups/${listed?.id}`);
    const { id: _, created_at, updated_at, ...rest } = listed ?? assert.fail();
    assert.equal(created_at, updated_at);
    const counts = { file_count: 0, page_count: 0, granting_product_count: 0, member_count: 0 };
    assert.deepEqual(rest, { slug: 'a--b', name: 'Readers', description: null, ...counts });
    assert.equal((await newGroup({ description: 'All of it' })).description, 'All of it');
  });

  test('ER3: a malformed slug and a slug that another group has are refused', async () => {
    for (const bad of ['', '-a', 'a-', 'A', 'ä', 'a b', ' a', 'a'.repeat(65)]) {
      await refused(groups().create({ slug: bad, name: 'x' }), 422, 'slug_invalid');
    }
    await newGroup({ slug: 'b'.repeat(64) });
    const taken = await refused(newGroup({ slug: 'b'.repeat(64) }), 422, 'slug_taken');
    assert.deepEqual(
      taken.errors.map(({ pointer }) => pointer),
      ['/slug'],
    );
    const { id } = await newGroup();
    await refused(groups().update(id, { slug: 'b'.repeat(64), name: 'x' }), 422, 'slug_taken');
    await refused(groups().create({ slug: slug(), name: ' ' }), 422, 'blank');
  });

  test('AG3: every change must send slug and name; an omitted description stays, null clears it', async () => {
    const group = await newGroup({ description: 'first' });
    const path = `/admin/api/access-groups/${group.id}`;
    for (const body of [{ name: 'x' }, { slug: group.slug }]) {
      assert.equal((await app().request({ method: 'PATCH', path, body })).status, 422);
    }
    const renamed = await groups().update(group.id, { slug: group.slug, name: 'Renamed' });
    assert.deepEqual([renamed.slug, renamed.name, renamed.description], [group.slug, 'Renamed', 'first']);
    assert.equal((await groups().update(group.id, { slug: group.slug, name: 'Renamed', description: null })).description, null);
    await refused(groups().update(999_999, { slug: slug(), name: 'x' }), 404, 'not_found');
  });

  test('ET1, ET2: a change raises the version, an equal value does not; a stale If-Match is refused', async () => {
    const group = await newGroup();
    const first = await etagOf(group.id);
    const same = await groups().update(group.id, { slug: group.slug, name: group.name });
    assert.deepEqual(same, group);
    assert.equal(await etagOf(group.id), first);
    await groups().update(group.id, { slug: group.slug, name: 'Other' });
    assert.notEqual(await etagOf(group.id), first);
    const stale = { headers: { 'if-match': first } };
    await refused(groups().update(group.id, { slug: group.slug, name: 'x' }, stale), 412, 'precondition_failed');
    await refused(groups().delete(group.id, stale), 412, 'precondition_failed');
  });

  test('AG12: a request replaces all files of a group, in the order sent, without repeats; an unknown file is refused', async () => {
    const { id } = await newGroup();
    const [a, b, c] = [await file(), await file(), await file()];
    assert.equal((await groups().replace_files(id, { file_ids: [b, a, b] })).file_count, 2);
    const { files } = await groups().get(id);
    assert.deepEqual(
      files.map((one) => [one.id, one.sort_order]),
      [
        [b, 0],
        [a, 1],
      ],
    );
    assert.deepEqual(Object.keys(files[0] ?? {}).sort(), [
      'content_type',
      'created_at',
      'file_size',
      'id',
      'original_filename',
      'sort_order',
      'storage_key',
    ]);
    const unknown = await refused(groups().replace_files(id, { file_ids: [c, 999_999] }), 422, 'file_not_found');
    assert.deepEqual(
      unknown.errors.map(({ pointer }) => pointer),
      ['/file_ids/1'],
    );
    assert.deepEqual((await groups().get(id)).files, files);
    assert.equal((await groups().replace_files(id, { file_ids: [] })).file_count, 0);
    await refused(groups().replace_files(999_999, { file_ids: [] }), 404, 'not_found');
  });

  test('AG12, P8: a request replaces all pages of a group; a deleted page leaves the group', async () => {
    const { id } = await newGroup();
    const [a, b] = [await page(), await page()];
    assert.equal((await groups().replace_pages(id, { page_ids: [b, a, b] })).page_count, 2);
    const { pages } = await groups().get(id);
    assert.deepEqual(
      pages.map((one) => one.id),
      [b, a],
    );
    assert.deepEqual(Object.keys(pages[0] ?? {}).sort(), ['id', 'slug', 'title']);
    await refused(groups().replace_pages(id, { page_ids: [a, 999_999] }), 422, 'page_not_found');
    assert.deepEqual((await groups().get(id)).pages, pages);
    await app().client.pages.delete(b);
    assert.deepEqual(
      (await groups().get(id)).pages.map((one) => one.id),
      [a],
    );
  });

  test('AG13: replacing the files or pages by the same set changes neither the group nor its ETag', async () => {
    const { id } = await newGroup();
    const [f, p] = [await file(), await page()];
    await groups().replace_files(id, { file_ids: [f] });
    const row = await groups().replace_pages(id, { page_ids: [p] });
    const etag = await etagOf(id);
    assert.deepEqual(await groups().replace_files(id, { file_ids: [f] }), row);
    assert.deepEqual(await groups().replace_pages(id, { page_ids: [p] }), row);
    assert.equal(await etagOf(id), etag);
  });

  test('AG12: a file that a group gives access to cannot be deleted', async () => {
    const { id } = await newGroup();
    const f = await file();
    await groups().replace_files(id, { file_ids: [f] });
    const used = await refused(app().client.files.delete(f, { clear: true }), 409, 'in_use');
    assert.match(used.detail, new RegExp(`access group ${id}`));
    await groups().replace_files(id, { file_ids: [] });
    await app().client.files.delete(f);
  });

  test('AG14: a grant may have no end or an end in the past; it shows the admin who made it', async () => {
    const { id } = await newGroup();
    const customer = await makeCustomer(app());
    const colleague = await person(app(), { permissions: ['admin_api.access_groups.write'] });
    const client = app().clientFor(colleague.token);
    const forLife = await client.access_groups.create_grant(id, { customer_id: customer.id, expires_at: null, note: 'a friend' });
    const { id: _, created_at: __, ...shown } = forLife;
    const granted_by = colleague.adminId;
    assert.deepEqual(shown, { customer_id: customer.id, group_id: id, expires_at: null, granted_by, note: 'a friend' });
    const past = await groups().create_grant(id, { customer_id: customer.id, expires_at: '2020-01-01T01:00:00+01:00' });
    assert.deepEqual([past.expires_at, past.note], ['2020-01-01T00:00:00.000Z', null]);
    assert.notEqual(past.id, forLife.id);
    const path = `/admin/api/access-groups/${id}/grants`;
    const withoutEnd = await app().request({ method: 'POST', path, body: { customer_id: customer.id } });
    assert.equal(withoutEnd.status, 422);
    await refused(groups().create_grant(id, { customer_id: 999_999, expires_at: null }), 422, 'customer_not_found');
    await refused(groups().create_grant(999_999, { customer_id: customer.id, expires_at: null }), 404, 'not_found');
    assert.equal((await groups().list_members(id)).length, 2);
  });

  test('AG15: a grant can be revoked once; an unknown or revoked grant is 404', async () => {
    const { id } = await newGroup();
    const customer = await makeCustomer(app());
    const grant = await groups().create_grant(id, { customer_id: customer.id, expires_at: null });
    assert.equal((await groups().get(id)).member_count, 1);
    await groups().revoke_grant(grant.id);
    const { member_count, members } = await groups().get(id);
    assert.deepEqual([member_count, members], [0, []]);
    await refused(groups().revoke_grant(grant.id), 404, 'not_found');
    await refused(groups().revoke_grant(999_999), 404, 'not_found');
  });

  test('AG16: deleting a group deletes its links and grants; its files, pages and products stay', async () => {
    const group = await newGroup();
    const [f, p] = [await file(), await page()];
    const product = await makeProduct(app());
    const customer = await makeCustomer(app());
    await groups().replace_files(group.id, { file_ids: [f] });
    await groups().replace_pages(group.id, { page_ids: [p] });
    await app().client.products.replace_access_groups(product.id, { assignments: [{ group_id: group.id }] });
    const grant = await groups().create_grant(group.id, { customer_id: customer.id, expires_at: null });
    await groups().delete(group.id);
    await refused(groups().get(group.id), 404, 'not_found');
    await refused(groups().revoke_grant(grant.id), 404, 'not_found');
    assert.deepEqual(await app().client.products.list_access_groups(product.id), []);
    assert.deepEqual(await app().client.customers.list_access_groups(customer.id), []);
    await app().client.files.delete(f);
    assert.equal((await app().client.pages.get(p)).id, p);
    await newGroup({ slug: group.slug });
    await refused(groups().delete(group.id), 404, 'not_found');
  });

  test('AG17: a request replaces all groups of a product, which are listed by name; a wrong entry changes nothing', async () => {
    const product = await makeProduct(app(), { name: 'Course' });
    const [b, a] = [await newGroup({ name: 'b' }), await newGroup({ name: 'A' })];
    const products = app().client.products;
    const etag = async () => (await app().request({ path: `/admin/api/products/${product.id}` })).headers['etag'];
    const first = await etag();
    const assignments = [{ group_id: b.id, duration_days: 30 }, { group_id: a.id }];
    const shown = await products.replace_access_groups(product.id, { assignments });
    assert.deepEqual(shown, [
      { group_id: a.id, slug: a.slug, name: 'A', duration_days: null },
      { group_id: b.id, slug: b.slug, name: 'b', duration_days: 30 },
    ]);
    const second = await etag();
    assert.notEqual(second, first);
    assert.deepEqual(await products.replace_access_groups(product.id, { assignments }), shown);
    assert.equal(await etag(), second);
    const { granting_products, granting_product_count } = await groups().get(b.id);
    assert.deepEqual(granting_products, [
      { product_id: product.id, product_slug: product.slug, product_name: 'Course', duration_days: 30, is_subscription: false },
    ]);
    assert.equal(granting_product_count, 1);

    const refusals = [
      [[{ group_id: a.id }, { group_id: a.id }], 'duplicate', '/assignments/1/group_id'],
      [[{ group_id: a.id }, { group_id: 999_999 }], 'group_not_found', '/assignments/1/group_id'],
      [[{ group_id: a.id, duration_days: 0 }], 'out_of_range', '/assignments/0/duration_days'],
      [[{ group_id: a.id, duration_days: 36_501 }], 'out_of_range', '/assignments/0/duration_days'],
    ] as const;
    for (const [wrong, code, pointer] of refusals) {
      const { errors } = await refused(products.replace_access_groups(product.id, { assignments: [...wrong] }), 422, code);
      assert.deepEqual(
        errors.map((one) => one.pointer),
        [pointer],
      );
    }
    const path = `/admin/api/products/${product.id}/access-groups`;
    assert.equal((await app().request({ method: 'PUT', path, body: {} })).status, 422);
    assert.deepEqual(await products.list_access_groups(product.id), shown);
    assert.deepEqual(await products.replace_access_groups(product.id, { assignments: [] }), []);
    await refused(products.replace_access_groups(999_999, { assignments: [] }), 404, 'not_found');
    await refused(products.list_access_groups(999_999), 404, 'not_found');
  });

  test('AU7: access groups, and those of customers and products, need their own permissions', async () => {
    const { id } = await newGroup();
    const { token } = await person(app(), { permissions: ['admin_api.access_groups.read'] });
    const client = app().clientFor(token);
    assert.equal((await client.access_groups.get(id)).id, id);
    assert.deepEqual(await client.access_groups.list_members(id), []);
    await refused(client.access_groups.delete(id), 403, 'forbidden');
    await refused(client.customers.list_access_groups(1), 403, 'forbidden');
    await refused(client.products.list_access_groups(1), 403, 'forbidden');
  });
});
