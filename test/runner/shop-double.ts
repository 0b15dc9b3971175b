import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Claim, defaultLimits } from '../../contract/runner.ts';

export type Seen = { method: string; path: string; key: string | undefined; token: string | undefined; body: string };
export type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'drop';
const Events = z.object({ events: z.array(z.looseObject({ kind: z.string() })) });

/** A double of the server for a runner. It accepts everything, unless `answer` returns another answer. */
export async function openShopDouble(answer: (seen: Seen) => Answer | undefined | Promise<Answer | undefined> = () => undefined) {
  const seen: Seen[] = [];
  const claims: Claim[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The client has given up its request.
      return;
    }
    const entry: Seen = {
      method: request.method ?? '',
      path: (request.url ?? '').replace('/admin/api', ''),
      key: request.headers['idempotency-key']?.toString(),
      token: request.headers.authorization,
      body: Buffer.concat(chunks).toString(),
    };
    seen.push(entry);
    const said = (await answer(entry)) ?? (await usual(entry, response));
    if (said === 'drop') return void request.socket.destroy();
    const body = said.body === undefined ? undefined : JSON.stringify(said.body);
    response.writeHead(said.status, {
      'content-type': 'application/json; charset=utf-8',
      ...(body && { 'content-length': Buffer.byteLength(body) }),
      ...said.headers,
    });
    response.end(body);
  }

  async function usual({ method, path, body }: Seen, response: ServerResponse): Promise<Answer> {
    if (path === '/runner/claims') {
      const { slots } = z.object({ slots: z.int() }).parse(JSON.parse(body));
      while (claims.length === 0 && !response.closed) {
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
          response.once('close', resolve);
        });
      }
      if (response.closed) return { status: 200 };
      return { status: 200, body: { claims: claims.splice(0, slots) } };
    }
    if (path.endsWith('/end')) return { status: 200, body: { claims: claims.splice(0, 1) } };
    if (path.endsWith('/memory')) return { status: 200, body: { stored: false, value: null } };
    if (/\/runner\/runs\/\d+\/answers/.test(path)) return { status: 200, body: { answers: [] } };
    if (method === 'PATCH' && path.includes('/runs/')) return { status: 204 };
    return { status: 200, body: { path } };
  }

  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    offer(...more: Claim[]) {
      claims.push(...more);
      for (const wake of waiting) wake();
      waiting.clear();
    },
    /** All received events, answered or not, in the order of their arrival. */
    events: () => seen.filter((one) => isPatch(one) || isEnd(one)).flatMap(({ body }) => Events.parse(JSON.parse(body)).events),
    /** The events of one run that were received, in a PATCH or with the report of its end. */
    eventsOf: (runId: number) =>
      seen
        .filter((one) => (isPatch(one) || isEnd(one)) && RUN_OF_PATH.exec(one.path)?.[1] === String(runId))
        .flatMap(({ body }) => Events.parse(JSON.parse(body)).events),
    patches: () => seen.filter(isPatch),
    /** The reports of ends that asked for the next run. */
    ends: () => seen.filter(isEnd),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const isPatch = ({ method, path }: Seen): boolean => method === 'PATCH' && path.includes('/runs/');
const RUN_OF_PATH = /\/runs\/(\d+)(?:\/end)?$/;
const isEnd = ({ path }: Seen): boolean => path.endsWith('/end');

export function problem(status: number, code: string, extra: object = {}): Answer {
  return {
    status,
    body: { type: `/problems/${code}`, title: code, status, code, detail: `detail of ${code}`, instance: '/', request_id: 'r', ...extra },
  };
}

let lastRunId = 0;

export function claimOf(
  source: string,
  { limits, ...rest }: Omit<Partial<Claim>, 'limits'> & { limits?: Partial<Claim['limits']> } = {},
): Claim {
  lastRunId += 1;
  return {
    run: { id: lastRunId, task_id: 7, dry_run: false, attempt: 1, record: false, replay: false },
    lineage_id: `lineage-${lastRunId}`,
    seed: 'ab'.repeat(32),
    now: '2026-01-02T03:04:05.000Z',
    began: '2026-01-02T03:04:05.000Z',
    shop: { timezone: 'UTC', currency: 'EUR', currency_exponent: 2, locale: 'en' },
    version: { id: lastRunId, version: 1, source_code: source, code: null, permissions: [], parameters: [] },
    parameters: {},
    checkpoint: null,
    epoch: 0,
    writes_made: 0,
    used: { cpu_ms: 0, wall_ms: 0, host_calls: 0 },
    limits_max: {},
    log_made: { bytes: 0, lines: 0 },
    token: `token-${lastRunId}`,
    report_token: `report-token-${lastRunId}`,
    lease_seconds: 30,
    ...rest,
    limits: { ...defaultLimits, ...limits },
  };
}
