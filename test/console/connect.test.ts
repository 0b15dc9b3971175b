import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { authorizationUrl, officialClient, openBrowser, pkce, register } from '../helpers/oauth.ts';
import { TOKEN } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
/** Where the client waits for its browser to come back. */
let callback: Server;
before(async () => {
  shop = await openConsole({ orders: 20 });
  await shop.client.settings.update({ public_url: shop.url });
  callback = createServer((_, answer) => answer.end('You can close this page.'));
  callback.listen(0, '127.0.0.1');
  await once(callback, 'listening');
});
after(async () => {
  callback.closeAllConnections();
  callback.close();
  await shop.close();
});

test('MC8: a client is connected by signing in and ticking what it may, calls a tool, and is refused once revoked', async () => {
  const redirect = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  const official = officialClient(shop, { redirect });
  const first = await official.connect();
  await assert.rejects(first.connected, UnauthorizedError);
  const { pathname, search } = official.kept.redirected ?? new URL(shop.url);
  const page = await shop.open({ path: `${pathname}${search}`, token: null });
  await page.getByLabel('Access token').fill(TOKEN);
  await page.getByLabel('Access token').press('Enter');
  await page.getByText('Official client', { exact: true }).waitFor();
  await page.getByText('nobody: anyone can call itself so.').waitFor();
  await page.getByText(new URL(redirect).host).waitFor();
  const form = page.getByRole('form', { name: 'Connect an agent' });
  assert.equal(await form.getByLabel('Its name').inputValue(), 'Official client');
  assert.equal(await form.getByLabel('It sees names').isChecked(), false);
  const nothing = await form.getByRole('radio', { name: /: Nothing$/ }).count();
  assert.ok(
    nothing > 5 && nothing === (await form.getByRole('radio', { name: /: Nothing$/, checked: true }).count()),
    'nothing is chosen beforehand',
  );
  await shoot(page, 'connect');
  assert.deepEqual(await accessibilityFaults(page), []);
  await form.getByLabel('Orders: See').check();
  await form.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('You can close this page.').waitFor();
  const back = new URL(page.url());
  await page.close();
  assert.equal(`${back.origin}${back.pathname}`, redirect);
  await first.transport.finishAuth(back.searchParams);
  const { client, connected } = await official.connect();
  await connected;
  const { isError } = await client.callTool({ name: 'call', arguments: { operation: 'orders.list' } });
  assert.notEqual(isError, true);
  const settings = await shop.open({ path: '/settings/me' });
  await settings.getByText(`${shop.url}/mcp`).waitFor();
  await shoot(settings, 'connect-settings');
  await settings.getByRole('button', { name: 'Revoke Official client' }).click();
  await settings.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await settings.getByText('No agent is connected.').waitFor();
  await assert.rejects(client.callTool({ name: 'call', arguments: { operation: 'orders.list' } }));
  await client.close();
  await settings.done();
});

test('MC8: what a client calls itself is shown as it is, fits narrow windows, and can be denied', async () => {
  const { client_id } = (await register(shop, { client_name: `Claude\u202e» by a f\u200briend${'x'.repeat(120)}` })).body;
  const url = authorizationUrl(shop, { client_id, code_challenge: pkce().challenge, scope: 'admin_api.orders.read' });
  const browser = openBrowser(shop);
  const { at } = await browser.go(url);
  const { headers } = await fetch(at, { headers: { accept: 'text/html' } });
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  const page = await shop.open({ path: new URL(at).pathname });
  await page.locator('mark').first().waitFor();
  assert.equal(await page.locator('mark').count(), 2);
  const form = page.getByRole('form', { name: 'Connect an agent' });
  assert.match(await form.getByLabel('Its name').inputValue(), /^Claude by a friendx+$/);
  assert.equal(await form.getByRole('radio', { name: /: Nothing$/ }).count(), 1);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await isTooWide(page), false, `${width}`);
    assert.deepEqual(await accessibilityFaults(page), [], `${width}`);
  }
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/deny'));
  await form.getByRole('button', { name: 'Deny' }).click();
  assert.equal((await answered).status(), 200);
  // This browser did not begin the request, so it cannot go on.
  await page.getByText(/cannot go on|goes on in the browser/).waitFor();
  await page.goto(`${shop.url}/connect/${'x'.repeat(32)}`);
  await page.getByText('This request was answered, or has expired. Begin again in the client.').waitFor();
  assert.deepEqual(await shop.client.me.list_agents(), []);
  await page.done();
});
