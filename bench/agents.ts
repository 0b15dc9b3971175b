import { Pool } from 'undici';
import { type Backroom, TOKEN } from './backroom.ts';
import { median, type Row, row } from './report.ts';
import { inTurns, medianMicros } from './turns.ts';

const TIMES = 300;
/** Reading by a script starts a run, so it is asked less often. */
const SCRIPTS = 10;

/** A call costs at most so many times what the same request to the API costs. */
const MOST_RATIO = 2;
const REVISION = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Asked = { path: string; operation: string; params: Record<string, unknown> };

/**
 * Compares what a client of `/mcp`, of the revision of 2026, waits for with the same request to the API; both take turns on one connection
 * each.
 */
export async function measureAgents(backroom: Backroom): Promise<Row[]> {
  const { token } = await backroom.client.me.create_agent({
    name: 'bench',
    permissions: ['admin_api.orders.read', 'admin_api.ai_tasks.write'],
    sees_personal_data: true,
  });
  const pool = new Pool(backroom.url, { connections: 1 });
  const id = backroom.orderIds[0] ?? 1;
  const order: Asked = { path: `/orders/${id}`, operation: 'orders.get', params: { id } };
  const list: Asked = { path: '/orders', operation: 'orders.list', params: {} };
  const agent = { pool, token: token ?? '' };
  const rows: Row[] = [];
  for (const asked of [order, list]) {
    const { operation, params } = asked;
    const call = (): Promise<number> => medianMicros(TIMES, () => tool(agent, 'call', { operation, params }));
    const get = (): Promise<number> => medianMicros(TIMES, () => read(pool, asked.path));
    rows.push(await compared(`call ${operation} by an agent beside GET`, call, get, MOST_RATIO));
  }
  // A worker stands by for each script, as for an agent that thinks between two of them.
  const script = async (source_code: string): Promise<number> => {
    const micros: number[] = [];
    for (let i = 0; i < SCRIPTS; i++) {
      micros.push(await medianMicros(1, () => tool(agent, 'read', { source_code })));
      await backroom.standbyFull();
    }
    return median(micros);
  };
  const tenOrders = `export default async () => (await Promise.all(Array.from({ length: 10 }, () => admin.orders.get(${id})))).length;`;
  const calls = (): Promise<number> =>
    medianMicros(SCRIPTS, async () => {
      for (let i = 0; i < 10; i++) await tool(agent, 'call', { operation: order.operation, params: order.params });
    });
  rows.push(await compared('read of ten orders by a script beside ten calls', () => script(tenOrders), calls));
  rows.push(
    await compared(
      'read of ten orders beside a script that reads nothing',
      () => script(tenOrders),
      () => script('export default 1;'),
    ),
  );
  await pool.close();
  return rows;
}

async function compared(name: string, one: () => Promise<number>, other: () => Promise<number>, most?: number): Promise<Row> {
  const [figure, baseline] = await inTurns(one, other);
  return row({ name, figure, unit: 'µs', baseline, ...(most !== undefined && { ratioBound: { most } }) });
}

async function read(pool: Pool, path: string): Promise<void> {
  const answer = await pool.request({ method: 'GET', path: `/admin/api${path}`, headers: { authorization: `Bearer ${TOKEN}` } });
  if (answer.statusCode !== 200) throw new Error(`GET ${path} answered ${answer.statusCode}`);
  await answer.body.text();
}

async function tool({ pool, token }: { pool: Pool; token: string }, name: string, given: Record<string, unknown>): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  const params = { name, arguments: given, _meta: ENVELOPE };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const answer = await pool.request({ method: 'POST', path: '/mcp', headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 200 || text.includes('"isError":true')) throw new Error(`${name} answered ${answer.statusCode}: ${text}`);
}
