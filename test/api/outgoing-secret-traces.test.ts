import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../../contract/run-events.ts';
import { onBothStores } from '../helpers/app.ts';
import { tablesNaming } from '../helpers/dump.ts';
import { type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { placed } from '../helpers/placed.ts';
import { type ClaimedRun, claimedRun, claimRun, lapse, makeTask } from '../helpers/runs.ts';

/** What the server logged. */
const lines: string[] = [];

/** What is left in the database and the log of secrets that runs sent. */
onBothStores(
  'traces of secrets in outgoing requests',
  (app) => {
    let there: OtherSystem;
    before(async () => {
      there = await openOtherSystem();
    });
    after(() => there.close());

    const ask = (run: ClaimedRun, endpoint: 'fetch' | 'send', url: Json, body: Record<string, Json>) =>
      run.call('POST', `/http/${endpoint}`, { method: endpoint === 'fetch' ? 'GET' : 'POST', url, ...body });
    const at = (path: string): string => `${there.origin}${path}`;

    test('a secret that runs have sent is in no table and no line of the log, whatever became of the runs', async () => {
      const value = 'zw3iund;zwanzig/geheim?"x"';
      await app().client.task_secrets.create({ name: 'scanned_key', value, hosts: [`127.0.0.1:${there.port}`] });
      const values = { permissions: ['http_request' as const], http_allow: [`GET,POST ${there.origin}/v1/*`], secrets: ['scanned_key'] };
      const taskId = await makeTask(app(), values, { on_interrupt: 'resume' });
      const headers = { authorization: placed('Bearer {{secret:scanned_key}}'), 'content-type': 'application/json' };
      const body = placed('{"key":"{{secret:scanned_key}}"}');
      const everywhere = async (run: ClaimedRun) => {
        for (const path of [
          '/v1/x',
          '/v1/x?key={{secret:scanned_key}}',
          '/v1/{{secret:scanned_key}}',
          '/v2/not-allowed?key={{secret:scanned_key}}',
        ]) {
          await ask(run, 'fetch', placed(at(path)), { headers });
          await ask(run, 'send', placed(at(path)), { headers, body });
        }
      };
      for (const { dry_run, record } of [{}, { record: true }, { dry_run: true }] as { dry_run?: boolean; record?: boolean }[]) {
        there.decide(({ target, headers: got, body: sent }) => ({
          headers: { 'x-echo': String(got.authorization) },
          body: `${target} ${sent}`,
        }));
        const run = await claimedRun(app(), { ...(dry_run ? { dry_run } : {}), ...(record ? { record } : {}) }, taskId);
        await everywhere(run);
        there.decide(() => 'cut');
        await ask(run, 'send', at('/v1/cut'), { headers, body });
        await lapse(app(), run);
        const next = { ...run, ...(await claimRun(app(), run)) };
        await everywhere(next);
        await next.report([{ kind: 'finalize', status: 'failed', end_reason: 'script_error', error_message: 'it broke' }]);
      }
      const bytes = Buffer.from(value);
      const texts = [
        value,
        JSON.stringify(value).slice(1, -1),
        encodeURIComponent(value),
        'zwanzig',
        bytes.toString('hex'),
        bytes.toString('base64'),
      ];
      assert.ok(
        there.got.some(({ headers: got }) => got.authorization === `Bearer ${value}`),
        'the other system got it',
      );
      assert.deepEqual(await tablesNaming(app().store, texts), {});
      assert.ok(lines.length > 50);
      assert.deepEqual(
        lines.filter((line) => texts.some((text) => line.includes(text))),
        [],
      );
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true', LEASE_SECONDS: '600' }, log: (line) => void lines.push(line) },
);
