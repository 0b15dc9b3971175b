import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { createClient } from '../../contract/client.ts';
import { isWrite } from '../../contract/endpoint.ts';
import { taskPermissions } from '../../contract/permissions.ts';
import { callFingerprint } from '../../runner/call-key.ts';
import { changedRows, dumpShop } from '../helpers/dump.ts';
import { until } from '../helpers/machines.ts';
import { dumpRecords } from '../helpers/records-dump.ts';
import { watchAnswers } from '../helpers/seen-answers.ts';
import { forgetReads } from '../helpers/stored-rows/passed-time.ts';
import { createDatabase, engines, stopPostgres, type TestDatabase } from '../helpers/stores.ts';
import { type Aim, requestOf, takeAim } from '../torture/bad-input/endpoints.ts';
import { openTarget, RUNNER_TOKEN, type Target } from '../torture/bad-input/shop.ts';

/** Sends every write that tasks may do to a record that accepts it: first in a dry run, then by applying the plan. */

type Effect = { changes: Record<string, [unknown, unknown]>; resource: { type: string; id: number | null } };
type Records = Awaited<ReturnType<typeof dumpRecords>>;
const Applied = z.object({ run_id: z.number() });
type Tried = { id: string; status: number; text: string; again: number; effects: Effect[]; runId: number; isOutside: boolean };

for (const engine of engines) {
  describe(`every write that tasks may do (RU8, DR1) [${engine}]`, () => {
    let database: TestDatabase;
    let target: Target;
    let aims: Aim[];
    let taskId: number;
    const seen = watchAnswers();
    const tried = new Map<Aim, Tried>();
    before(async () => {
      database = await createDatabase(engine);
      target = await openTarget('', engine === 'postgres' ? database.url : `sqlite:${database.url}`, seen.watch);
      aims = (await takeAim(target)).filter(({ endpoint }) => isOpenWrite(endpoint));
      const { send } = target;
      for (const aim of aims) {
        const other = others[aim.endpoint.id];
        if (other) Object.assign(aim, await other(aim, send));
      }
      await forgetReads(target.store);
      for (const { id } of (await client().ai_tasks.list()).tasks) {
        for (const trigger of await client().ai_tasks.list_triggers(id))
          await client().ai_tasks.update_trigger(id, trigger.id, { enabled: false });
      }
      const started = await client().ai_tasks.create({
        name: 'Started',
        description: '',
        source_code: '1',
        permissions: [],
        parameters: [],
      });
      for (const aim of aims.filter(({ endpoint }) => endpoint.id === 'task_runs.start')) aim.body = { task: started.task_id };
      for (const aim of aims.filter(({ endpoint }) => endpoint.id === 'task_runs.signal'))
        aim.body = { task: started.task_id, key: 'kept', value: 1 };
      const made = await client().ai_tasks.create({
        name: 'All',
        description: '',
        source_code: '1',
        permissions: [...taskPermissions],
        parameters: [],
        mail_to: ['@example.com'],
        http_allow: ['POST https://other-system.invalid/*'],
        may_start: [started.task_id],
      });
      taskId = made.task_id;
    });
    afterEach(() => seen.check());
    after(async () => {
      await target.close();
      await database.drop();
      if (engine === 'postgres') await stopPostgres();
    });

    const client = (token?: string) =>
      createClient(async ({ method, path, body, headers = {} }) => {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const { status, text } = await target.send({ method, path: `/admin/api${path}`, ...sent, headers, ...(token ? { token } : {}) });
        return { status, headers: {}, body: text === '' ? null : JSON.parse(text) };
      });

    /** Makes one call in its own dry run, which then succeeds. */
    async function tryOut(aim: Aim): Promise<Tried> {
      const { run_id: runId } = await client().ai_tasks.start_run(taskId, { dry_run: true, priority: 1000 });
      const runner = { name: 'r', version: '1', isolation: [] };
      const { claims } = await client(RUNNER_TOKEN).runner.claim({ runner, slots: 1, wait_ms: 0 });
      const [claim] = claims;
      assert.equal(claim?.run.id, runId);
      const token = claim?.token ?? '';
      const call = (method: string, path: string, body: string | undefined) => {
        const key = callFingerprint(method, path, body === undefined ? undefined : z.json().parse(JSON.parse(body)));
        return target.send({
          method,
          path,
          token,
          headers: { 'idempotency-key': `"0/${key}/0"` },
          ...(body === undefined ? {} : { body }),
        });
      };
      const { method, path, body } = requestOf(aim);
      const { status, text } = await call(method, path, typeof body === 'string' ? body : undefined);
      const again = await call('GET', '/admin/api/tax-rates', undefined);
      const end = { kind: 'finalize' as const, status: 'success', end_reason: 'completed' as const };
      await client(claim?.report_token).ai_tasks.append_run_events(taskId, runId, { events: [end] });
      const effects = await client().ai_tasks.list_effects(taskId, runId);
      const plan = await target.store.reader
        .selectFrom('planned_writes')
        .innerJoin('runs', 'runs.lineage_id', 'planned_writes.lineage_id')
        .select('is_outside')
        .where('runs.id', '=', runId)
        .execute();
      return {
        isOutside: plan[0]?.is_outside === 1,
        runId,
        id: aim.endpoint.id,
        status,
        text: text.slice(0, 300),
        again: again.status,
        effects,
      };
    }

    /** Takes a run back and then that run, and compares the records with those before and after it; null: it had changed nothing. */
    async function thereAndBack(runId: number, before: Records, after: Records): Promise<string[] | null> {
      if (changedRows(before, after).length === 0) return null;
      const undone = await takeBack(runId);
      if (typeof undone === 'string') return [undone];
      const faults = changedRows(before, await dumpRecords(target.store)).map((row) => `undone: ${row}`);
      const again = await takeBack(undone);
      if (typeof again === 'string') return [...faults, `again: ${again}`];
      return [...faults, ...changedRows(after, await dumpRecords(target.store)).map((row) => `done again: ${row}`)];
    }

    /** The run that took the run back, or the rows of a plan that cannot be carried out. */
    async function takeBack(runId: number): Promise<number | string> {
      const plan = await client().ai_tasks.undo_run(taskId, runId, {});
      if (plan.rows.ready === 1) return (await client().ai_tasks.apply_run(taskId, plan.run_id)).run_id;
      return JSON.stringify(await client().ai_tasks.list_undo(taskId, plan.run_id)).slice(0, 600);
    }

    const waitingDeliveries = async (): Promise<number> =>
      (await sql`SELECT 1 FROM trigger_deliveries`.execute(target.store.reader)).rows.length;

    test('a dry run of any write leaves no trace, its call repeats in every pass, and its effects name the changes', async () => {
      await until('no event waits for a trigger', async () => (await waitingDeliveries()) === 0);
      const before = await dumpShop(target.store);
      for (const aim of aims) tried.set(aim, await tryOut(aim));
      assert.deepEqual(changedRows(before, await dumpShop(target.store)), []);
      assert.deepEqual(
        [...tried.values()].flatMap(({ id, status, again, text }) =>
          status < 300 && again === 200 ? [] : [`${id} ${status} ${again} ${text}`],
        ),
        [],
      );
      assert.deepEqual(
        [...tried.values()].flatMap(({ id, effects, isOutside }) =>
          isOutside || effects.some(({ changes }) => namesChanges(id, changes)) ? [] : [`${id} ${JSON.stringify(effects)}`],
        ),
        [],
      );
      assert.ok(tried.size > 75, String(tried.size));
    });

    test('UN1: every plan can be applied and, where its write says so, taken back, and that too; those of external calls cannot', async () => {
      const backWrong: string[] = [];
      const back = new Set<string>();
      let before = await dumpRecords(target.store);
      const apply = (runId: number) => target.send({ method: 'POST', path: `/admin/api/ai-tasks/${taskId}/runs/${runId}/apply` });
      const late = ({ endpoint }: Aim): number => (endpoint.method === 'DELETE' ? 1 : 0);
      const wrong: string[] = [];
      for (const [aim, { id, runId, isOutside }] of [...tried].sort(([a], [b]) => late(a) - late(b))) {
        let applied = await apply(runId);
        if (isOutside) {
          assert.equal(applied.status, 409, id);
          continue;
        }
        if (applied.text.includes('plan_outdated')) {
          const again = await tryOut(aim);
          // An earlier plan has deleted the record, or created one that conflicts.
          if (again.status >= 400) continue;
          applied = await apply(again.runId);
        }
        if (applied.status !== 201) wrong.push(`${id} ${applied.status} ${applied.text}`);
        else if (typeof aim.endpoint.undo === 'string') {
          const after = await dumpRecords(target.store);
          const faults = await thereAndBack(Applied.parse(JSON.parse(applied.text)).run_id, before, after);
          if (faults === null) backWrong.push(`${id} changed nothing`);
          else backWrong.push(...faults.map((fault) => `${id} ${fault}`));
          back.add(id);
        }
        before = await dumpRecords(target.store);
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(backWrong, []);
      const left = aims
        .filter(({ endpoint: { id, undo } }) => typeof undo === 'string' && !back.has(id))
        .map(({ endpoint }) => endpoint.id);
      // An earlier plan has published that draft's page; test/api/undo.test.ts takes a discarded draft back.
      assert.deepEqual(left, ['pages.discard_draft']);
    });
  });
}

/** A created record must have no values before, and a deleted one must lose its values. */
function namesChanges(id: string, changes: Effect['changes']): boolean {
  // Deleting a customer shows no personal values, and refreshing a built-in label changes nothing.
  if (id === 'customers.delete' || id === 'orders.refresh_shipment') return true;
  const pairs = Object.values(changes);
  if (/\.create(_|$)/.test(id)) return pairs.length > 0 && pairs.every(([before]) => before === null);
  if (/\.(delete|revoke_grant)(_|$)/.test(id) && id !== 'products.delete')
    return pairs.some(([before, after]) => before !== null && after === null);
  return pairs.some(([before, after]) => JSON.stringify(before) !== JSON.stringify(after));
}

type Other = (aim: Aim, send: Target['send']) => Promise<Partial<Pick<Aim, 'path' | 'body'>>>;
const body =
  (value: NonNullable<Aim['body']>): Other =>
  async () => ({ body: value });

async function make(send: Target['send'], path: string, value: unknown): Promise<number> {
  const { status, text } = await send({ method: 'POST', path: `/admin/api${path}`, body: JSON.stringify(value) });
  assert.equal(status, 201, text);
  return Number(z.object({ id: z.number() }).parse(JSON.parse(text)).id);
}

const anOrder = {
  customer: { name: 'A', email: 'a@example.com', phone: '' },
  shipping: { kind: 'none' },
  payment_status: 'none',
  register_customer: false,
  send_confirmation_email: false,
};
let made = 0;
const aVariant = async (send: Target['send']): Promise<number> => {
  made += 1;
  const product = await make(send, '/products', { name: 'P', slug: `p-${made}`, status: 'active' });
  return make(send, `/products/${product}/variants`, { sku: `P-${made}`, price_cents: 100, track_stock: false });
};

/** A paid order of a subscription: the path that activates it, and what is sent there. */
async function toActivate(send: Target['send'], slug: string) {
  const product = { slug, name: 'Plan', status: 'active', kind: 'digital', is_subscription: true };
  const variant = await make(send, `/products/${await make(send, '/products', product)}/variants`, { sku: slug, price_cents: 900 });
  const order = await make(send, '/orders', { ...anOrder, payment_status: 'paid', items: [{ variant_id: variant, quantity: 1 }] });
  const value = { external_subscription_id: `sub-${slug}`, external_customer_id: `cus-${slug}` };
  return { path: `/orders/${order}/activate-subscription`, value };
}

/** A page with a draft, and the path of that draft. */
async function aDraft(send: Target['send']): Promise<string> {
  made += 1;
  const path = `/admin/api/pages/${await make(send, '/pages', { slug: `draft-${made}`, title: 'P' })}/draft`;
  const { status, text } = await send({ method: 'PUT', path, body: JSON.stringify({ title: 'Other' }) });
  assert.equal(status, 200, text);
  return path;
}

/** The path of a shipment without a label; `path`: of the shipments of an order. */
async function aShipment(path: string, send: Target['send']): Promise<string> {
  const { status, text } = await send({ method: 'POST', path });
  assert.equal(status, 201, text);
  const { shipment } = z.object({ shipment: z.object({ id: z.number() }) }).parse(JSON.parse(text));
  return `${path}/${shipment.id}`;
}

/** A comment or note by the admin for whom the runs write: nobody else changes it. */
const ofOwn =
  (list: string, value: Aim['body']): Other =>
  async (_, send) => ({ path: `/admin/api${list}/${await make(send, list, { body: 'One' })}`, body: value });

/** Other paths or bodies for writes whose sample would change nothing or would be refused as in use. */
const others: Record<string, Other> = {
  'access_groups.replace_files': body({ file_ids: [2] }),
  'access_groups.replace_pages': body({ page_ids: [] }),
  'products.replace_access_groups': body({ assignments: [] }),
  'pages.publish_draft': async (_, send) => ({ path: `${await aDraft(send)}/publish` }),
  'pages.discard_draft': async (_, send) => ({ path: await aDraft(send) }),
  'pages.replace_translations': body({ entries: [{ field: 'meta_title', locale: 'de', value: 'b' }] }),
  'orders.update_comment': ofOwn('/orders/1/comments', { body: 'Other' }),
  'orders.delete_comment': ofOwn('/orders/1/comments', undefined),
  'orders.update_status': body({ status: 'processing' }),
  'orders.bulk_status': body({ ids: [1], status: 'processing' }),
  'orders.update_payment_status': body({ payment_status: 'failed' }),
  'orders.update_shipping': body({ tracking_number: 'other' }),
  'orders.update_delivery_date': body({ delivery_date: '2031-02-03' }),
  'orders.update_test_flag': body({ is_test: true }),
  'orders.update_internal_status': body({ internal_status_id: null }),
  'orders.update_payment': body({ label: 'other' }),
  'subscriptions.cancel': async (_, send) => {
    const { path, value } = await toActivate(send, 'to-cancel');
    return { path: `/admin/api/subscriptions/${await make(send, path, value)}/cancel` };
  },
  'orders.buy_label': async ({ path }, send) => ({ path: `${await aShipment(path.replace(/\/\d+\/buy-label$/, ''), send)}/buy-label` }),
  'customers.bulk_discount_group': body({ customer_ids: [1], discount_group_id: null }),
  'products.bulk_status': body({ ids: [1], status: 'draft' }),
  'products.bulk_delete': async (_, send) => ({ body: { ids: [await make(send, '/products', { name: 'To delete', slug: 'to-delete' })] } }),
  'products.bulk_prices': body({ prices: [{ id: 1, price_cents: 4321 }] }),
  'products.bulk_stock': body({ changes: [{ id: 1, delta: 3 }], reason: 'count' }),
  'customers.update_address': body({ label: 'other' }),
  'customers.update_note': ofOwn('/customers/1/notes', { body: 'Other' }),
  'customers.update_b2b': body({ is_b2b: true }),
  'products.update': body({ name: 'Other' }),
  'products.update_variant': body({ label: 'other' }),
  'vouchers.update': body({ usage_limit: 7 }),
  'tax_rates.update': body({ name: 'Other' }),
  'themes.save_template': body({ content: 'other' }),
  'media.update': body({ alt: 'other' }),
  'files.update': body({ original_filename: 'other' }),
  'themes.activate': async (_, send) => ({ path: `/admin/api/themes/${await make(send, '/themes', { name: 'Other' })}/activate` }),
  'inquiries.answer': async (_, send) => ({
    path: `/admin/api/inquiries/${await make(send, '/inquiries', { name: 'A', email: 'a@example.com', body: 'a' })}/answer`,
  }),
  // The label of the shop's own shipment was bought by another plan, so its deletion cannot be taken back.
  'orders.delete_shipment': async ({ path }, send) => ({ path: await aShipment(path.replace(/\/\d+$/, ''), send) }),
  'orders.create_locker_shipment': async (_, send) => {
    const id = await make(send, '/orders', { ...anOrder, items: [{ variant_id: await aVariant(send), quantity: 1 }] });
    return { path: `/admin/api/orders/${id}/shipments/foxpost` };
  },
  'orders.create_payment': async (_, send) => {
    const order = await make(send, '/orders', { ...anOrder, items: [{ variant_id: await aVariant(send), quantity: 1 }] });
    return { path: `/admin/api/orders/${order}/payments`, body: { label: 'One', amount_cents: 10 } };
  },
  'subscriptions.activate': async (_, send) => {
    const { path, value } = await toActivate(send, 'to-activate');
    return { path: `/admin/api${path}`, body: value };
  },
  'mails.send': body({ to: 'somebody@example.com', subject: 'News', text: 'There are news.' }),
  'http.send': body({ method: 'POST', url: 'https://other-system.invalid/news', body: 'news', sample: { status: 202 } }),
  'orders.reorder_payments': async (_, send) => {
    const order = await make(send, '/orders', { ...anOrder, items: [{ variant_id: await aVariant(send), quantity: 1 }] });
    const id = await make(send, `/orders/${order}/payments`, { label: 'One', amount_cents: 10 });
    return { path: `/admin/api/orders/${order}/payments/reorder`, body: { items: [{ id, sort_order: 5 }] } };
  },
};

const OPEN = new Set<string>(taskPermissions);

function isOpenWrite(endpoint: Aim['endpoint']): boolean {
  const permission = endpoint.taskPermission === undefined ? endpoint.permission : endpoint.taskPermission;
  return isWrite(endpoint) && endpoint.ownRun !== true && endpoint.multipart !== true && permission !== null && OPEN.has(permission);
}
