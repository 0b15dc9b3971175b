import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Json } from '../../contract/run-events.ts';
import { onBothStores } from '../helpers/app.ts';
import { type OtherSystem, openOtherSystem, type Reply } from '../helpers/other-system.ts';
import { freePort } from '../helpers/ports.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, lapse, makeTask, openRun, passRetryDelay } from '../helpers/runs.ts';

/** A request that has left is a write that happened or may have, whatever the call was answered. */
onBothStores(
  'writes that were sent',
  (app) => {
    let there: OtherSystem;
    before(async () => {
      there = await openOtherSystem();
    });
    after(() => there.close());
    beforeEach(() => {
      there.got.length = 0;
      there.decide(() => ({}));
    });

    /** What the other system does after it got the request, and how the call is refused then. */
    const refused: [code: string, reply: Reply, status: number][] = [
      ['outcome_unknown', 'cut', 409],
      ['http_answer_too_large', { body: Buffer.alloc(5 * 1024 * 1024, 'x') }, 409],
      ['http_not_allowed', { status: 307, headers: { location: 'https://elsewhere.example.com/' } }, 403],
    ];
    const at = (path: string): string => `${there.origin}/v1/${path}`;
    type Settings = Parameters<typeof makeTask>[2];
    async function open(settings: Settings = { on_interrupt: 'resume' }): Promise<ClaimedRun> {
      const values = { permissions: ['http_request' as const], http_allow: [`GET,POST ${there.origin}/v1/*`] };
      return claimedRun(app(), {}, await makeTask(app(), values, settings));
    }
    const send = (run: ClaimedRun, path: string, body: Record<string, Json> = {}, options = {}) =>
      run.call('POST', '/http/send', { method: 'POST', url: at(path), ...body }, options);
    async function again(run: ClaimedRun): Promise<ClaimedRun> {
      await lapse(app(), run);
      return { ...run, ...(await claimRun(app(), run)) };
    }
    async function told(run: Pick<ClaimedRun, 'taskId' | 'runId'>): Promise<unknown[]> {
      const effects = await app().client.ai_tasks.list_effects(run.taskId, run.runId);
      return effects.map(({ resource, changes, maybe_twice }) => [resource.type, changes['status']?.[1], maybe_twice]);
    }
    const checkpoint = (run: ClaimedRun, state: Json) => run.report([{ kind: 'checkpoint', state, epoch: run.claim.epoch }]);
    /** Sends a request that the other system gets and does not answer; resolves when it has it. */
    async function leaveUnanswered(run: ClaimedRun, path: string, body = {}): Promise<{ ended: ReturnType<typeof send> }> {
      const arrived = Promise.withResolvers<void>();
      there.decide(() => {
        arrived.resolve();
        return 'hang';
      });
      const ended = send(run, path, body);
      await arrived.promise;
      return { ended };
    }

    for (const [code, reply, status] of refused) {
      test(`${code}: the resumed script is told the same, also where it stores its checkpoint again; the effects say "maybe"`, async () => {
        const first = await open();
        assert.equal((await checkpoint(first, { i: 1 })).status, 204);
        const run = await again(first);
        there.decide(() => reply);
        const lost = await send(run, 'x', { body: 'once' });
        assert.deepEqual(codeOf(lost), [status, code], lost.text);
        const next = await again(run);
        const repeated = await checkpoint(next, { i: 1 });
        assert.deepEqual([repeated.status, repeated.headers['backroom-epoch']], [204, '1'], 'the checkpoint that it resumed from');
        assert.equal((await send(next, 'x', { body: 'once' })).text, lost.text);
        assert.equal(there.got.length, 1);
        assert.deepEqual(await told(run), [['http_request', 'maybe', false]]);
      });

      test(`${code}: another body, or another checkpoint, is another way`, async () => {
        const run = await open();
        there.decide(() => reply);
        assert.deepEqual(codeOf(await send(run, 'x', { body: 'once' })), [status, code]);
        const next = await again(run);
        assert.deepEqual(codeOf(await send(next, 'x', { body: 'other' })), [409, 'resume_mismatch']);
        assert.deepEqual(codeOf(await checkpoint(next, { i: 2 })), [409, 'resume_mismatch']);
        assert.equal(there.got.length, 1);
      });

      test(`${code}: a retry does not send it again, and it counts towards the limit of writes`, async () => {
        const run = await open({ retry: { attempts: 3 }, limits: { writes: 1 } });
        there.decide(() => reply);
        const lost = await send(run, 'x', { body: 'once' });
        assert.deepEqual(codeOf(lost), [status, code], lost.text);
        const end = { kind: 'finalize', status: 'failed', end_reason: 'script_error', error_message: 'it threw' };
        assert.equal((await run.report([end])).status, 204);
        await passRetryDelay(app(), run);
        const next = { ...run, ...(await claimRun(app(), run)) };
        assert.equal((await send(next, 'x', { body: 'once' })).text, lost.text);
        assert.deepEqual(codeOf(await send(next, 'x', { body: 'once' }, { occurrence: 1 })), [409, 'budget_spent']);
        assert.equal(there.got.length, 1);
        assert.deepEqual(await told(run), [['http_request', 'maybe', false]]);
      });
    }

    test('a write in flight is "started"; once its run has ended it is "maybe", whatever ended it', async () => {
      const ends: [string, Settings, (run: ClaimedRun) => Promise<unknown>][] = [
        ['cancelled', {}, (run) => app().client.ai_tasks.cancel_run(run.taskId, run.runId)],
        ['timed_out', {}, (run) => run.report([{ kind: 'finalize', status: 'timed_out', end_reason: 'wall', error_message: 'too long' }])],
        ['interrupted', {}, (run) => lapse(app(), run)],
        ['running', { on_interrupt: 'resume' }, (run) => lapse(app(), run)],
      ];
      const audited = async () => (await app().client.audit_log.list({ resource_type: 'http_request' })).data;
      const before = (await audited()).length;
      for (const [status, settings, end] of ends) {
        const run = await open(settings);
        const { ended } = await leaveUnanswered(run, status);
        assert.deepEqual(await told(run), [['http_request', 'started', false]], status);
        await end(run);
        const { status: is } = await app().client.ai_tasks.get_run(run.taskId, run.runId);
        assert.deepEqual([is, await told(run)], [status, [['http_request', 'maybe', false]]]);
        await ended;
        assert.deepEqual(await told(run), [['http_request', 'maybe', false]], status);
      }
      assert.equal((await audited()).length, before + ends.length, 'the audit log has each once');
      assert.deepEqual(new Set((await audited()).map(({ changes }) => changes['status']?.[1])), new Set(['maybe']));
    });

    test('repeat: a run that goes on sends it again, with the same key and one effect that may have happened twice', async () => {
      const run = await open();
      const body = { body: 'twice', repeat: true };
      const { ended } = await leaveUnanswered(run, 'x', body);
      await lapse(app(), run);
      await ended;
      there.decide(() => ({ status: 202 }));
      const next = { ...run, ...(await claimRun(app(), run)) };
      assert.equal((await send(next, 'x', body)).status, 200);
      assert.deepEqual(await told(run), [['http_request', 202, true]]);
      assert.equal(new Set(there.got.map(({ headers }) => headers['idempotency-key'])).size, 1);
    });

    test('repeat: a run that resumes another has an effect of its own, and the first one stays "maybe"', async () => {
      const run = await open({});
      const body = { body: 'twice', repeat: true };
      const { ended } = await leaveUnanswered(run, 'x', body);
      await lapse(app(), run);
      await ended;
      there.decide(() => ({ status: 202 }));
      const opened = await openRun(app(), { resume_run_id: run.runId, priority: 1000 }, run.taskId);
      const next = { ...opened, ...(await claimRun(app(), opened)) };
      assert.equal((await send(next, 'x', body)).status, 200);
      assert.deepEqual([await told(run), await told(next)], [[['http_request', 'maybe', false]], [['http_request', 202, true]]]);
    });

    test('repeat: where no try is answered, it may have happened twice', async () => {
      const run = await open();
      there.decide(() => 'cut');
      assert.deepEqual(codeOf(await send(run, 'x', { repeat: true })), [409, 'outcome_unknown']);
      assert.equal(there.got.length, 4);
      assert.deepEqual(await told(run), [['http_request', 'maybe', true]]);
    });

    test('what was not sent leaves no effect and is no write', async () => {
      const closed = { origin: `http://127.0.0.1:${await freePort()}` };
      const values = { permissions: ['http_request' as const], http_allow: [`POST ${closed.origin}/v1/*`, `POST ${there.origin}/v1/*`] };
      const run = await claimedRun(app(), {}, await makeTask(app(), values, { limits: { writes: 1 } }));
      const unreached = await run.call('POST', '/http/send', { method: 'POST', url: `${closed.origin}/v1/x`, timeout_ms: 300 });
      assert.deepEqual(codeOf(unreached), [502, 'http_failed'], unreached.text);
      assert.deepEqual(await told(run), []);
      assert.equal((await send(run, 'x')).status, 200);
      assert.deepEqual(await told(run), [['http_request', 200, false]]);
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true', LEASE_SECONDS: '600' } },
);
