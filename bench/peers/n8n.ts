import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import { freePort } from '../../test/helpers/ports.ts';
import { installed } from './install.ts';
import { runProgram, startProgram } from './processes.ts';
import { type Kind, kinds, oneByOne, type RunPeer } from './run-peer.ts';

const CODE: Record<Kind, string> = {
  trivial: 'return [{ json: { value: 1 } }];',
  line: `console.log('first line'); return [{ json: { value: 1 } }];`,
};
const Answer = z.object({ value: z.literal(1) });

/** A workflow with a path for each kind: a request to it starts its Code node, whose item is the answer. */
const WORKFLOW = {
  id: 'benchworkflow',
  name: 'bench',
  active: false,
  settings: { executionOrder: 'v1' },
  nodes: kinds.flatMap((kind, row) => [
    {
      id: `webhook-${kind}`,
      name: `Webhook ${kind}`,
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 200 * row],
      webhookId: `bench-${kind}`,
      parameters: { httpMethod: 'POST', path: kind, responseMode: 'lastNode', options: {} },
    },
    {
      id: `code-${kind}`,
      name: `Code ${kind}`,
      type: 'n8n-nodes-base.code',
      typeVersion: 2,
      position: [200, 200 * row],
      parameters: { jsCode: CODE[kind] },
    },
  ]),
  connections: Object.fromEntries(kinds.map((kind) => [`Webhook ${kind}`, { main: [[{ node: `Code ${kind}`, type: 'main', index: 0 }]] }])),
};

/**
 * n8n on SQLite, in its default mode: one main process, and one task runner beside it that executes the Code nodes. The answer to a request
 * is the end of its execution.
 */
export async function startN8n(parent: string): Promise<RunPeer> {
  const folder = await installed('n8n');
  const home = await mkdtemp(join(parent, 'n8n-'));
  const [port, brokerPort] = [await freePort(), await freePort()];
  const env = {
    HOME: home,
    N8N_USER_FOLDER: home,
    N8N_HOST: '127.0.0.1',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: String(port),
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    // It asks for a list in the internet at each start.
    N8N_DISABLED_MODULES: 'mcp-registry',
    DB_TYPE: 'sqlite',
  };
  const program = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
  const file = join(home, 'workflow.json');
  await writeFile(file, JSON.stringify([WORKFLOW]));
  await runProgram(process.execPath, [program, 'import:workflow', `--input=${file}`], { cwd: home, env });
  await runProgram(process.execPath, [program, 'publish:workflow', `--id=${WORKFLOW.id}`], { cwd: home, env });
  const server = await startProgram(process.execPath, [program, 'start'], { cwd: home, env, ready: /Editor is now accessible/ });
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8 });
  const ask = async (kind: Kind): Promise<{ status: number; text: string }> => {
    const { statusCode, body } = await pool.request({ method: 'POST', path: `/webhook/${kind}` });
    return { status: statusCode, text: await body.text() };
  };
  const run = async (kind: Kind): Promise<number> => {
    const began = performance.now();
    const { status, text } = await ask(kind);
    if (status !== 200 || !Answer.safeParse(JSON.parse(text)).success) throw new Error(`n8n answered ${status}: ${text.slice(0, 200)}`);
    return performance.now() - began;
  };
  // n8n listens before it knows its workflows.
  for (let tries = 0; tries < 300 && (await ask('line')).status === 404; tries++) await delay(100);
  return {
    async burst(kind, count) {
      const began = performance.now();
      await Promise.all(Array.from({ length: count }, () => run(kind)));
      return performance.now() - began;
    },
    singles: (kind, count) => oneByOne(count, () => run(kind)),
    async stop() {
      await pool.close();
      await server.stop();
    },
  };
}
