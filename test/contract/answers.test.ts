import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isWrite } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { checkByDocument, checkerOf, type SeenAnswer } from '../helpers/document-check.ts';
import { chooseSeed, seeded } from '../helpers/seeded.ts';
import { requestOf, takeAim } from '../torture/bad-input/endpoints.ts';
import { openTarget, type Target } from '../torture/bad-input/shop.ts';
import { useOwnLinks, useOwnRecords, useOwnRuns, useOwnVersions } from './own-records.ts';
import { type SingleReads, singleReads } from './single-reads.ts';

/** Calls every endpoint with the records of a shop, and checks each answer against the OpenAPI document that the server serves. */

/** A stream that does not end, and endpoints that need many steps before they succeed, which have tests of their own. Those that need one record are in own-records.ts. */
const toldElsewhere: readonly string[] = [
  ...['admins.revoke_session'],
  // Without a model there are no threads.
  ...['create_thread', 'delete_thread', 'events', 'get_thread', 'retry', 'send_message', 'stop'].map((name) => `assistant.${name}`),
  ...['changes.stream', 'http.fetch', 'http.send', 'llm.complete', 'mails.send', 'me.allow_agent'],
  ...['me.create_passkey_code', 'me.create_recovery_codes', 'me.delete_passkey', 'me.deny_agent', 'me.get_agent_request'],
  ...['me.passkey_challenge', 'me.revoke_session', 'me.update_passkey'],
  ...['create', 'options', 'recover'].map((name) => `passkeys.${name}`),
  ...['proposals.apply', 'proposals.withdraw', 'replays.get', 'replays.get_recording', 'replays.start'],
  ...['runner.await_run', 'runner.list_answers', 'runner.wait'],
  ...['create', 'end', 'renew'].map((name) => `session.${name}`),
  ...['task_runs.signal', 'task_runs.start'],
];

let target: Target;
let reads: SingleReads;
const seed = chooseSeed();
const read = new Map<string, Set<number>>();
const wrong: string[] = [];
before(async () => {
  target = await openTarget('', undefined);
  const { send } = target;
  reads = singleReads(send);
  const check = checkerOf((await send({ method: 'GET', path: '/openapi.json' })).text);
  target.send = async (request) => {
    const answer = await send(request);
    const { id, fault } = check({ ...request, ...answer });
    if (fault !== null) wrong.push(`${request.method} ${request.path}: ${fault}`);
    if (id !== null) read.set(id, (read.get(id) ?? new Set()).add(answer.status));
    return answer;
  };
  target.sendChecked = (_, request) => target.send(request);
  const aims = await takeAim(target);
  const checked = target.send;
  target.send = async (request) => {
    await reads.names(request);
    const answer = await checked(request);
    await reads.sees(request, answer);
    return answer;
  };
  const { next } = seeded(seed);
  const writes = aims.filter(({ endpoint, accepted }) => isWrite(endpoint) && accepted && !endpoint.multipart);
  for (const [, aim] of writes.map((one) => [next(), one] as const).sort(([a], [b]) => a - b)) await target.send(requestOf(aim));
  await useOwnRecords(target);
  await useOwnLinks(target);
  await useOwnRuns(target);
  await useOwnVersions(target);
  for (const aim of aims.filter(({ endpoint }) => endpoint.method === 'DELETE')) await target.send(requestOf(aim));
});
after(() => target.close());

test('every answer, success or refusal, matches the document and has no field that the document does not name', () => {
  assert.deepEqual([...new Set(wrong)].slice(0, 20), []);
});

test('every endpoint gave its success answer as documented', () => {
  const isGood = (id: string) => [...(read.get(id) ?? [])].some((status) => status < 300);
  assert.deepEqual(
    endpointList
      .map(({ id }) => id)
      .filter((id) => !isGood(id))
      .sort(),
    toldElsewhere,
  );
});

test('ET1, ET4: no record has two different bodies with one ETag, whatever was written, and a write returns the ETag of the next read', () => {
  assert.deepEqual(reads.faults, [], `SEED=${seed}`);
  assert.ok(reads.changed.size > 0, 'at least one record must have changed');
});

test('the check finds an answer with a missing, additional or wrongly typed field or header', () => {
  const good: SeenAnswer = {
    method: 'PATCH',
    path: '/admin/api/orders/1/internal-status',
    status: 200,
    headers: { 'x-request-id': 'x', 'api-version': '2026-01-01', 'content-type': 'application/json', etag: '"order-1-2"' },
    text: '{"id":1,"internal_status_id":null}',
  };
  const faultOf = (change: Partial<SeenAnswer>) => checkByDocument({ ...good, ...change }).fault;
  assert.equal(faultOf({}), null);
  const { 'api-version': _, ...fewer } = good.headers;
  for (const bad of [
    { text: '{"id":1}' },
    { text: '{"id":"1","internal_status_id":null}' },
    { text: '{"id":1,"internal_status_id":null,"more":1}' },
    { headers: fewer },
    { headers: { ...good.headers, location: '/admin/api/orders/1' } },
    { headers: { ...good.headers, etag: 'order-1-2' } },
    { headers: { ...good.headers, 'content-type': 'text/html' } },
    { status: 201 },
    { path: '/admin/api/nothing/1' },
  ])
    assert.notEqual(faultOf(bad), null, JSON.stringify(bad));
});
