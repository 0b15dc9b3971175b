import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { z } from 'zod';
import { OWNER_TOKEN, onBothStores, RUNNER_TOKEN, startApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { rawHttp } from '../helpers/raw-http.ts';
import { claimedRun } from '../helpers/runs.ts';

const Line = z.looseObject({
  level: z.int(),
  msg: z.literal('request'),
  request_id: z.string(),
  method: z.string(),
  route: z.string().optional(),
  path: z.string(),
  status: z.int(),
  ms: z.number().min(0),
  bytes: z.int().min(1),
  actor: z.object({ type: z.string(), id: z.int().optional(), task_id: z.int().optional(), run_id: z.int().optional() }).optional(),
  ip: z.literal('127.0.0.1'),
  cut_off: z.boolean().optional(),
});
type Line = z.infer<typeof Line>;

let lines: string[] = [];
let sent = 0;

function linesOf(id: string): Line[] {
  return lines
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => Line.parse(JSON.parse(line)))
    .filter(({ request_id }) => request_id === id);
}

onBothStores(
  'the access log',
  (app) => {
    before(() => {
      lines = [];
    });

    /** Sends a request and waits for its line, of which there is exactly one. */
    async function logged({ headers = {}, ...request }: Parameters<ReturnType<typeof app>['request']>[0]): Promise<Line> {
      sent += 1;
      const id = `logged-${sent}`;
      await app().request({ ...request, headers: { ...headers, 'x-request-id': id } });
      return theLine(id);
    }

    async function theLine(id: string): Promise<Line> {
      const line = await until(`the line of ${id}`, () => linesOf(id)[0]);
      assert.equal(linesOf(id).length, 1);
      return line;
    }

    test('a line has the route, the path without its query, the status, and who asked', async () => {
      const { claim, taskId, runId } = await claimedRun(app());
      const { id: adminId } = await app().client.me.get();
      const path = '/admin/api/orders/424242';
      for (const [request, expected] of [
        [
          { path: `${path}?q=query-value-1` },
          { method: 'GET', route: '/admin/api/orders/{id}', path, status: 404, actor: { type: 'admin', id: adminId } },
        ],
        [
          { path: '/admin/api/orders', token: claim.token, headers: { 'idempotency-key': `"0/${'a'.repeat(64)}/0"` } },
          {
            method: 'GET',
            route: '/admin/api/orders',
            path: '/admin/api/orders',
            status: 200,
            actor: { type: 'run', task_id: taskId, run_id: runId },
          },
        ],
        [
          { method: 'PATCH', path: `/admin/api/ai-tasks/${taskId}/runs/${runId}`, token: claim.report_token, body: { events: [] } },
          { route: '/admin/api/ai-tasks/{id}/runs/{run_id}', status: 204, actor: { type: 'runner', task_id: taskId, run_id: runId } },
        ],
        [
          { path: '/admin/api/runner/status', token: RUNNER_TOKEN },
          { route: '/admin/api/runner/status', status: 200 },
        ],
        [
          { method: 'POST', path: '/admin/api/sign-in', token: null, body: { code: 'x'.repeat(43) } },
          { status: 422, actor: { type: 'guest' } },
        ],
        [
          { path: '/admin/api/orders', token: null },
          { route: undefined, status: 401, actor: undefined },
        ],
        [{ path: '/admin/api/nowhere' }, { route: undefined, path: '/admin/api/nowhere', status: 404 }],
        [
          { method: 'PUT', path: '/admin/api/orders' },
          { method: 'PUT', status: 405 },
        ],
        [
          { path: '/healthz', token: null },
          { route: '/healthz', path: '/healthz', status: 200, actor: undefined },
        ],
      ] as const) {
        const line = await logged(request);
        const shown = Object.fromEntries(Object.keys(expected).map((name) => [name, line[name]]));
        assert.deepEqual(shown, expected, JSON.stringify(request));
      }
      assert.equal((await logged({ path: '/admin/api/runner/status', token: RUNNER_TOKEN })).actor?.type, 'runner');
    });

    test('secrets in paths are never logged: of links, hooks, files and unsubscriptions, also misspelt ones', async () => {
      for (const path of [
        ...['/downloads/secret-1', '/downloads/once/secret-2', '/media/secret-3', '/labels/secret-4', '/unsubscribe/secret-5'],
        ...['/DOWNLOADS/secret-6', '//downloads/secret-7', '/download%73/secret-8', '/admin/apis/secret-9', '/hooks/1/secret-10'],
        ...['/sign-in?code=secret-11', '/admin/api/orders?token=secret-12', '/sign-in/secret-13', 'http://host/downloads/secret-14'],
      ]) {
        await logged({ path, token: null });
      }
      await logged({ method: 'POST', path: '/hooks/1/secret-15', token: null, body: {} });
      await logged({ method: 'POST', path: '/admin/api/sign-in', token: null, body: { code: `secret-16-${'x'.repeat(33)}` } });
      const all = lines.join('\n');
      assert.doesNotMatch(all, /secret-\d/);
      for (const token of [OWNER_TOKEN, RUNNER_TOKEN]) assert.ok(!all.includes(token));
    });

    test('a line counts the bytes that were sent', async () => {
      const small = await logged({ path: '/healthz', token: null });
      const large = await logged({ path: '/openapi.json', token: null });
      const { text } = await app().request({ path: '/openapi.json', token: null });
      const size = Buffer.byteLength(text);
      assert.ok(large.bytes >= size && large.bytes < size + 2000, `${large.bytes} for ${size}`);
      assert.ok(small.bytes < 2000);
    });

    test('a stream is logged when it ends, and an answer that its client did not take whole as cut off', async () => {
      const head = `GET /admin/api/changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${OWNER_TOKEN}\r\nX-Request-Id: left-early\r\n\r\n`;
      // It leaves when the server has been silent for a moment.
      const { statuses } = await rawHttp(app().url, head);
      assert.deepEqual(statuses, [200]);
      const line = await theLine('left-early');
      assert.deepEqual([line.status, line.cut_off, line.route], [200, true, '/admin/api/changes']);
    });
  },
  () => ({ env: { ACCESS_LOG: 'info', RATE_LIMIT: '0' }, log: (line) => void lines.push(line) }),
);

test('the level of the lines can be set, and they can be switched off', async () => {
  const DEBUG = 20;
  for (const [env, levels] of [
    [{}, [DEBUG]],
    [{ ACCESS_LOG: 'off' }, []],
    // The log of the tests shows debug and above.
    [{ ACCESS_LOG: 'trace' }, []],
  ] as const) {
    const own: string[] = [];
    const quiet = await startApp('sqlite', { env, log: (line) => void own.push(line) });
    await quiet.request({ path: '/healthz', token: null });
    await quiet.close();
    const found = own
      .map((line) => z.looseObject({ level: z.int(), msg: z.string() }).parse(JSON.parse(line)))
      .filter(({ msg }) => msg === 'request');
    assert.deepEqual(
      found.map(({ level }) => level),
      levels,
      JSON.stringify(env),
    );
  }
});
