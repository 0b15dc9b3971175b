import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type RawAnswer, startApp, type TestApp } from '../helpers/app.ts';
import { makeCustomer, makeOrder, makeVariant } from '../helpers/builders.ts';
import { claim, makeTask } from '../helpers/runs.ts';
import { stopPostgres } from '../helpers/stores.ts';

const CLIENTS = 32;
const ROUNDS = 10;
const STOCK = 1000;
/** The share of inserts into each table that fail like a conflict with another transaction. */
const FAULTS: Record<string, number> = { audit_log: 0.15, credit_transactions: 0.1, stock_movements: 0.1, runs: 0.1, run_claims: 0.1 };

let servers: [TestApp, TestApp];

before(async () => {
  const first = await startApp('postgres');
  servers = [first, await startApp('postgres', { databaseUrl: first.databaseUrl })];
});
after(async () => {
  for (const server of servers.toReversed()) await server.close();
  await stopPostgres();
});

async function injectFaults(app: TestApp): Promise<void> {
  await app.store.write(async (db) => {
    await sql
      .raw(`CREATE FUNCTION fail_sometimes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF random() < TG_ARGV[0]::float THEN
          PERFORM nextval('injected');
          RAISE EXCEPTION 'injected' USING ERRCODE = CASE WHEN random() < 0.5 THEN '40001' ELSE '40P01' END;
        END IF;
        RETURN NEW;
      END $$`)
      .execute(db);
    await sql.raw('CREATE SEQUENCE injected').execute(db);
    for (const [table, share] of Object.entries(FAULTS)) {
      await sql
        .raw(`CREATE TRIGGER fail_sometimes BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION fail_sometimes('${share}')`)
        .execute(db);
    }
  });
}

async function sum(app: TestApp, column: string, table: string, where: string, id: number): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`SELECT coalesce(sum(${sql.ref(column)}), 0)::bigint AS total FROM ${sql.table(table)} WHERE ${sql.ref(where)} = ${id}`.execute(
    app.store.reader,
  );
  return Number(rows[0]?.total);
}

test('two servers, 32 clients and injected serialisation failures: no update is lost, all sums hold, no 5xx', async () => {
  const [app] = servers;
  const customer = await makeCustomer(app);
  const [variant, ordered] = [await makeVariant(app, { stock: STOCK }), await makeVariant(app, { stock: STOCK })];
  const orders = await Promise.all(Array.from({ length: 3 }, () => makeOrder(app, {}, [{ variant: ordered, quantity: 7 }])));
  const taskId = await makeTask(app);
  await app.client.customers.adjust_credits(customer.id, { delta: 200 });
  await injectFaults(app);

  const tally = { credits: 200, stock: STOCK, notes: 0, runs: 0, statuses: 0, refused: 0 };
  const unexpected: string[] = [];
  const note = (answer: RawAnswer, allowed: readonly number[], what: keyof typeof tally, amount = 1): void => {
    if (answer.status < 300) {
      tally[what] += amount;
      return;
    }
    tally.refused += 1;
    if (!allowed.includes(answer.status)) unexpected.push(`${answer.status} ${answer.text.slice(0, 200)}`);
  };
  const statuses = ['pending', 'cancelled', 'shipped', 'processing', 'delivered'];

  const client = async (n: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const server = servers[(n + round) % 2] ?? app;
      const post = (path: string, body: object, method = 'POST') =>
        server.request({ method, path: `/admin/api${path}`, body, headers: { 'idempotency-key': `client-${n}-${round}` } });
      const order = orders[(n + round) % orders.length]?.id;
      switch ((n * 7 + round * 3) % 5) {
        case 0: {
          const delta = round % 2 === 0 ? 11 : -30;
          note(await post(`/customers/${customer.id}/credits/adjust`, { delta }), [422], 'credits', delta);
          break;
        }
        case 1:
          note(await post(`/customers/${customer.id}/notes`, { body: `${n}/${round}` }), [], 'notes');
          break;
        case 2: {
          const delta = (n % 5) - 7;
          note(await post(`/variants/${variant.id}/stock`, { delta, reason: 'count' }), [], 'stock', delta);
          break;
        }
        case 3:
          note(await post(`/orders/${order}/status`, { status: statuses[(n + round) % statuses.length] }, 'PATCH'), [409], 'statuses');
          break;
        default:
          note(await post(`/ai-tasks/${taskId}/runs`, {}), [], 'runs');
      }
    }
  };

  const claimed: number[] = [];
  let writing = true;
  const runner = async (server: TestApp, name: string): Promise<void> => {
    for (;;) {
      const last = !writing;
      const claims = await claim(server, { name, slots: 3, wait_ms: 50 });
      for (const { run, report_token: token } of claims) {
        claimed.push(run.id);
        const end = await server.request({
          method: 'PATCH',
          path: `/admin/api/ai-tasks/${taskId}/runs/${run.id}`,
          body: {
            events: [
              { kind: 'log', line: name },
              { kind: 'finalize', status: 'success', end_reason: 'completed' },
            ],
          },
          token,
        });
        if (end.status !== 204) unexpected.push(`finalize: ${end.status} ${end.text.slice(0, 200)}`);
      }
      if (last && claims.length === 0) return;
    }
  };
  const runners = servers.flatMap((server, i) => [runner(server, `runner-${i}-a`), runner(server, `runner-${i}-b`)]);
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
  writing = false;
  await Promise.all(runners);

  assert.deepEqual(unexpected, []);
  const { rows } = await sql<{ injected: number }>`SELECT last_value AS injected FROM injected`.execute(app.store.reader);
  assert.ok(Number(rows[0]?.injected) > 20, 'failures were injected');
  assert.ok(tally.credits > 0 && tally.notes > 0 && tally.runs > 0 && tally.statuses > 0);

  const { credits } = await app.client.customers.get_credits(customer.id);
  assert.equal(credits, tally.credits);
  assert.equal(
    await sum(app, 'delta_credits', 'credit_transactions', 'customer_id', customer.id),
    credits,
    'the ledger adds up to the balance',
  );
  assert.equal((await app.client.customers.list_notes(customer.id)).length, tally.notes);
  for (const [{ id }, expected] of [
    [variant, tally.stock],
    [ordered, null],
  ] as const) {
    const { stock } = await app.client.products.get_variant(id);
    if (expected !== null) assert.equal(stock, expected);
    else assert.ok([0, 7, 14, 21].includes(STOCK - stock), `each order holds all seven pieces or none, not ${STOCK - stock} in total`);
    assert.equal(await sum(app, 'delta', 'stock_movements', 'variant_id', id), stock, 'the movements add up to the stock');
  }
  const runs = await app.client.ai_tasks.list_runs(taskId, { limit: 500 });
  assert.equal(runs.length, tally.runs);
  assert.deepEqual(
    claimed.toSorted((a, b) => a - b),
    runs.map(({ id }) => id).toSorted((a, b) => a - b),
    'each run was claimed once',
  );
  assert.ok(runs.every(({ status, log }) => status === 'success' && log.split('\n').length === 1));
});
