import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '../../contract/run-events.ts';
import type { Run } from '../../contract/runs.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { makeOrder } from '../helpers/builders.ts';
import { EASYPOST_KEY, type EasypostDouble, type Fate, openEasypostDouble, passAll } from '../helpers/easypost.ts';
import { passAll as passAllRequests } from '../helpers/fault-proxy.ts';
import { hello, LLM_KEY, type LlmDouble, openLlmDouble } from '../helpers/llm-double.ts';
import { ended, type Machines, startMachines, until } from '../helpers/machines.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

/**
 * Runs in the real sandbox buy a label each and ask the language model. SIGKILL ends the server meanwhile, alone or with the runner.
 * The courier's own ledger has each purchase once, and the scripts notice nothing.
 */
describe('JO9: a server that is killed during calls of runs to other systems', {
  concurrency: true,
  timeout: 480_000,
}, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, { concurrency: 1 }, () => suite(engine));
});

const points = ['not asked yet', 'selling', 'stored'] as const;
type Point = (typeof points)[number];
type Going = { taskId: number; runId: number };
type Purchase = Going & { orderId: number; shipmentId: number; reference: string | null };

const BUY = `export default async () => {
  const { order, shipment } = parameters as { order: number; shipment: number };
  const bought = await admin.orders.buy_label(order, shipment, { courier_id: 'usps-priority', courier_name: '' });
  return [bought.status, bought.tracking_number];
};`;
const ASK = `export default async () => {
  const first = await llm.complete({ messages: [{ role: 'user', content: 'One?' }], max_tokens: 10 });
  const second = await llm.complete({ messages: [{ role: 'user', content: 'Two?' }], max_tokens: 10 });
  return [first.text, second.text];
};`;

function suite(engine: Engine): void {
  let machines: Machines;
  let easypost: EasypostDouble;
  let llm: LlmDouble;

  before(async () => {
    easypost = await openEasypostDouble();
    llm = await openLlmDouble();
    machines = await startMachines(engine, {
      EASYPOST_API_KEY: EASYPOST_KEY,
      EASYPOST_API_BASE: easypost.url,
      COURIER_TIMEOUT_SECONDS: '5',
      LEASE_SECONDS: '4',
    });
    const sender = { name: 'The Shop', line1: '1 Harbour Road', city: 'Graz', postal_code: '8010', country: 'AT' };
    const model = { base_url: llm.url, model: 'small', api_key: LLM_KEY };
    await machines.client.settings.update({ courier: { provider: 'easypost', sender }, llm: model });
    machines.startRunner({ RUNNER_SLOTS: '6' });
  });
  after(async () => {
    await machines.close();
    await easypost.close();
    await llm.close();
  });

  async function start(source_code: string, permissions: string[], parameters: JsonObject = {}): Promise<Going> {
    const { ai_tasks: tasks } = machines.client;
    const { task_id: taskId } = await tasks.create({ name: 'Outside', description: '', source_code, permissions, parameters: [] });
    await tasks.update(taskId, { settings: { on_interrupt: 'resume', max_attempts: 10 } });
    const { run_id: runId } = await tasks.start_run(taskId, { parameters });
    return { taskId, runId };
  }

  const endOf = ({ taskId, runId }: Going): Promise<Run> => ended(machines.client, taskId, runId);

  async function assertBoughtOnce(purchase: Purchase): Promise<void> {
    const run = await endOf(purchase);
    const [shipment] = await machines.client.orders.list_shipments(purchase.orderId);
    assert.deepEqual([run.status, run.result], ['success', ['label_purchased', shipment?.tracking_number]], run.error_message ?? '');
    assert.equal(
      easypost.ledger.filter(({ reference }) => reference === purchase.reference).length,
      1,
      'the courier’s ledger must have one purchase',
    );
    const effects = await machines.client.ai_tasks.list_effects(purchase.taskId, purchase.runId);
    assert.ok(effects.some(({ resource }) => resource.type === 'shipment' && resource.id === purchase.shipmentId));
    const notes = machines.store.reader.selectFrom('audit_log').select('changes').where('resource_type', '=', 'shipment');
    const entries = await notes.where('resource_id', '=', purchase.shipmentId).where('action', '=', 'orders.buy_label').execute();
    assert.equal(entries.filter(({ changes }) => changes.includes('label_purchased')).length, 1, 'the audit log must have one purchase');
  }

  async function killed(who: 'the server' | 'the server and the runner'): Promise<void> {
    const cut = new Set<Point>();
    const dead = Promise.withResolvers<Fate>();
    const pointOf = new Map<string | null, Point>();
    let waiting = 0;
    easypost.decide((moment, shipment) => {
      const point = pointOf.get(shipment?.reference ?? null);
      if (moment !== 'buy' || point === undefined || point === 'stored') return 'pass';
      waiting += 1;
      return point === 'selling' ? dead.promise : new Promise<never>(() => undefined);
    });
    // The answer to the stored purchase is lost until the server has died.
    machines.proxy.decide(({ path }) => {
      const stored = purchases.get('stored');
      if (!stored || !path.endsWith(`/shipments/${stored.shipmentId}/buy-label`)) return 'pass';
      cut.add('stored');
      return 'cut_after';
    });
    const purchases = new Map<Point, Purchase>();
    for (const point of points) purchases.set(point, await startPurchase(point, pointOf, purchases));
    await until('all are at their points', () => waiting >= 2 && cut.has('stored'));
    await machines.server().stop('SIGKILL');
    if (who === 'the server and the runner') await machines.runners().at(-1)?.stop('SIGKILL');
    machines.proxy.decide(passAllRequests);
    dead.resolve('pass');
    await until('what was being sold is sold', () => {
      const selling = purchases.get('selling')?.reference;
      return easypost.ledger.some(({ reference }) => reference === selling);
    });
    easypost.decide(passAll);
    await machines.startServer();
    if (who === 'the server and the runner') machines.startRunner({ RUNNER_SLOTS: '6' });
    for (const purchase of purchases.values()) await assertBoughtOnce(purchase);
  }

  /** Starts a run whose purchase is at this point; the point is known before the run begins. */
  async function startPurchase(point: Point, pointOf: Map<string | null, Point>, purchases: Map<Point, Purchase>): Promise<Purchase> {
    const { id: orderId } = await makeOrder(machines);
    const { shipment } = await machines.client.orders.create_shipment(orderId);
    const query = machines.store.reader.selectFrom('shipments').select('provider_key').where('id', '=', shipment.id);
    const { provider_key: reference } = await query.executeTakeFirstOrThrow();
    pointOf.set(reference, point);
    const known = { orderId, shipmentId: shipment.id, reference, taskId: 0, runId: 0 };
    purchases.set(point, known);
    return { ...known, ...(await start(BUY, ['admin_api.orders.write'], { order: orderId, shipment: shipment.id })) };
  }

  for (const who of ['the server', 'the server and the runner'] as const) {
    test(`${who}: each label is bought once, whether the kill comes before, while or after the courier sells it`, () => killed(who));
  }

  test('a completion during which the server died is made again and marked; a stored one is not made again', async () => {
    const begun = Promise.withResolvers<void>();
    llm.decide((body) => {
      if (body.messages[0]?.content !== 'Two?') return hello();
      begun.resolve();
      return new Promise<never>(() => undefined);
    });
    const run = await start(ASK, ['llm']);
    await begun.promise;
    await machines.server().stop('SIGKILL');
    await machines.runners().at(-1)?.stop('SIGKILL');
    llm.decide(hello);
    await machines.startServer();
    machines.startRunner();
    const { status, result, error_message } = await endOf(run);
    assert.deepEqual([status, result], ['success', ['Hello!', 'Hello!']], error_message ?? '');
    assert.deepEqual(
      llm.asked.map(({ messages }) => messages[0]?.content),
      ['One?', 'Two?', 'Two?'],
    );
    const effects = await machines.client.ai_tasks.list_effects(run.taskId, run.runId);
    assert.deepEqual(
      effects.map(({ maybe_twice }) => maybe_twice),
      [false, true],
    );
  });

  test('LI1: the run ends interrupted, budget; resumed with a higher limit, it does not pay again', async () => {
    const { ai_tasks: tasks } = machines.client;
    const { task_id: taskId } = await tasks.create({
      name: 'Budget',
      description: '',
      source_code: ASK,
      permissions: ['llm'],
      parameters: [],
    });
    await tasks.update(taskId, { settings: { limits: { llm_tokens: 20 } } });
    const count = llm.asked.length;
    const { run_id: runId } = await tasks.start_run(taskId, {});
    const run = await endOf({ taskId, runId });
    assert.deepEqual([run.status, run.end_reason], ['interrupted', 'budget']);
    assert.match(run.error_message ?? '', /budget llm_tokens of 20 is spent/);
    assert.match(run.log, /"method":"POST","path":"\/llm\/completions","status":200/);
    assert.equal(llm.asked.length, count + 1);
    await tasks.update(taskId, { settings: { limits: { llm_tokens: 30 } } });
    const resumed = await tasks.start_run(taskId, { resume_run_id: runId });
    const end = await endOf({ taskId, runId: resumed.run_id });
    assert.deepEqual([end.status, end.result], ['success', ['Hello!', 'Hello!']]);
    assert.equal(llm.asked.length, count + 2);
  });

  test('SF5: without the permission, the script gets a PermissionError, and the log shows status 403', async () => {
    const run = await start(
      `try { await llm.complete({ messages: [], max_tokens: 1 }); } catch (e: any) { log(e.name, e.permission); }`,
      [],
    );
    const { status, log } = await endOf(run);
    assert.equal(status, 'success');
    const lines = log.split('\n').map((line): unknown => JSON.parse(line));
    assert.deepEqual(lines, [
      { kind: 'admin_api', method: 'POST', path: '/llm/completions', status: 403 },
      { kind: 'log', line: 'PermissionError llm' },
    ]);
  });
}
