import { Pool } from 'undici';
import { z } from 'zod';
import type { Ledger } from './ledger.ts';

export type Reply = { status: number; body: unknown; etag: string | undefined };
export type Call = {
  action: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Refusals that concurrent requests can cause: the codes by status. */
  mayRefuse?: Readonly<Record<number, readonly string[]>>;
};
export type Client = { call(call: Call): Promise<Reply>; close(): Promise<void> };

const Refused = z.object({ code: z.string(), detail: z.string().optional() });
const NO_ANSWER = 599;

/** Makes a client that records every answer. A server error, or a refusal that is not in `mayRefuse`, is a fault. */
export function connect(url: string, token: string, connections: number, ledger: Ledger): Client {
  const pool = new Pool(url, { connections, headersTimeout: 30_000, bodyTimeout: 30_000 });
  return {
    call: async ({ action, method, path, body, headers = {}, mayRefuse = {} }) => {
      const from = performance.now();
      let reply: Reply;
      try {
        const answer = await pool.request({
          method,
          path: `/admin/api${path}`,
          headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          body: body === undefined ? null : JSON.stringify(body),
        });
        const text = await answer.body.text();
        const etag = answer.headers['etag'];
        reply = {
          status: answer.statusCode,
          body: text === '' ? null : JSON.parse(text),
          etag: typeof etag === 'string' ? etag : undefined,
        };
      } catch (error) {
        reply = { status: NO_ANSWER, body: { code: String(error) }, etag: undefined };
      }
      ledger.record(action, reply.status, performance.now() - from);
      if (reply.status >= 400) {
        const { code = '', detail = '' } = Refused.safeParse(reply.body).data ?? {};
        const expected = mayRefuse[reply.status]?.includes(code) ?? false;
        if (!expected)
          ledger.faults.push(`${action} ${method} ${path} ${JSON.stringify(body)?.slice(0, 300)}: ${reply.status} ${code} ${detail}`);
      }
      return reply;
    },
    close: () => pool.destroy(),
  };
}
