import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { onBothStores, startApp } from '../helpers/app.ts';
import { hooks, macOf, stripeSignature } from '../helpers/hooks.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimRun, codeOf, emptyQueue, makeTask } from '../helpers/runs.ts';

const SECRET = 'signing-secret-of-the-tests';
const BODY = '{"ref":"refs/heads/main"}';
const HEX = macOf(SECRET, BODY);

onBothStores('signatures of calls', (app) => {
  const { make, call, runsOf, runOf, rejections } = hooks(app);

  test('GitHub: the documented example is accepted, and any other signature is 401 with a line in the log', async () => {
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries, "Testing the webhook payload validation"
    const documented = await make({ parameter: null, verify: { preset: 'github', secret: "It's a Secret to Everybody" } });
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    assert.equal((await call(documented.address, 'Hello, World!', { 'x-hub-signature-256': signature })).status, 202);
    const hook = await make({ verify: { preset: 'github', secret: SECRET }, idempotency_header: 'X-GitHub-Delivery' });
    const wrong: (string | undefined)[] = [
      undefined,
      '',
      HEX,
      `sha1=${HEX}`,
      'sha256=',
      `sha256=${HEX.slice(2)}`,
      `sha256=${HEX}00`,
      `sha256=${HEX.slice(0, -2)}zz`,
      `sha256=${macOf('another secret', BODY)}`,
      `sha256=${macOf(SECRET, `${BODY} `)}`,
      `sha256=${macOf(SECRET, BODY, { encoding: 'base64' })}`,
    ];
    for (const [index, one] of wrong.entries()) {
      const answer = await call(hook.address, BODY, one === undefined ? {} : { 'x-hub-signature-256': one });
      assert.deepEqual(codeOf(answer), [401, 'hook_signature_invalid'], `${one}`);
      const [latest, ...earlier] = await rejections(hook);
      assert.equal(earlier.length, index);
      assert.deepEqual([latest?.action, latest?.status], ['hook.rejected', 'rejected']);
    }
    const told = JSON.stringify(await rejections(hook));
    assert.ok(!told.includes('refs/heads') && !told.includes(SECRET) && !told.includes(hook.address.split('/')[3] ?? ''));
    assert.deepEqual(await runsOf(hook), []);
    assert.equal((await call(hook.address, BODY, { 'x-hub-signature-256': `sha256=${HEX.toUpperCase()}` })).status, 202);
  });

  test('Shopify: base64 over the bytes as they came, before anything is parsed', async () => {
    const hook = await make({ verify: { preset: 'shopify', secret: SECRET } });
    const raw = Buffer.from('{ "note":"\\u00e9é",\n"a":1.0 }');
    const header = { 'x-shopify-hmac-sha256': macOf(SECRET, raw.toString(), { encoding: 'base64' }), 'x-shopify-topic': 'orders/create' };
    const runId = runOf(await call(hook.address, raw, header));
    const { parameters } = await app().client.ai_tasks.get_run(hook.taskId, runId);
    assert.deepEqual(JSON.parse(parameters).payload.body, { note: 'éé', a: 1 });
    assert.equal(JSON.parse(parameters).payload.headers['x-shopify-topic'], 'orders/create');
    assert.ok(!parameters.includes(header['x-shopify-hmac-sha256']), 'a script is not told the signature');
    assert.deepEqual(codeOf(await call(hook.address, '{"note":"éé","a":1}', header)), [401, 'hook_signature_invalid']);
    const notJson = { 'x-shopify-hmac-sha256': macOf(SECRET, '{', { encoding: 'base64' }) };
    assert.deepEqual(codeOf(await call(hook.address, '{', notJson)), [400, 'malformed_json'], 'a genuine body that is not JSON');
    assert.deepEqual(codeOf(await call(hook.address, '{')), [401, 'hook_signature_invalid'], 'the signature is checked first');
  });

  test('Stripe: an old, future or changed time is refused, one of several signatures is enough, and a repeated call opens no run', async () => {
    const hook = await make({ verify: { preset: 'stripe', secret: SECRET, tolerance_seconds: 120 } });
    const send = (signature: string) => call(hook.address, BODY, { 'stripe-signature': signature });
    const at = (seconds: number) => stripeSignature(SECRET, BODY, Date.now() + seconds * 1000);
    const valid = at(0);
    const [time = '', v1 = ''] = valid.split(',');
    const wrong = [
      at(-180),
      at(180),
      v1,
      time,
      `t=,${v1}`,
      `t=${'9'.repeat(20)},${v1}`,
      valid.replace('v1=', 'v0='),
      `t=${Number(time.slice(2)) - 1},${v1}`,
      stripeSignature('another secret', BODY),
    ];
    for (const one of wrong) assert.deepEqual(codeOf(await send(one)), [401, 'hook_signature_invalid'], one);
    assert.deepEqual(await runsOf(hook), []);
    const runId = runOf(await send(`${time},v0=00,v1=${macOf('old secret', BODY)},${v1}`));
    assert.equal(runOf(await send(valid)), runId);
    assert.equal(runOf(await send(at(-60))), runId, 'Stripe signs each attempt anew');
    assert.equal((await runsOf(hook)).length, 1);
  });

  test('an unsigned call is refused before its body; large, slow and too many bodies are refused too', async () => {
    const hook = await make({ verify: { preset: 'github', secret: SECRET } });
    const { port, hostname } = new URL(app().url);
    const sockets: Socket[] = [];
    /** Announces a body and never sends it; answers the status. */
    const begin = (headers: string): Promise<string> => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write(`POST ${hook.address} HTTP/1.1\r\nHost: shop\r\nContent-Length: 1000\r\n${headers}\r\n`);
      return new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString('latin1').slice(9, 12))));
    };
    assert.equal(await begin(''), '401');
    const answers = Array.from({ length: 40 }, () => begin('X-Hub-Signature-256: sha256=00\r\n'));
    assert.equal(await Promise.race(answers), '503');
    for (const socket of sockets) socket.destroy();
    const signed = { 'x-hub-signature-256': `sha256=${HEX}` };
    await until('they are let go of', async () => (await call(hook.address, BODY, signed)).status === 202);
    assert.deepEqual(codeOf(await call(hook.address, Buffer.alloc(1024 * 1024 + 1), signed)), [413, 'body_too_large']);
  });

  test('a call that waits gets the result of its run, of a failed one its status, and 202 if the run takes longer', async () => {
    const hook = await make({ wait: true, idempotency_header: 'X-Id' });
    const end = async (raw: string, event: object) => {
      await emptyQueue(app());
      const answer = call(hook.address, raw, { 'x-id': raw });
      const run = await until('the run is open', async () => (await runsOf(hook)).find(({ status }) => status === 'running'));
      const at = { taskId: hook.taskId, runId: run.id, path: `/admin/api/ai-tasks/${hook.taskId}/runs/${run.id}` };
      const side = await claimRun(app(), at);
      assert.equal((await side.report([{ kind: 'finalize', ...event }])).status, 204);
      return answer;
    };
    const done = await end('{"n":1}', { status: 'success', result: { total: 7 } });
    assert.deepEqual([done.status, done.body], [200, { run_id: runOf(done), status: 'success', result: { total: 7 } }]);
    assert.deepEqual((await call(hook.address, '{"n":1}', { 'x-id': '{"n":1}' })).body, done.body, 'a repeated call gets the same result');
    const failed = await end('{"n":2}', { status: 'failed', error: 'It says what customers are called.' });
    assert.deepEqual([failed.status, failed.body], [200, { run_id: runOf(failed), status: 'failed', result: null }]);
    const impatient = await call(hook.address, '{"n":3}', { prefer: 'respond-async, wait=0' });
    assert.deepEqual([impatient.status, impatient.body], [202, { run_id: runOf(impatient) }]);
  });

  test('a result is not given to a call whose admin may not read what the run could', async () => {
    const taskId = await makeTask(app(), { parameters: [{ name: 'payload', kind: 'json' }], permissions: ['admin_api.customers.read'] });
    const staff = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.read'] });
    const client = app().clientFor(staff.token);
    const refusal = await refused(client.ai_tasks.create_hook(taskId, { name: 'x', wait: true }), 403, 'forbidden');
    assert.match(refusal.detail, /admin_api\.customers\.read/);
    const own = await make({ wait: false }, taskId, client);
    const answer = await call(own.address, BODY);
    assert.deepEqual([answer.status, Object.keys(Object(answer.body))], [202, ['run_id']]);
    const parameters = [{ name: 'payload', kind: 'json' }];
    await app().client.ai_tasks.create_version(taskId, { source_code: 'log(1);', permissions: [], parameters });
    const waits = await make({ wait: true, idempotency_header: 'X-Id' }, taskId, client);
    // A later version may read more than the version for which the hook was saved.
    await app().client.ai_tasks.create_version(taskId, { source_code: 'log(2);', permissions: ['admin_api.customers.read'], parameters });
    await emptyQueue(app());
    const first = await call(waits.address, BODY, { prefer: 'wait=0', 'x-id': 'one' });
    const side = await claimRun(app(), { taskId, runId: runOf(first), path: `/admin/api/ai-tasks/${taskId}/runs/${runOf(first)}` });
    await side.report([{ kind: 'finalize', status: 'success', result: { name: 'a customer' } }]);
    const withheld = await call(waits.address, BODY, { 'x-id': 'one' });
    assert.deepEqual([withheld.status, withheld.body], [202, { run_id: runOf(first) }]);
    assert.deepEqual((await app().client.ai_tasks.get_run(taskId, runOf(first))).result, { name: 'a customer' });
  });
});

test('neither address nor body of a call is in the log of the server', async () => {
  const lines: string[] = [];
  const app = await startApp('sqlite', { log: (line) => void lines.push(line) });
  after(() => app.close());
  const { make, call } = hooks(() => app);
  const hook = await make({ verify: { preset: 'github', secret: SECRET } });
  await call(hook.address, BODY);
  await call(hook.address, BODY, { 'x-hub-signature-256': `sha256=${HEX}` });
  await app.request({ path: hook.address, token: null });
  const text = lines.join('\n');
  assert.match(text, /"path":"\/hooks\/…","endpoint":"hooks\.call","status":202/);
  for (const secret of [hook.address.split('/')[3] ?? '', SECRET, 'refs/heads', HEX]) assert.ok(!text.includes(secret), secret);
});
