import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Run } from '../../contract/runs.ts';
import type { RawAnswer, TestApp } from './app.ts';
import { field, makeTask } from './runs.ts';

type Body = Parameters<TestApp['client']['ai_tasks']['create_hook']>[1];
export type MadeHook = { id: number; taskId: number; address: string };

/** Makes hooks, and calls them as other systems do. */
export function hooks(app: () => TestApp) {
  const make = async (body: Partial<Body> = {}, taskId?: number, client = app().client): Promise<MadeHook> => {
    const id = taskId ?? (await makeTask(app(), { parameters: [{ name: 'payload', kind: 'json' }] }));
    const made = await client.ai_tasks.create_hook(id, { name: 'Hook', parameter: 'payload', rate_per_minute: 6000, ...body });
    assert.ok(made.url_path);
    return { id: made.id, taskId: id, address: made.url_path };
  };
  const call = (address: string, raw: string | Buffer = '', headers: Record<string, string> = {}): Promise<RawAnswer> =>
    app().request({ method: 'POST', path: address, raw, headers, token: null });
  const runsOf = async ({ taskId }: MadeHook): Promise<Run[]> => app().client.ai_tasks.list_runs(taskId);
  /** The id of the run that the call opened. */
  const runOf = ({ status, body, text }: RawAnswer): number => {
    assert.ok(status === 202 || status === 200, text);
    return Number(field(body, 'run_id'));
  };
  const rejections = async ({ id }: MadeHook) =>
    (await app().client.logs.list({ source: 'webhook' })).logs.filter(({ detail }) => JSON.parse(detail ?? '{}').hook_id === id);
  return { make, call, runsOf, runOf, rejections };
}

export function macOf(secret: string, body: string | Buffer, { algorithm = 'sha256', encoding = 'hex' as 'hex' | 'base64' } = {}): string {
  return createHmac(algorithm, secret).update(body).digest(encoding);
}

/** A signature as Stripe makes it. */
export function stripeSignature(secret: string, body: string, atMs = Date.now()): string {
  const time = Math.floor(atMs / 1000);
  return `t=${time},v1=${macOf(secret, `${time}.${body}`)}`;
}
