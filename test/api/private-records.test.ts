import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { type Person, person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const NEVER_GIVEN = 999_999;

/** Headers and bodies whose checks stand before and behind the one that a record exists. */
const manners: readonly { headers?: Record<string, string>; body?: object }[] = [
  {},
  { headers: { 'if-match': '"x-1-1"' } },
  { headers: { 'if-match': '*' } },
  { headers: { 'if-none-match': '*' } },
  { headers: { 'if-match': '"x-1-1"' }, body: { name: 5 } },
  { body: { unheard_of: true } },
];

onBothStores("records that are private to others' eyes", (app) => {
  /** What somebody is told of a record, without what differs between any two requests. */
  async function told({ token }: Person, method: string, path: string, { headers = {}, body }: (typeof manners)[number]) {
    const sent = method === 'PATCH' ? { body: body ?? {} } : {};
    const answer = await app().request({ method, path: `/admin/api${path}`, token, headers, ...sent });
    const { instance: _, request_id: __, ...problem } = Object(answer.body);
    return { status: answer.status, etag: answer.headers['etag'], problem };
  }

  const cases = {
    view: {
      make: async (owner: Person) => (await app().clientFor(owner.token).me.create_view({ screen: 'orders', name: 'Mine' })).id,
      calls: (id: number) => ['GET', 'PATCH', 'DELETE'].map((method) => [method, `/me/views/${id}`] as const),
    },
    notification: {
      make: async (owner: Person) => (await app().client.notifications.create({ title: 'For one', body: 'x', admins: [owner.adminId] })).id,
      calls: (id: number) => [['PATCH', `/notifications/${id}/read`] as const],
    },
    token: {
      make: async (owner: Person) => (await app().clientFor(owner.token).me.create_token({ name: 'mine' })).id,
      calls: (id: number) => [['DELETE', `/me/tokens/${id}`] as const],
    },
  };

  for (const [kind, { make, calls }] of Object.entries(cases)) {
    test(`R3: another's ${kind} is as unknown as one that never was, whatever the request says of it`, async () => {
      const [ann, bob] = [await person(app()), await person(app(), { role: 'owner' })];
      const id = await make(ann);
      const never = calls(NEVER_GIVEN);
      for (const [n, [method, path]] of calls(id).entries()) {
        for (const manner of manners) {
          const answer = await told(bob, method, path, manner);
          assert.equal(answer.status, 404, `${method} ${path} ${JSON.stringify(manner)}`);
          assert.deepEqual(answer, await told(bob, method, never[n]?.[1] ?? '', manner));
        }
      }
    });
  }

  test('AU2: a token that was revoked is unknown, also with If-Match', async () => {
    const ann = await person(app());
    const { id } = await app().clientFor(ann.token).me.create_token({ name: 'short' });
    await app().clientFor(ann.token).me.revoke_token(id);
    for (const manner of manners) assert.equal((await told(ann, 'DELETE', `/me/tokens/${id}`, manner)).status, 404);
  });

  test("an owner who ends the sharing of another's view does not see it any more", async () => {
    const [ann, bob] = [await person(app()), await person(app(), { role: 'owner' })];
    const view = await app().clientFor(ann.token).me.create_view({ screen: 'orders', name: 'Ours', shared: true });
    const path = `/admin/api/me/views/${view.id}`;
    const answer = await app().request({ method: 'PATCH', path, token: bob.token, body: { shared: false } });
    assert.deepEqual([answer.status, Object(answer.body).shared], [200, false]);
    await refused(app().clientFor(bob.token).me.get_view(view.id), 404, 'not_found');
  });
});
