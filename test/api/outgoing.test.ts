import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Json } from '../../contract/run-events.ts';
import { onBothStores } from '../helpers/app.ts';
import { type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { placed } from '../helpers/placed.ts';
import { freePort } from '../helpers/ports.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, field, lapse, makeTask } from '../helpers/runs.ts';

/** Requests that runs send to other systems, which are real servers on this machine here. */
onBothStores(
  'outgoing requests',
  (app) => {
    let there: OtherSystem;
    let elsewhere: OtherSystem;
    before(async () => {
      [there, elsewhere] = [await openOtherSystem(), await openOtherSystem()];
    });
    after(() => Promise.all([there.close(), elsewhere.close()]));
    beforeEach(() => {
      for (const one of [there, elsewhere]) {
        one.got.length = 0;
        one.decide(() => ({}));
      }
    });

    const allOf = (one: Pick<OtherSystem, 'origin'>): string => `GET,HEAD,POST,PUT,PATCH,DELETE ${one.origin}/v1/*`;
    async function open(http_allow = [allOf(there)], body = {}, secrets: string[] = []): Promise<ClaimedRun> {
      return claimedRun(app(), body, await makeTask(app(), { permissions: ['http_request'], http_allow, secrets }));
    }
    const makeSecret = (name: string, value: string) =>
      app().client.task_secrets.create({ name, value, hosts: [`127.0.0.1:${there.port}`] });
    const fetch = (run: ClaimedRun, url: Json, body: Record<string, Json> = {}, options = {}) =>
      run.call('POST', '/http/fetch', { method: 'GET', url, ...body }, options);
    const send = (run: ClaimedRun, url: Json, body: Record<string, Json> = {}, options = {}) =>
      run.call('POST', '/http/send', { method: 'POST', url, ...body }, options);
    const at = (path: string, one = there): string => `${one.origin}${path}`;
    const effectsOf = (run: ClaimedRun) => app().client.ai_tasks.list_effects(run.taskId, run.runId);
    async function again(run: ClaimedRun): Promise<ClaimedRun> {
      await lapse(app(), run);
      return { ...run, ...(await claimRun(app(), run)) };
    }
    /** A run whose task is offered again when its runner is lost. */
    async function openAgainable(): Promise<ClaimedRun> {
      const values = { permissions: ['http_request' as const], http_allow: [allOf(there)] };
      return claimedRun(app(), {}, await makeTask(app(), values, { on_interrupt: 'resume' }));
    }

    test('the answer shows status, headers and body; a read is no effect, a write is one, with a key and without its query', async () => {
      there.decide(({ method }) => ({ status: method === 'GET' ? 200 : 201, headers: { 'X-One': 'a' }, body: 'grün' }));
      const run = await open();
      const read = await fetch(run, at('/v1/x?token=1'), { headers: { 'X-Mine': 'yes' } });
      assert.equal(read.status, 200, read.text);
      assert.deepEqual(
        [field(read.body, 'status'), field(read.body, 'body'), field(read.body, 'encoding'), field(read.body, 'url')],
        [200, 'grün', 'text', at('/v1/x?token=1')],
      );
      assert.equal(field(field(read.body, 'headers'), 'x-one'), 'a');
      assert.deepEqual(
        [there.got[0]?.target, there.got[0]?.headers['x-mine'], there.got[0]?.headers['idempotency-key']],
        ['/v1/x?token=1', 'yes', undefined],
      );
      assert.deepEqual(await effectsOf(run), []);

      const write = await send(run, at('/v1/x?token=1'), { body: '{"a":1}', headers: { 'content-type': 'application/json' } });
      assert.equal(field(write.body, 'status'), 201, write.text);
      const [, got] = there.got;
      assert.deepEqual([got?.method, got?.body, got?.headers['content-type']], ['POST', '{"a":1}', 'application/json']);
      assert.match(String(got?.headers['idempotency-key']), /^backroom-[\w-]{43}$/);
      const [effect] = await effectsOf(run);
      assert.deepEqual(
        [effect?.resource, effect?.changes, effect?.maybe_twice],
        [{ type: 'http_request', id: null }, { request: [null, `POST ${at('/v1/x')}`], status: [null, 201] }, false],
      );
    });

    test('bytes come as base64, compressed bodies unpacked; what is too large is refused, also where it is small before it is unpacked', async () => {
      const run = await open();
      there.decide(({ target }) => {
        if (target === '/v1/bytes') return { body: Buffer.from([0xff, 0x00]) };
        if (target === '/v1/gzip') return { headers: { 'content-encoding': 'gzip' }, body: gzipSync('packed') };
        if (target === '/v1/br') return { headers: { 'content-encoding': 'br' }, body: brotliCompressSync('packed') };
        if (target === '/v1/broken') return { headers: { 'content-encoding': 'gzip' }, body: 'no gzip' };
        return { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(64 * 1024 * 1024)) };
      });
      const bytes = await fetch(run, at('/v1/bytes'));
      assert.deepEqual([field(bytes.body, 'body'), field(bytes.body, 'encoding')], ['/wA=', 'base64']);
      for (const path of ['/v1/gzip', '/v1/br']) assert.equal(field((await fetch(run, at(path))).body, 'body'), 'packed');
      assert.equal((await fetch(run, at('/v1/head'), { method: 'HEAD' })).status, 200);
      assert.deepEqual(codeOf(await fetch(run, at('/v1/bomb'))), [409, 'http_answer_too_large']);
      assert.deepEqual(codeOf(await fetch(run, at('/v1/broken'), { timeout_ms: 500 })), [502, 'http_failed']);
    });

    test('what http_allow does not cover is not sent, and said; nor what the server sets itself', async () => {
      const run = await open([`GET ${at('/v1/*')}`]);
      for (const [url, said] of [
        [at('/v2/x'), /has no entry for GET .*\/v2\/x; it has GET http/],
        [at('/v1/../v2'), /no "." or ".."/],
        [at('/v1/%2e%2e/v2'), /no escaped dot/],
        [at('/v1/..%2fv2'), /no escaped dot/],
        [`http://user:pass@127.0.0.1:${there.port}/v1/x`, /no user name/],
        [`http://127.0.0.1:${elsewhere.port}/v1/x`, /no entry/],
        [`http://localhost:${there.port}/v1/x`, /no entry/],
        [`https://127.0.0.1:${there.port}/v1/x`, /no entry/],
        ['file:///etc/passwd', /begins with https/],
      ] as const) {
        const answer = await fetch(run, url);
        assert.deepEqual(codeOf(answer), [403, 'http_not_allowed'], url);
        assert.match(String(field(answer.body, 'detail')), said);
      }
      assert.deepEqual(codeOf(await send(run, at('/v1/x'))), [403, 'http_not_allowed'], 'a method that no entry names');
      assert.equal((await fetch(run, `HTTP://0x7f.1:${there.port}/%76%31/x`)).status, 200, 'another spelling of what is allowed');
      for (const name of ['Host', 'content-length', 'Transfer-Encoding', 'Proxy-Authorization', 'connection', 'idempotency-key', 'a b'])
        assert.deepEqual(codeOf(await fetch(run, at('/v1/x'), { headers: { [name]: 'x' } })), [422, 'invalid_value'], name);
      assert.deepEqual(codeOf(await fetch(run, at('/v1/x'), { headers: { a: 'x\r\nb: y' } })), [422, 'invalid_value']);
      assert.equal(there.got.length, 1);
      assert.equal(elsewhere.got.length, 0);
    });

    test('without the permission nothing is sent; admins send nothing at all', async () => {
      const run = await claimedRun(app());
      const refused = await fetch(run, at('/v1/x'));
      assert.deepEqual([codeOf(refused), field(refused.body, 'required_permission')], [[403, 'forbidden'], 'http_request']);
      const body = { method: 'GET', url: at('/v1/x') };
      assert.deepEqual(codeOf(await app().request({ method: 'POST', path: '/admin/api/http/fetch', body })), [403, 'forbidden']);
      assert.equal(there.got.length, 0);
    });

    test('redirects are followed inside http_allow alone, at most five, by the rules of fetch', async () => {
      const run = await open([allOf(there), allOf(elsewhere)]);
      there.decide(({ target }) => {
        const [, step = ''] = /^\/v1\/(\w+)$/.exec(target) ?? [];
        if (step === 'out') return { status: 302, headers: { location: 'http://127.0.0.1:1/v1/x' } };
        if (step === 'up') return { status: 302, headers: { location: '/v2/secret' } };
        if (step === 'loop') return { status: 302, headers: { location: '/v1/loop' } };
        if (step === 'other') return { status: 307, headers: { location: at('/v1/end', elsewhere) } };
        if (step === 'see') return { status: 303, headers: { location: '/v1/end' } };
        return { body: 'end' };
      });
      for (const path of ['/v1/out', '/v1/up', '/v1/loop']) {
        const answer = await fetch(run, at(path));
        assert.deepEqual(codeOf(answer), [403, 'http_not_allowed'], answer.text);
      }
      assert.equal(there.got.filter(({ target }) => target === '/v1/loop').length, 6);
      assert.equal(there.got.filter(({ target }) => target === '/v2/secret').length, 0);
      const headers = { authorization: 'Bearer x', 'x-api-key': 'k', accept: 'text/plain' };
      const moved = await send(run, at('/v1/other'), { body: 'b', headers });
      assert.equal(field(moved.body, 'url'), at('/v1/end', elsewhere), moved.text);
      const [got] = elsewhere.got;
      assert.deepEqual(
        [got?.method, got?.body, got?.headers.authorization, got?.headers['x-api-key'], got?.headers.accept],
        ['POST', 'b', undefined, undefined, 'text/plain'],
      );
      await send(run, at('/v1/see'), { body: 'b', headers });
      const last = there.got.at(-1);
      assert.deepEqual(
        [last?.method, last?.body, last?.headers.authorization, last?.headers['idempotency-key']],
        ['GET', '', 'Bearer x', undefined],
      );
    });

    test('a read that was answered is not sent again by the next attempt, a write neither', async () => {
      const run = await openAgainable();
      there.decide(() => ({ body: String(there.got.length) }));
      const first = [await fetch(run, at('/v1/x')), await send(run, at('/v1/x'))];
      const next = await again(run);
      const second = [await fetch(next, at('/v1/x')), await send(next, at('/v1/x'))];
      assert.deepEqual(
        second.map(({ text }) => text),
        first.map(({ text }) => text),
      );
      assert.equal(there.got.length, 2);
    });

    test('a write whose answer was lost is not sent again: the script is told, and the effects; with repeat it is', async () => {
      const run = await openAgainable();
      there.decide(() => 'cut');
      const lost = await send(run, at('/v1/x'), { body: 'once' });
      assert.deepEqual(codeOf(lost), [409, 'outcome_unknown'], lost.text);
      const next = await again(run);
      assert.equal((await send(next, at('/v1/x'), { body: 'once' })).text, lost.text, 'the next attempt is told the same');
      assert.equal(there.got.length, 1);
      const [effect] = await effectsOf(run);
      assert.deepEqual([effect?.changes['status'], effect?.maybe_twice], [[null, 'maybe'], false]);

      there.decide(() => (there.got.length === 2 ? 'cut' : { status: 202 }));
      const repeated = await send(next, at('/v1/x'), { body: 'twice', repeat: true });
      assert.equal(field(repeated.body, 'status'), 202, repeated.text);
      assert.equal(there.got.length, 3);
      assert.equal(there.got[1]?.headers['idempotency-key'], there.got[2]?.headers['idempotency-key']);
      assert.equal((await effectsOf(run)).at(-1)?.maybe_twice, true);
    });

    test('429, 503 and a read that got no answer are tried again, not before Retry-After and not for longer than the time allows', async () => {
      const run = await open();
      there.decide(() =>
        there.got.length === 1
          ? { status: 503 }
          : there.got.length === 2
            ? { status: 429, headers: { 'retry-after': '1' } }
            : { body: 'now' },
      );
      const began = performance.now();
      assert.equal(field((await send(run, at('/v1/busy'))).body, 'body'), 'now');
      assert.ok(performance.now() - began >= 1000, 'it waited as long as it was told');
      assert.equal(new Set(there.got.map(({ headers }) => headers['idempotency-key'])).size, 1);

      there.got.length = 0;
      there.decide(() => (there.got.length === 1 ? 'cut' : { body: 'now' }));
      assert.equal(field((await fetch(run, at('/v1/cut'))).body, 'body'), 'now');

      there.got.length = 0;
      there.decide(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
      assert.equal(field((await fetch(run, at('/v1/hour'))).body, 'status'), 429, 'the answer itself, where the wait is too long');
      assert.equal(there.got.length, 1);

      there.got.length = 0;
      there.decide(() => ({ status: 503 }));
      assert.equal(field((await fetch(run, at('/v1/never'))).body, 'status'), 503);
      assert.equal(there.got.length, 4);
    });

    test('what takes longer than timeout_ms is given up; where nobody listens, nothing was sent, and a later attempt sends it', async () => {
      const run = await openAgainable();
      there.decide(() => 'hang');
      assert.deepEqual(codeOf(await fetch(run, at('/v1/slow'), { timeout_ms: 300 })), [502, 'http_failed']);
      assert.deepEqual(codeOf(await send(run, at('/v1/slow'), { timeout_ms: 300 })), [409, 'outcome_unknown']);
      for (const timeout_ms of [0, 30_001]) assert.deepEqual(codeOf(await fetch(run, at('/v1/x'), { timeout_ms })), [422, 'out_of_range']);

      const closed = { origin: `http://127.0.0.1:${await freePort()}` };
      const values = { permissions: ['http_request' as const], http_allow: [allOf(closed)] };
      const other = await claimedRun(app(), {}, await makeTask(app(), values, { on_interrupt: 'resume' }));
      const unreached = await send(other, `${closed.origin}/v1/x`, { timeout_ms: 300 });
      assert.deepEqual(codeOf(unreached), [502, 'http_failed'], unreached.text);
      const later = await send(await again(other), `${closed.origin}/v1/x`, { timeout_ms: 300 });
      assert.deepEqual(codeOf(later), [502, 'http_failed'], later.text);
      assert.deepEqual(await effectsOf(other), []);
    });

    test('a dry run sends nothing: it is answered by the sample, or told that there is none', async () => {
      const run = await open([allOf(there)], { dry_run: true });
      const sample = { status: 201, headers: { 'X-One': 'a' }, body: { id: 7 } };
      const answer = await send(run, at('/v1/x'), { body: 'b', sample });
      assert.deepEqual(answer.body, {
        status: 201,
        headers: { 'x-one': 'a' },
        body: '{"id":7}',
        encoding: 'text',
        url: at('/v1/x'),
        dry_run: true,
      });
      assert.equal(field((await fetch(run, at('/v1/x'), { sample: {} })).body, 'status'), 200);
      for (const missing of [await send(run, at('/v1/y')), await fetch(run, at('/v1/y'))])
        assert.deepEqual(codeOf(missing), [422, 'sample_required']);
      assert.deepEqual(codeOf(await fetch(run, at('/v2/y'), { sample: {} })), [403, 'http_not_allowed'], 'as if it were sent');
      assert.equal(there.got.length, 0);
      assert.deepEqual(
        (await effectsOf(run)).map(({ path }) => path),
        ['/http/send'],
      );
    });

    test('a secret that the version does not declare is not sent as its name', async () => {
      const run = await open();
      const header = await send(run, at('/v1/x'), { headers: { authorization: placed('Bearer {{secret:key}}') } });
      const body = await send(run, at('/v1/x'), { body: placed('{{secret:key}}') });
      assert.deepEqual(
        [header, body].map((one) => field(one.body, 'code')),
        ['secret_not_declared', 'secret_not_declared'],
      );
      assert.equal(there.got.length, 0);
    });

    test('an address may have a secret in its path and query alone; what only looks like one is text', async () => {
      const run = await open();
      for (const url of [
        '{{secret:key}}',
        '{{secret:key}}/v1/x',
        `http://{{secret:key}}.example.com/v1/`,
        `http://{{secret:key}}:${there.port}/v1/x`,
        `http://127.0.0.1:{{secret:key}}/v1/x`,
        `${there.origin}{{secret:key}}/v1/x`,
      ]) {
        assert.match(codeOf(await fetch(run, placed(url))).join(' '), /^(422 invalid_value|403 http_not_allowed)$/, url);
      }
      assert.deepEqual(codeOf(await fetch(run, placed(at('/v1/{{secret:key}}')))), [403, 'secret_not_declared']);
      for (const wrong of [[{ secret: 'Key' }], [{ secret: 'key', more: 1 }], [{ base64: [{ base64: [] }] }], [7]])
        assert.equal((await send(run, at('/v1/x'), { body: wrong })).status, 422);
      assert.equal(there.got.length, 0);
      for (const path of ['/v1/x?key=%7B%7Bsecret:key%7D%7D', '/v1/%7b{secret%3Akey}}', '/v1/{{secret:key}', '/v1/{{secret:key}}'])
        assert.equal((await fetch(run, at(path))).status, 200, path);
    });

    test('a secret in an address is put in by the server; answer, effect and refusals show its name', async () => {
      await Promise.all([makeSecret('hook', 'T01/B02/x y?z'), makeSecret('step', '../v2'), makeSecret('escape', '%2e%2e/v2')]);
      const run = await open([allOf(there)], {}, ['hook', 'step', 'escape']);
      const answer = await send(run, placed(at('/v1/{{secret:hook}}/go?key={{secret:hook}}')));
      assert.equal(answer.status, 200, answer.text);
      assert.equal(there.got[0]?.target, '/v1/T01/B02/x%20y%3Fz/go?key=T01%2FB02%2Fx%20y%3Fz');
      assert.equal(field(answer.body, 'url'), at('/v1/{{secret:hook}}/go?key={{secret:hook}}'));
      assert.deepEqual((await effectsOf(run))[0]?.changes['request'], [null, `POST ${at('/v1/{{secret:hook}}/go')}`]);

      // Where it redirects to, and where that is too long to be shown whole, the value does not appear either.
      for (const [index, long] of ['', 'x'.repeat(490 - there.origin.length)].entries()) {
        there.decide(({ target }) => ({ status: 302, headers: { location: target.replace('/v1/', `/v2/${long}`) } }));
        const refused = await fetch(run, placed(at(`/v1/{{secret:hook}}?${index}`)));
        assert.deepEqual(codeOf(refused), [403, 'http_not_allowed'], refused.text);
        assert.doesNotMatch(refused.text, /T01/);
      }
      there.decide(({ target }) => (target.endsWith('/new') ? {} : { status: 302, headers: { location: `${target}/new` } }));
      const moved = await fetch(run, placed(at('/v1/{{secret:hook}}/old')));
      assert.equal(field(moved.body, 'url'), at('/v1/[secret:hook]/old/new'), moved.text);

      const before = there.got.length;
      for (const name of ['step', 'escape']) {
        const refused = await fetch(run, placed(at(`/v1/{{secret:${name}}}`)));
        assert.deepEqual(codeOf(refused), [403, 'http_not_allowed'], refused.text);
        assert.doesNotMatch(refused.text, /v2/);
      }
      const other = await open([allOf(there), allOf(elsewhere)], {}, ['hook']);
      assert.deepEqual(codeOf(await fetch(other, placed(at('/v1/{{secret:hook}}', elsewhere)))), [403, 'secret_host_not_allowed']);
      assert.deepEqual([there.got.length, elsewhere.got.length], [before, 0]);
    });

    test('a secret is put in by the server for its hosts alone, also on redirects, and never comes back in an answer', async () => {
      await makeSecret('out_key', 's3cr"et-value');
      const run = await open([allOf(there), allOf(elsewhere)], {}, ['out_key']);
      const headers = { authorization: placed('Bearer {{secret:out_key}}'), 'content-type': 'application/json' };
      there.decide(({ target, headers: got, body }) =>
        target === '/v1/away'
          ? { status: 307, headers: { location: at('/v1/x', elsewhere) } }
          : { headers: { 'x-echo': String(got.authorization) }, body },
      );
      const answer = await send(run, at('/v1/x'), { headers, body: placed('{"key":"{{secret:out_key}}"}') });
      assert.deepEqual([there.got[0]?.headers.authorization, there.got[0]?.body], ['Bearer s3cr"et-value', '{"key":"s3cr\\"et-value"}']);
      assert.equal(answer.status, 200, answer.text);
      assert.doesNotMatch(answer.text, /s3cr/);
      assert.equal(field(field(answer.body, 'headers'), 'x-echo'), 'Bearer [secret:out_key]');
      const other = await send(run, at('/v1/x', elsewhere), { headers });
      assert.equal(field(other.body, 'code'), 'secret_host_not_allowed', other.text);
      const away = await send(run, at('/v1/away'), { headers, body: placed('{"key":"{{secret:out_key}}"}') });
      assert.deepEqual(codeOf(away), [403, 'secret_host_not_allowed'], away.text);
      assert.equal(elsewhere.got.length, 0);
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true', LEASE_SECONDS: '600' } },
);
