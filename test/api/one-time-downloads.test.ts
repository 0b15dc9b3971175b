import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormData } from 'undici';
import { OWNER_TOKEN, onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf, field, makeTask } from '../helpers/runs.ts';
import { expireLinks, revokeElsewhere } from '../helpers/stored-rows/people.ts';

onBothStores('one-time downloads', (app) => {
  const fetchOnce = (url: string, method = 'GET') => app().request({ path: url, method, token: null });
  const linkTo = async (path: string, token: string = OWNER_TOKEN): Promise<string> => {
    const { url } = await app().clientFor(token).me.create_download_link({ path });
    assert.match(url ?? '', /^\/downloads\/once\/[0-9A-Za-z]{43}$/);
    return url ?? '';
  };
  const makeFile = async (content = 'the whole book'): Promise<string> => {
    const { id } = await app().client.files.create({ file: { filename: 'Őszi.epub', content, content_type: 'application/epub+zip' } });
    return `/files/${id}/content`;
  };
  const reasonOf = (answer: Parameters<typeof codeOf>[0]) => [...codeOf(answer), field(answer.body, 'reason')];
  const EXHAUSTED = [410, 'download_ended', 'exhausted'];

  async function makeArtifact(): Promise<{ path: string; taskId: number; runId: number }> {
    const run = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['file_download', 'admin_api.customers.read'] }));
    const form = new FormData();
    form.append('file', new Blob(['a,b'], { type: 'text/csv' }), 'report.csv');
    const token = run.claim.report_token;
    const { body } = await app().request({ method: 'POST', path: `/admin/api/runner/runs/${run.runId}/artifacts`, form, token });
    return {
      path: `/ai-tasks/${run.taskId}/runs/${run.runId}/artifacts/${field(body, 'id')}/content`,
      taskId: run.taskId,
      runId: run.runId,
    };
  }

  test('a link gives each kind of content once, without a token, with the headers of its own endpoint', async () => {
    const { client } = app();
    const customer = await makeCustomer(app());
    const form = new FormData();
    form.append('file', new Blob(['scan'], { type: 'application/pdf' }), 'scan.pdf');
    await app().request({ method: 'POST', path: `/admin/api/customers/${customer.id}/files`, form });
    const [scan] = await client.customers.list_files(customer.id);
    const page = await client.pages.create({ slug: 'shown', title: 'Shown' });
    const paths = [
      await makeFile(),
      `/customers/${customer.id}/files/${scan?.id}/content`,
      (await makeArtifact()).path,
      `/pages/${page.id}/preview?locale=de`,
    ];
    for (const path of paths) {
      const direct = await app().request({ path: `/admin/api${path}` });
      assert.equal(direct.status, 200, path);
      const url = await linkTo(path);
      const head = await fetchOnce(url, 'HEAD');
      const linked = await fetchOnce(url);
      assert.deepEqual([linked.status, linked.text], [200, direct.text], path);
      for (const name of ['content-type', 'content-disposition', 'content-length', 'content-security-policy', 'cache-control']) {
        assert.equal(linked.headers[name], direct.headers[name], `${path} ${name}`);
        assert.equal(head.headers[name], direct.headers[name], `HEAD ${path} ${name}`);
      }
      assert.deepEqual(reasonOf(await fetchOnce(url)), EXHAUSTED, path);
    }
  });

  test('of several who open a link at the same time, one gets the file', async () => {
    const url = await linkTo(await makeFile());
    const statuses = (await Promise.all([fetchOnce(url), fetchOnce(url), fetchOnce(url)])).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 410, 410]);
  });

  test('no link is made to anything but the content of a file', async () => {
    const file = await makeFile();
    const { taskId, runId } = await makeArtifact();
    const run = `/ai-tasks/${taskId}/runs/${runId}`;
    const elsewhere = ['/orders', '/me', '/settings', file.replace('/content', ''), `/admin/api${file}`, `/${file}`, file.slice(1)];
    const spelt = [`${file}/`, `${file}#x`, `${file}%00`, file.replace('/content', '%2Fcontent'), file.replace('files', 'f%69les')];
    const climbing = [`/orders/..${file}`, `/files/1/../..${file}`, `/files/./1/content`, `https://example.com${file}`, `\\${file}`];
    const ofRuns = [`${run}/stream`, run, `/runner/runs/${runId}/files/input`, '/runner/status', '/runner/claims'];
    for (const path of [...elsewhere, ...spelt, ...climbing, ...ofRuns]) {
      await refused(app().client.me.create_download_link({ path }), 422, 'invalid_value');
    }
    for (const path of ['/files/999999/content', '/files/0/content', '/files/99999999999999999999/content'])
      await refused(app().client.me.create_download_link({ path }), 404, 'not_found');
    await refused(app().client.me.create_download_link({ path: '/pages/1/preview?locale=!' }), 422, 'invalid_locale');
  });

  test('a link is made only by admins, for what their token may read', async () => {
    const path = await makeFile();
    const reader = await person(app(), { permissions: ['admin_api.orders.read'] });
    await refused(app().clientFor(reader.token).me.create_download_link({ path }), 403, 'forbidden');
    const run = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['admin_api.files.read'] }));
    for (const token of [run.claim.token, run.claim.report_token, RUNNER_TOKEN]) {
      const answer = await app().request({ method: 'POST', path: '/admin/api/me/download-links', body: { path }, token });
      assert.deepEqual(codeOf(answer), [403, 'forbidden']);
    }
  });

  test('what the maker may no longer read is not sent, and what it may read again still is', async () => {
    const { client, clientFor } = app();
    const path = await makeFile();
    const reader = await person(app(), { permissions: ['admin_api.files.read'] });
    const url = await linkTo(path, reader.token);
    await client.admins.update(reader.adminId, { permissions: [] });
    assert.deepEqual(codeOf(await fetchOnce(url)), [403, 'forbidden']);
    await client.admins.update(reader.adminId, { permissions: ['admin_api.files.read'] });
    assert.equal((await fetchOnce(url)).status, 200);

    const [ofRevoked, ofOther, ofDeactivated] = [
      await linkTo(path, reader.token),
      await linkTo(path, reader.token),
      await linkTo(path, reader.token),
    ];
    await clientFor(reader.token).me.revoke_token(reader.tokenId);
    assert.deepEqual(reasonOf(await fetchOnce(ofRevoked)), [410, 'download_ended', 'revoked']);
    await revokeElsewhere(app().store, reader.tokenId);
    assert.deepEqual(reasonOf(await fetchOnce(ofOther)), [410, 'download_ended', 'revoked']);
    await client.admins.update(reader.adminId, { active: false });
    assert.deepEqual(reasonOf(await fetchOnce(ofDeactivated)), [410, 'download_ended', 'revoked']);
  });

  test('a run’s file needs at the time of use what the run’s version could read', async () => {
    const { path } = await makeArtifact();
    const reader = await person(app(), { permissions: ['admin_api.ai_tasks.read', 'admin_api.customers.read'] });
    const url = await linkTo(path, reader.token);
    await app().client.admins.update(reader.adminId, { permissions: ['admin_api.ai_tasks.read'] });
    assert.deepEqual(codeOf(await fetchOnce(url)), [403, 'forbidden']);
  });

  test('an expired link, and one whose file is gone, give nothing', async () => {
    const path = await makeFile();
    const url = await linkTo(path);
    await app().client.files.delete(Number(path.split('/')[2]), {});
    assert.deepEqual(codeOf(await fetchOnce(url)), [404, 'not_found']);
    const late = await linkTo(await makeFile());
    await expireLinks(app().store);
    assert.deepEqual(reasonOf(await fetchOnce(late)), [410, 'download_ended', 'expired']);
  });

  test('a code works at its own place only', async () => {
    const url = await linkTo(await makeFile());
    const code = url.slice('/downloads/once/'.length);
    for (const method of ['POST', 'PUT', 'DELETE']) assert.equal((await fetchOnce(url, method)).status, 405, method);
    for (const path of [
      `/downloads/${code}`,
      `/downloads/once%2F${code}`,
      `${url}/`,
      `${url}/x`,
      `${url}x`,
      `/media/${code}`,
      `/downloads/once/`,
    ])
      assert.equal((await fetchOnce(path)).status, 404, path);
    await refused(app().client.me.redeem_sign_in_link({ code }), 422, 'invalid_code');
    assert.equal((await app().request({ path: '/admin/api/me', token: code })).status, 401);
    const signIn = await app().client.me.create_sign_in_link({});
    assert.equal((await fetchOnce(`/downloads/once/${signIn.code}`)).status, 404);
    assert.equal((await fetchOnce(url)).status, 200);
  });

  test('a repeated request with the same Idempotency-Key does not show the link again', async () => {
    const body = { path: await makeFile() };
    const make = () =>
      app().request({ method: 'POST', path: '/admin/api/me/download-links', body, headers: { 'idempotency-key': 'once' } });
    const url = String(field((await make()).body, 'url'));
    assert.equal(field((await make()).body, 'url'), null);
    assert.equal((await fetchOnce(url)).status, 200);
  });
});
