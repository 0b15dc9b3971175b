import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun } from '../helpers/runs.ts';
import { storeConsole, storeTokenList } from '../helpers/stored-rows/people.ts';

onBothStores('admins', (app) => {
  test("AU9: an owner adds an admin and makes the first token, which allows exactly what the admin's permissions say", async () => {
    const { client, clientFor } = app();
    const anna = await client.admins.create({ name: 'Anna', email: 'anna@shop.example', permissions: ['admin_api.customers.write'] });
    assert.deepEqual([anna.role, anna.permissions, anna.active, anna.last_seen_at], ['staff', ['admin_api.customers.write'], true, null]);
    const { token } = await client.admins.create_token(anna.id, { name: 'first' });
    const hers = clientFor(token ?? '');
    const me = await hers.me.get();
    assert.deepEqual([me.id, me.effective_permissions], [anna.id, ['admin_api.customers.write']]);
    const { id } = await makeCustomer(app());
    await hers.customers.create_note(id, { body: 'hello' });
    await refused(hers.orders.list(), 403, 'forbidden');
    await refused(hers.admins.list(), 403, 'forbidden');
  });

  test('AU10: each admin has a console of their own, changed field by field', async () => {
    const { client, clientFor } = app();
    const clara = await client.admins.create({ name: 'Clara', email: 'clara@shop.example' });
    const { token } = await client.admins.create_token(clara.id, { name: 'first' });
    const hers = clientFor(token ?? '');
    const { headers } = await app().request({ path: `/admin/api/admins/${clara.id}` });
    assert.deepEqual((await hers.me.get()).console, {
      language: null,
      overview_cards: null,
      folded_groups: [],
      hides_first_steps: false,
    });
    await hers.me.update({ console: { language: 'hu', folded_groups: ['library'] } });
    const changed = await hers.me.update({ console: { overview_cards: ['runs', 'stock'] } });
    assert.deepEqual(changed.console, {
      language: 'hu',
      overview_cards: ['runs', 'stock'],
      folded_groups: ['library'],
      hides_first_steps: false,
    });
    assert.deepEqual((await hers.me.get()).console, changed.console);
    assert.equal((await client.me.get()).console.language, null);
    // What an owner edits is still what they read.
    await client.admins.update(clara.id, { name: 'Klára' }, { headers: { 'If-Match': headers['etag'] ?? '' } });
    const wrong = { method: 'PATCH', path: '/admin/api/me', body: { console: { language: 'xx' } } } as const;
    const answer = await app().request(wrong);
    assert.equal(answer.status, 422);
    assert.match(answer.text, /\/console\/language/);
  });

  test('AU10: what an earlier version stored of a console counts, and has the usual for what it did not know', async () => {
    const { client, store } = app();
    const { id } = await client.me.get();
    await storeConsole(store, id, { language: 'fr', overview_cards: null, folded_groups: ['library'] });
    assert.deepEqual((await client.me.get()).console, {
      language: 'fr',
      overview_cards: null,
      folded_groups: ['library'],
      hides_first_steps: false,
    });
    const { console } = await client.me.update({ console: { language: null, folded_groups: [], hides_first_steps: true } });
    assert.deepEqual([console.language, console.hides_first_steps], [null, true]);
  });

  test('AU14: admins are searched by name; a change with a stale If-Match is refused', async () => {
    const { client } = app();
    const made = await client.admins.create({ name: 'Ősz Béla', email: 'bela@shop.example' });
    const found = await client.admins.list({ search: 'ősz' });
    assert.deepEqual(
      found.data.map(({ id }) => id),
      [made.id],
    );
    const path = `/admin/api/admins/${made.id}`;
    const { headers } = await app().request({ path });
    const changed = await client.admins.update(made.id, { name: 'Béla' }, { headers: { 'If-Match': headers['etag'] ?? '' } });
    assert.equal(changed.name, 'Béla');
    await refused(
      client.admins.update(made.id, { name: 'X' }, { headers: { 'If-Match': headers['etag'] ?? '' } }),
      412,
      'precondition_failed',
    );
    assert.deepEqual((await client.admins.list({ search: 'ősz' })).data, []);
  });

  test('GET /admins/names gives every admin the names of all admins and nothing else of them; tasks may not read it', async () => {
    const { client, clientFor } = app();
    const carla = await client.admins.create({ name: 'Carla', email: 'carla@shop.example' });
    await client.admins.update(carla.id, { active: false });
    const { adminId, token } = await person(app());
    const theirs = clientFor(token);
    await refused(theirs.admins.list(), 403, 'forbidden');
    const names = await theirs.admins.names();
    const all = await client.admins.list({ per_page: 100 });
    assert.deepEqual(
      names,
      all.data.map(({ id, name, active }) => ({ id, name, active })),
    );
    assert.deepEqual(
      names.filter(({ id }) => id === carla.id),
      [{ id: carla.id, name: 'Carla', active: false }],
    );
    assert.ok(names.some(({ id, active }) => id === adminId && active));
    const run = await claimedRun(app());
    assert.equal((await run.call('GET', '/admins/names')).status, 403);
  });

  test('AU14: an e-mail address belongs to one admin; the refusal names permissions that cannot be granted', async () => {
    const { client } = app();
    await client.admins.create({ name: 'One', email: 'one@shop.example' });
    await refused(client.admins.create({ name: 'Two', email: ' ONE@shop.example ' }), 422, 'duplicate');
    await refused(client.admins.create({ name: 'Two', email: '' }), 422, 'blank');
    const wrong = await app().request({
      method: 'POST',
      path: '/admin/api/admins',
      body: { name: 'Two', email: 'two@shop.example', permissions: ['admin_api.admins.read', 'admin_api.moon.read'] },
    });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /permission_not_grantable.*unknown_permission/s);
  });

  test('AU6: a deactivated admin is locked out at once, and let in again when reactivated', async () => {
    const { client, clientFor } = app();
    const { adminId, token } = await person(app());
    await clientFor(token).me.get();
    await client.admins.update(adminId, { active: false });
    await refused(clientFor(token).me.get(), 401, 'unauthorized');
    await client.admins.update(adminId, { active: true });
    await clientFor(token).me.get();
  });

  test('AU15: the last active owner can be neither demoted, deactivated nor deleted', async () => {
    const { client } = app();
    const { id } = await client.me.get();
    await refused(client.admins.update(id, { role: 'staff' }), 409, 'last_owner');
    await refused(client.admins.update(id, { active: false }), 409, 'last_owner');
    await refused(client.admins.delete(id), 409, 'last_owner');
    const other = await person(app(), { role: 'owner' });
    const theirs = app().clientFor(other.token);
    const both = await Promise.allSettled([
      client.admins.update(other.adminId, { role: 'staff' }),
      theirs.admins.update(id, { role: 'staff' }),
    ]);
    const { data } = await app()
      .clientFor(both[0].status === 'fulfilled' ? (await person(app(), { role: 'owner' })).token : other.token)
      .admins.list();
    assert.ok(data.some((admin) => admin.role === 'owner' && admin.active));
    assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
    if (both[1].status === 'fulfilled') await theirs.admins.update(id, { role: 'owner' });
  });

  test('AU15: an admin who has acted cannot be deleted; one who has not is deleted with all tokens', async () => {
    const { client, clientFor } = app();
    const busy = await person(app(), { permissions: ['admin_api.customers.write'] });
    const { id } = await makeCustomer(app());
    await clientFor(busy.token).customers.create_note(id, { body: 'hello' });
    await refused(client.admins.delete(busy.adminId), 409, 'in_use');
    const idle = await person(app());
    await client.admins.delete(idle.adminId);
    await refused(client.admins.get(idle.adminId), 404, 'not_found');
    await refused(clientFor(idle.token).me.get(), 401, 'unauthorized');
  });
});

onBothStores('own tokens', (app) => {
  test('AU1, AU3: a token is shown once, listed by its prefix, and works until it is revoked', async () => {
    const { client, clientFor } = app();
    const made = await client.me.create_token({ name: ' laptop ', expires_in_days: 30 });
    assert.match(made.token ?? '', /^pat_\d+_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
    assert.equal(made.name, 'laptop');
    assert.ok(Date.parse(made.expires_at ?? '') - Date.parse(made.created_at) === 30 * 86_400_000);
    const [listed] = await client.me.list_tokens();
    assert.deepEqual([listed?.id, listed?.never_expires, 'token' in (listed ?? {})], [made.id, false, false]);
    assert.ok((made.token ?? '').startsWith(listed?.token_prefix ?? '-'));
    const theirs = clientFor(made.token ?? '');
    await theirs.me.get();
    await theirs.me.revoke_token(made.id);
    await refused(theirs.me.get(), 401, 'unauthorized');
    await refused(client.me.revoke_token(made.id), 404, 'not_found');
    assert.ok(!(await client.me.list_tokens()).some(({ id }) => id === made.id));
  });

  test('AU2: a token lasts 1 to 365 days, or for ever, which the list shows', async () => {
    const { client } = app();
    await refused(client.me.create_token({ name: 'x', expires_in_days: 0 }), 422, 'out_of_range');
    await refused(client.me.create_token({ name: 'x', expires_in_days: 366 }), 422, 'out_of_range');
    const { id } = await client.me.create_token({ name: 'forever', expires_in_days: null });
    assert.equal((await client.me.list_tokens()).find((one) => one.id === id)?.never_expires, true);
  });

  test('AU12: an admin cannot make a token that has more permissions than the token of the request', async () => {
    const { clientFor } = app();
    const narrow = clientFor(
      (await person(app(), { permissions: ['admin_api.orders.write', 'admin_api.customers.read'], list: ['admin_api.orders.read'] })).token,
    );
    await refused(narrow.me.create_token({ name: 'more', permissions: ['admin_api.customers.read'] }), 403, 'permission_not_held');
    await refused(narrow.me.create_token({ name: 'more', permissions: ['admin_api.orders.write'] }), 403, 'permission_not_held');
    const same = await narrow.me.create_token({ name: 'same' });
    assert.deepEqual((await clientFor(same.token ?? '').me.get()).effective_permissions, ['admin_api.orders.read']);
    const owner = await person(app(), { role: 'owner' });
    await storeTokenList(app().store, owner.tokenId, ['admin_api.admins.write']);
    const ownerNarrow = clientFor(owner.token);
    const colleague = await person(app(), { permissions: ['admin_api.orders.read'] });
    await refused(
      ownerNarrow.admins.create_token(colleague.adminId, { name: 'x', permissions: ['admin_api.orders.read'] }),
      403,
      'permission_not_held',
    );
  });

  test("AU3: another admin's token is not found", async () => {
    const other = await person(app());
    await refused(app().client.me.revoke_token(other.tokenId), 404, 'not_found');
  });

  test('AU1: a repeat under one Idempotency-Key answers null for the token, which is not stored', async () => {
    const { client, store } = app();
    const options = { headers: { 'Idempotency-Key': '"token-once"' } };
    const first = await client.me.create_token({ name: 'once' }, options);
    const again = await client.me.create_token({ name: 'once' }, options);
    assert.equal(again.id, first.id);
    assert.equal(again.token, null);
    const kept = await store.reader.selectFrom('idempotency').select('body').execute();
    assert.ok(kept.every(({ body }) => !body?.includes(first.token ?? '-')));
  });

  test('AU4: every new token makes a notification', async () => {
    const { client } = app();
    const { id } = await client.me.create_token({ name: 'told' });
    const me = await client.me.get();
    const [news] = (await client.notifications.list({ limit: 1 })).notifications;
    assert.deepEqual(
      [news?.type, news?.severity, news?.metadata],
      ['personal_access_token_created', 'info', { token_id: id, name: 'told', admin_id: me.id }],
    );
  });
});
