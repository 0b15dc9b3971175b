import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { buildDocs } from '../../ops/missing-builds.ts';
import { type Console, openConsole } from './open-console.ts';

/** Examples of the documentation that a reader who is signed in copies. */

const PATH = '/docs/mail';
const OFFER = 'Copy with a one-time token';

let shop: Console;
before(async () => {
  assert.equal(await buildDocs(['--if-changed']), 0);
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

test('who is signed in copies an example with the address of the shop and a token that is good for one request', async () => {
  const page = await shop.open({ path: PATH });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: OFFER }).click();
  await page.getByText('Copied. Its token is good for one request, within 10 minutes.').waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  assert.match(copied, new RegExp(`${shop.url}/admin/api/`));
  const [token = ''] = /pat_\w+/.exec(copied) ?? [];
  const ask = async () => {
    const answer = await request(`${shop.url}/admin/api/me`, { headers: { authorization: `Bearer ${token}` } });
    await answer.body.dump();
    return answer.statusCode;
  };
  assert.deepEqual([await ask(), await ask()], [200, 401]);
  await page.done();
});

test('it is said where a session has ended, and nothing is offered to whoever is not signed in', async () => {
  const guest = await shop.open({ path: PATH, token: null });
  await guest.locator('html.ready').waitFor();
  await guest.locator('.language-sh').first().waitFor();
  assert.equal(await guest.getByRole('button', { name: OFFER }).count(), 0);
  await guest.done();

  const { token, client } = await shop.admin('Ann', ['admin_api.orders.read']);
  const page = await shop.open({ path: PATH, token });
  await page.getByRole('button', { name: OFFER }).waitFor();
  const [{ id } = { id: 0 }] = await client.me.list_tokens();
  await client.me.revoke_token(id);
  await page.getByRole('button', { name: OFFER }).click();
  await page.getByText('Nothing was copied: sign in to the console again.').waitFor();
});
