import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { startApp, type TestApp } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';

/** Checks the agents' door with the protocol's own conformance suite and the command line of its inspector (spec MC1). */

const run = promisify(execFile);
const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const CONFORMANCE = pathOf('../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const INSPECTOR = pathOf('../../node_modules/.bin/mcp-inspector');

let app: TestApp;
let token: string;
let proxy: http.Server;
before(async () => {
  app = await startApp('sqlite');
  const agent = await app.client.me.create_agent({ name: 'laptop', permissions: ['admin_api.orders.read', 'admin_api.ai_tasks.write'] });
  token = agent.token ?? '';
  proxy = await openProxy();
});
after(async () => {
  proxy.close();
  await app.close();
});

/** The suite has no way to send a token, so this adds it. */
async function openProxy(): Promise<http.Server> {
  const to = new URL(app.url);
  const server = http.createServer((request, response) => {
    const { method, url, headers } = request;
    const sent = { ...headers, authorization: `Bearer ${token}` };
    const onward = http.request({ host: to.hostname, port: to.port, method, path: url, headers: sent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once('error', (error) => response.destroy(error));
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Runs a program with Node; the error of one that fails contains its output. */
async function node(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, args).catch((error) =>
    assert.fail(`${error.message}\n${error.stdout.slice(-1200)}${error.stderr}`),
  );
  return stdout;
}

for (const revision of ['2026-07-28', '2025-11-25']) {
  test(`the conformance suite of ${revision} finds what is expected, and nothing else`, async () => {
    const address = proxy.address();
    assert.ok(address !== null && typeof address === 'object');
    const expected = pathOf(`expected-failures-${revision}.yaml`);
    const url = `http://127.0.0.1:${address.port}/mcp`;
    const said = await node(CONFORMANCE, 'server', '--url', url, '--requirements', revision, '--expected-failures', expected);
    assert.match(said, /tools-list: \d+ passed, 0 failed/);
  });
}

for (const era of ['legacy', 'modern']) {
  test(`the inspector's command line lists and calls tools (${era})`, async () => {
    const order = await makeOrder(app);
    const header = ['--header', `Authorization: Bearer ${token}`];
    const inspector = async (...args: string[]): Promise<unknown> =>
      JSON.parse(
        await node(
          INSPECTOR,
          '--cli',
          `${app.url}/mcp`,
          '--transport',
          'http',
          '--protocol-era',
          era,
          '--format',
          'json',
          ...header,
          ...args,
        ),
      );
    const listed = await inspector('--method', 'tools/list', '--strict');
    const Listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });
    assert.ok(Listed.parse(listed).result.tools.some(({ name }) => name === 'submit'));
    const asked = JSON.stringify({ operation: 'orders.get', params: { id: order.id } });
    const answer = await inspector('--method', 'tools/call', '--tool-name', 'call', '--tool-args-json', asked);
    const Answer = z.object({
      result: z.object({ structuredContent: z.object({ untrusted_data: z.object({ id: z.number() }) }) }),
    });
    assert.equal(Answer.parse(answer).result.structuredContent.untrusted_data.id, order.id);
  });
}
