import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Run } from '../../contract/runs.ts';
import { onBothStores, type RawAnswer } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { freePort } from '../helpers/ports.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, lapse, makeTask, passRetryDelay } from '../helpers/runs.ts';

/** What a script is told of calls that fail: each moves its clock, and is in the recording of its run. */
onBothStores(
  'failed calls',
  (app) => {
    let there: OtherSystem;
    let runner: InProcessRunner;
    /** Nobody listens there. */
    let closed: string;
    before(async () => {
      there = await openOtherSystem(await freePort());
      closed = `http://127.0.0.1:${await freePort()}`;
      runner = openInProcessRunner(app());
      await app().client.settings.update({ llm: { base_url: closed, model: 'small', api_key: 'k' }, task_mails_per_day: 0 });
    });
    after(async () => {
      await runner.close();
      await there.close();
    });
    type Settings = Parameters<typeof makeTask>[2];
    const make = (source: string, settings?: Settings): Promise<number> =>
      makeTask(
        app(),
        {
          source_code: source.replaceAll('$CLOSED', `${closed}/v1`).replaceAll('$URL', `${there.origin}/v1`),
          permissions: ['http_request', 'llm', 'mail_send', 'admin_api.customers.read'],
          http_allow: [`GET,POST ${there.origin}/v1/*`, `GET,POST ${closed}/v1/*`],
          mail_to: ['@example.com'],
        },
        settings,
      );
    async function record(taskId: number, body = {}): Promise<Run> {
      const { run_id } = await app().client.ai_tasks.start_run(taskId, { record: true, ...body });
      return runner.finish(taskId, run_id);
    }
    async function requireSameReplay(taskId: number, run: Run): Promise<void> {
      const { run_id } = await app().client.replays.start(taskId, run.id);
      const replay = await runner.finish(taskId, run_id);
      const report = await app().client.replays.get(taskId, run_id);
      assert.deepEqual(
        [report.identical, replay.status, replay.result, replay.error_message],
        [true, run.status, run.result, run.error_message],
        JSON.stringify(report),
      );
    }

    test('a loop that waits by its clock for another system comes to its end, and its replay goes the same way', async () => {
      const source = `export default async () => {
        const until = Date.now() + 100;
        let tries = 0;
        for (; Date.now() < until; tries += 1)
          await http.request({ method: tries % 2 ? 'POST' : 'GET', url: '$CLOSED/x' }).catch((error: any) => log(error.code, Date.now()));
        return tries > 0;
      };`;
      const taskId = await make(source, { limits: { host_calls: 300 } });
      const run = await record(taskId);
      assert.deepEqual([run.status, run.result, run.end_reason], ['success', true, 'completed'], run.log);
      await requireSameReplay(taskId, run);
    });

    test('a passing refusal before a long wait stays: the script gets it again when it goes on, and nothing is sent anew', async () => {
      let down = true;
      let reached = 0;
      there.decide(() => {
        if (down) return 'cut';
        reached += 1;
        return {};
      });
      const source = `export default async () => {
        const ask = () => http.request({ method: 'GET', url: '$URL/late' }).then(() => 'reached', (error: any) => error.code);
        const first = await ask();
        await sleep(1000);
        const second = await ask();
        await sleep(1000);
        return [first, second];
      };`;
      const taskId = await make(source);
      const { run_id } = await app().client.ai_tasks.start_run(taskId, { record: true });
      const rests = until('it waits', async () => (await app().client.ai_tasks.get_run(taskId, run_id)).waiting_reason === 'sleep');
      const [run] = await Promise.all([runner.finish(taskId, run_id), rests.then(() => (down = false))]);
      assert.deepEqual([run.status, run.result, reached], ['success', ['http_failed', 'reached'], 1], run.log);
      await requireSameReplay(taskId, run);
    });

    test('every error that a script can be told of is in the recording; those of calls that reached the server move the clock', async () => {
      there.decide(({ target }) => (target.endsWith('cut') ? 'cut' : target.endsWith('big') ? { body: Buffer.alloc(5 << 20, 'x') } : {}));
      const source = `export default async () => {
        const start = Date.now();
        const seen: any[] = [];
        const note = async (call: Promise<unknown>) => {
          const before = Date.now();
          const code = await call.then(() => 'answered', (error: any) => error.code ?? error.name);
          seen.push([code, Date.now() > before]);
          log(code, Date.now(), Math.random());
        };
        await note(http.request({ url: '$CLOSED/x' }));
        await note(http.request({ method: 'POST', url: '$CLOSED/x' }));
        await note(http.request({ method: 'POST', url: '$URL/cut' }));
        await note(http.request({ url: '$URL/big' }));
        await note(http.request({ url: 'https://elsewhere.example.com/' }));
        await note(http.request({ url: '$URL/x', headers: { a: secret('none') } }));
        await note(llm.complete({ messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 }));
        await note(mail({ to: 'a@example.com', subject: 's', text: 't' }));
        await note(admin_api.get('/customers?stauts=x'));
        await note(admin_api.get('/customers/999999999'));
        await note(admin_api.get('/orders'));
        await note(admin_api.get('/nothing'));
        await note(admin_api.put('/customers'));
        return seen;
      };`;
      const taskId = await make(source);
      const run = await record(taskId);
      const moved = [
        ...['http_failed', 'http_failed', 'outcome_unknown', 'http_answer_too_large', 'http_not_allowed', 'secret_not_declared'],
        ...['provider_error', 'daily_mail_limit_reached', 'unknown_parameter', 'not_found'],
      ].map((code) => [code, true]);
      const refusedBefore = ['forbidden', 'route_not_found', 'method_not_allowed'].map((code) => [code, false]);
      assert.deepEqual(run.result, [...moved, ...refusedBefore], run.error_message ?? '');
      await requireSameReplay(taskId, run);
    });

    test('a run that was told of a failure, and the one that resumes it and is not, are each replayed as they were', async () => {
      const source = `export default async () => {
        const told = await http.request({ url: '$URL/x' }).then(() => 'answered', (error: any) => error.code);
        log(told);
        await once('n', () => 1);
        return told;
      };`;
      const taskId = await make(source);
      there.decide(() => 'cut');
      const { run_id } = await app().client.ai_tasks.start_run(taskId, { record: true });
      const first = await runner.finish(taskId, run_id, (message) => message.type === 'call' && message.operation === 'once');
      assert.deepEqual([first.end_reason, linesOf(first)], ['lost_worker', ['http_failed']]);
      there.decide(() => ({}));
      const second = await record(taskId, { resume_run_id: run_id, record: undefined });
      assert.equal(second.result, 'answered');
      await requireSameReplay(taskId, second);
      const { run_id: replayId } = await app().client.replays.start(taskId, run_id);
      const replay = await runner.finish(taskId, replayId);
      const report = await app().client.replays.get(taskId, replayId);
      assert.deepEqual([linesOf(replay), report.log.identical, report.calls.missing, report.calls.added], [['http_failed'], true, 0, 0]);
    });

    test('a failure from which a lost attempt had gone on is told again, and its replay is the same', async () => {
      const source = `export default async () => {
        let tries = 0;
        while ((await http.request({ url: '$URL/x' }).catch((error: any) => error.code)) === 'http_failed') tries += 1;
        const before = Date.now();
        await http.request({ method: 'POST', url: '$URL/done', body: { tries } });
        await once('n', () => 1);
        return [tries, Date.now() > before];
      };`;
      const taskId = await make(source, { on_interrupt: 'resume', max_attempts: 2 });
      there.got.length = 0;
      there.decide(() => 'cut');
      const { run_id } = await app().client.ai_tasks.start_run(taskId, { record: true });
      let [calls, ends] = [0, 0];
      const done = await runner.finish(taskId, run_id, (message) => {
        if (message.type !== 'call') return false;
        if (++calls === 3) there.decide(() => ({}));
        return message.operation === 'once' && ++ends === 1;
      });
      assert.deepEqual([done.status, done.attempt, done.result], ['success', 2, [2, true]], done.error_message ?? '');
      assert.deepEqual(
        there.got.flatMap(({ method, body }) => (method === 'POST' ? [body] : [])),
        ['{"tries":2}'],
      );
      await requireSameReplay(taskId, done);
    });

    test('a script that was told of a failure and ended with an error makes the call anew in its next attempt', async () => {
      const source = `export default async () => {
        const code = await http.request({ url: '$URL/x' }).then(() => null, (error: any) => error.code);
        if (code === null) return 'answered';
        await http.request({ method: 'POST', url: '$URL/told' });
        throw new Error(code);
      };`;
      const taskId = await make(source, { retry: { attempts: 2, first_ms: 60_000 } });
      there.decide(({ method }) => (method === 'GET' ? 'cut' : {}));
      const { run_id } = await app().client.ai_tasks.start_run(taskId, { record: true });
      const finished = runner.finish(taskId, run_id);
      await until('the run waits for its second attempt', async () => (await app().client.ai_tasks.get_run(taskId, run_id)).attempt === 2);
      there.decide(() => ({}));
      await passRetryDelay(app(), { runId: run_id });
      const done = await finished;
      assert.deepEqual([done.attempt, done.result], [2, 'answered'], done.error_message ?? '');
    });

    const linesOf = ({ log }: Run): string[] => log.split('\n').flatMap((line) => /^\{"kind":"log","line":"(\w+)"/.exec(line)?.[1] ?? []);
    const timeOf = ({ headers }: RawAnswer) => headers['backroom-time'];
    async function callsOf(run: ClaimedRun): Promise<unknown> {
      const counted = app().store.reader.selectFrom('lineages').select(['host_calls', 'writes']);
      return counted.where('id', '=', run.claim.lineage_id).executeTakeFirst();
    }

    test('the repeated request gets the same answer; it is one host call and no write; a later attempt asks again', async () => {
      const run = await claimedRun(app(), { record: true }, await make('log(1)', { on_interrupt: 'resume' }));
      const send = (one: ClaimedRun) => one.call('POST', '/http/send', { method: 'POST', url: `${there.origin}/v1/x` });
      await there.close();
      const first = await send(run);
      assert.deepEqual(codeOf(first), [502, 'http_failed'], first.text);
      assert.match(String(timeOf(first)), /^2\d{3}-/);
      const repeated = await send(run);
      assert.deepEqual([repeated.text, timeOf(repeated)], [first.text, timeOf(first)]);
      assert.deepEqual(await callsOf(run), { host_calls: 1, writes: 0 });
      there = await openOtherSystem(there.port);
      await lapse(app(), run);
      const next = { ...run, ...(await claimRun(app(), run)) };
      assert.equal((await send(next)).status, 200);
      assert.deepEqual(await callsOf(run), { host_calls: 2, writes: 1 });
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } },
);
