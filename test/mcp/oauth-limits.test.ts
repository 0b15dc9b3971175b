import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { allow, authorizationUrl, beginRequest, openBrowser, pkce, register } from '../helpers/oauth.ts';
import { forgetOauthRecords, keepOauthRecords } from '../helpers/stored-rows/oauth.ts';

/** What is kept of strangers: anybody may register a client and ask to be connected. */

const REQUESTS_MAX = 2000;
const CLIENTS_MAX = 1000;
const ADDRESS_MAX = 4096;

onBothStores('MC8: what is kept of strangers is bounded', (app) => {
  const records = () => app().store.reader.selectFrom('oauth_records');
  const askUrl = async (more: Record<string, string> = {}): Promise<string> =>
    authorizationUrl(app(), { client_id: (await register(app())).body.client_id, code_challenge: pkce().challenge, ...more });
  const countOf = async (model: string): Promise<number> => (await records().select('id').where('model', '=', model).execute()).length;

  /** Keeps so many records of strangers that there are `upto`. */
  async function fill(model: string, upto: number): Promise<void> {
    await keepOauthRecords(app().store, model, upto - (await countOf(model)));
  }

  test('2,000 requests wait at most; those that wait can be answered, and then another may ask', async () => {
    await app().client.settings.update({ public_url: app().url });
    const browser = openBrowser(app());
    const waiting = await beginRequest(app(), browser, await askUrl());
    await fill('Interaction', REQUESTS_MAX - 1);
    await beginRequest(app(), openBrowser(app()), await askUrl());
    const full = await openBrowser(app()).go(await askUrl());
    assert.deepEqual([full.status, /"code":"busy"/.test(full.text)], [503, true]);
    assert.ok((await allow(app().client, browser, waiting)).searchParams.get('code'));
    await beginRequest(app(), openBrowser(app()), await askUrl());
  });

  test('1,000 clients are known at most that nobody allowed anything', async () => {
    await app().client.settings.update({ public_url: app().url });
    await fill('Client', CLIENTS_MAX - 1);
    assert.equal((await register(app())).status, 201);
    assert.equal((await register(app())).status, 503);
  });

  test('the address of a request has 4,096 characters at most', async () => {
    await app().client.settings.update({ public_url: app().url });
    await forgetOauthRecords(app().store);
    const url = new URL(await askUrl({ state: '' }));
    const rest = ADDRESS_MAX - (url.pathname + url.search).length;
    const before = await countOf('Interaction');
    url.searchParams.set('state', 'x'.repeat(rest + 1));
    const refused = await openBrowser(app()).go(url.href);
    assert.deepEqual([refused.status, /"code":"too_long"/.test(refused.text)], [422, true]);
    assert.equal(await countOf('Interaction'), before);
    url.searchParams.set('state', 'x'.repeat(rest));
    await beginRequest(app(), openBrowser(app()), url.href);
    assert.equal(await countOf('Interaction'), before + 1);
  });
});
