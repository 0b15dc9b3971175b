import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { OWNER_TOKEN } from '../helpers/app.ts';
import { type Machines, startMachines } from '../helpers/machines.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const KILLS = 2;
const TASKS = 6;
const RUNS = 5;

const Made = z.object({ task_id: z.int(), version_id: z.int() });
type Sent = { taskId: number; versionId: number; decision: 'approved' | 'revoked'; isAnswered: boolean };

describe('AP5: a server that is killed while versions are approved and revoked', { timeout: 300_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, () => suite(() => startMachines(engine)));
});

function suite(start: () => Promise<Machines>): void {
  let machines: Machines;
  let author: string;
  before(async () => {
    machines = await start();
    const { id } = await machines.client.admins.create({ name: 'Author', email: 'author@shop.example', role: 'owner' });
    author = (await machines.client.admins.create_token(id, { name: 'author' })).token ?? assert.fail('shown once');
    await machines.client.settings.update({ approval_policy: 'second_admin' });
  });
  after(() => machines.close());

  test('each decision is stored with everything that belongs to it, or not at all', async () => {
    const done = { approved: 0, revoked: 0 };
    for (let kill = 0; kill < KILLS; kill++) {
      const pending = await Promise.all(Array.from({ length: TASKS }, makePending));
      const approved = await Promise.all(Array.from({ length: TASKS }, makeRunning));
      const first = Promise.withResolvers<void>();
      const decide = async ({ taskId, versionId }: Pending, decision: Sent['decision'], body: object): Promise<Sent> => {
        const path = `/ai-tasks/${taskId}/versions/${versionId}/${decision === 'approved' ? 'approve' : 'revoke'}`;
        const status = await post(OWNER_TOKEN, path, body).then(
          (answer) => answer.status,
          () => null,
        );
        if (status !== null) first.resolve();
        return { taskId, versionId, decision, isAnswered: status === 200 || status === 204 };
      };
      const sent = pending.map((one, n) => [
        decide(one, 'approved', one.seen),
        decide(approved[n] ?? assert.fail('as many'), 'revoked', {}),
      ]);
      await first.promise;
      await machines.server().stop('SIGKILL');
      const all = await Promise.all(sent.flat());
      await machines.startServer();
      for (const one of all) if (await assertWhole(one)) done[one.decision] += 1;
    }
    assert.ok(done.approved + done.revoked > 0, 'at least one decision must have been stored');
  });

  type Pending = Awaited<ReturnType<typeof makePending>>;

  function post(token: string, path: string, body: object): Promise<Response> {
    return fetch(`${machines.proxy.url}/admin/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async function makePending() {
    const made = await post(author, '/ai-tasks', {
      name: 'n',
      description: '',
      source_code: 'log(1);',
      permissions: ['admin_api.orders.read'],
      parameters: [],
    });
    const { task_id: taskId, version_id: versionId } = Made.parse(await made.json());
    const { source_sha256 } = await machines.client.ai_tasks.get_version(taskId, versionId);
    return { taskId, versionId, seen: { source_sha256, permissions: ['admin_api.orders.read'] } };
  }

  async function makeRunning(): Promise<Pending> {
    const made = await makePending();
    await machines.client.ai_tasks.approve_version(made.taskId, made.versionId, made.seen);
    for (let n = 0; n < RUNS; n++) await machines.client.ai_tasks.start_run(made.taskId, {});
    return made;
  }

  /** Whether the decision was stored. */
  async function assertWhole({ taskId, versionId, decision, isAnswered }: Sent): Promise<boolean> {
    const { client, store } = machines;
    const { approval } = await client.ai_tasks.get_version(taskId, versionId);
    const isMade = approval === decision;
    assert.ok(isMade || !isAnswered, 'a decision that was answered must be stored');
    assert.equal(approval, isMade ? decision : decision === 'approved' ? 'pending' : 'approved');
    const records = (await client.ai_tasks.list_version_approvals(taskId, versionId)).map((record) => record.decision);
    assert.equal(records.includes(decision), isMade);
    assert.equal((await client.ai_tasks.get(taskId)).task.current_version_id, approval === 'approved' ? versionId : null);
    const { data } = await client.audit_log.list({ resource_type: 'task_version', resource_id: versionId });
    assert.deepEqual(
      data.map(({ changes }) => changes['approval']?.[1]),
      records,
    );
    const runs = await store.reader.selectFrom('runs').select(['status', 'end_reason']).where('task_id', '=', taskId).execute();
    const expected = decision === 'approved' ? [] : Array.from({ length: RUNS }, () => (isMade ? 'cancelled/revoked' : 'running/null'));
    assert.deepEqual(
      runs.map(({ status, end_reason }) => `${status}/${end_reason}`),
      expected,
    );
    return isMade;
  }
}
