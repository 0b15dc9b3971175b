import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Json } from '../../contract/run-events.ts';
import type { Claim } from '../../contract/runner.ts';
import { callFingerprint } from '../../runner/call-key.ts';
import { recoverLapsed } from '../../server/automation/runs/life/recovery.ts';
import { offerDue } from '../../server/automation/runs/life/retry.ts';
import type { Db } from '../../server/db/open.ts';
import { type RawAnswer, RUNNER_TOKEN, type TestApp } from './app.ts';
import { servicesOf } from './services.ts';
import { cancelWaitingRuns, letLeaseEnd, letRetryBeDue } from './stored-rows/runs.ts';

/** Makes tasks, runs and claims through the API, as an admin and a runner do. */

type TaskBody = Parameters<TestApp['client']['ai_tasks']['create']>[0];
export type RunBody = NonNullable<Parameters<TestApp['client']['ai_tasks']['start_run']>[1]>;
type Settings = NonNullable<NonNullable<Parameters<TestApp['client']['ai_tasks']['update']>[1]>['settings']>;

let made = 0;

/** A priority above that of any run which a loop of the server opens meanwhile. */
const HIGHEST = 1000;

export async function makeTask(app: TestApp, values: Partial<TaskBody> = {}, settings?: Settings): Promise<number> {
  made += 1;
  const { task_id } = await app.client.ai_tasks.create({
    name: `Task ${made}`,
    description: '',
    source_code: 'log("hello");',
    permissions: ['admin_api.customers.write', 'admin_api.orders.read'],
    parameters: [],
    ...values,
  });
  if (settings) await app.client.ai_tasks.update(task_id, { settings });
  return task_id;
}

export type OpenRun = { taskId: number; runId: number; path: string };

export async function openRun(app: TestApp, body: RunBody = {}, taskId?: number): Promise<OpenRun> {
  const id = taskId ?? (await makeTask(app));
  const { run_id } = await app.client.ai_tasks.start_run(id, body);
  return { taskId: id, runId: run_id, path: `/admin/api/ai-tasks/${id}/runs/${run_id}` };
}

export type RunnerBody = { name?: string; slots?: number; wait_ms?: number; isolation?: string[] };

export async function claim(
  app: TestApp,
  { name = 'runner-1', slots = 1, wait_ms = 0, isolation = ['process'] }: RunnerBody = {},
): Promise<Claim[]> {
  const { claims } = await app.clientFor(RUNNER_TOKEN).runner.claim({ runner: { name, version: '1', isolation }, slots, wait_ms });
  return claims;
}

/** Cancels all waiting runs, so that no run of an earlier test can be claimed. */
export async function emptyQueue(app: TestApp): Promise<void> {
  await cancelWaitingRuns(app.store);
}

/** Opens a run and claims it; a first heartbeat confirms the claim. */
export async function claimedRun(app: TestApp, body: RunBody = {}, taskId?: number): Promise<ClaimedRun> {
  await emptyQueue(app);
  const run = await openRun(app, { priority: HIGHEST, ...body }, taskId);
  return { ...run, ...(await claimRun(app, run)) };
}

export type ClaimedRun = OpenRun & RunnerSide;
export type RunnerSide = {
  claim: Claim;
  /** Sends a host call with its key; `occurrence`: how often the same call was made before in this epoch. */
  call(method: string, path: string, body?: Json, options?: { occurrence?: number; epoch?: number }): Promise<RawAnswer>;
  /** Sends events with a PATCH; `key`: its Idempotency-Key. */
  report(events: readonly unknown[], key?: string): Promise<RawAnswer>;
};

/** Claims the next run, which must be this one. */
export async function claimRun(app: TestApp, run: OpenRun, runner: RunnerBody = {}): Promise<RunnerSide> {
  const [taken] = await claim(app, runner);
  assert.equal(taken?.run.id, run.runId, 'the claimed run must be the one that was opened');
  assert.ok(taken);
  const { token, report_token } = taken;
  const side: RunnerSide = {
    claim: taken,
    call: (method, path, body, { occurrence = 0, epoch = taken.epoch } = {}) =>
      app.request({
        method,
        path: `/admin/api${path}`,
        token,
        ...(body === undefined ? {} : { body }),
        headers: { 'idempotency-key': `"${epoch}/${callFingerprint(method, path, body)}/${occurrence}"` },
      }),
    report: (events, key) =>
      app.request({
        method: 'PATCH',
        path: run.path,
        token: report_token,
        body: { events },
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      }),
  };
  assert.equal((await side.report([])).status, 204, 'the first heartbeat must be accepted');
  return side;
}

/** Lets the lease of the run's claim lapse, and the server notice it. `unconfirmed`: as if no heartbeat had ever come. */
export async function lapse(app: TestApp, run: Pick<OpenRun, 'runId'>, how: 'confirmed' | 'unconfirmed' = 'confirmed'): Promise<void> {
  const open = (db: Db) => db.selectFrom('run_claims').select('id').where('run_id', '=', run.runId).where('ended_at', 'is', null);
  const claim = await open(app.store.reader).executeTakeFirst();
  // A report that the runner has already sent may arrive in between and renew the lease.
  do await lapseOnce(app, run, how);
  while (claim && (await open(app.store.reader).where('id', '=', claim.id).executeTakeFirst()));
}

/** Lets the time until the run's next attempt pass, and the server notice it. */
export async function passRetryDelay(app: TestApp, { runId }: Pick<OpenRun, 'runId'>): Promise<void> {
  await letRetryBeDue(app.store, runId);
  await offerDue(await servicesOf(app.store));
}

async function lapseOnce(app: TestApp, run: Pick<OpenRun, 'runId'>, how: 'confirmed' | 'unconfirmed'): Promise<void> {
  await letLeaseEnd(app.store, run.runId, how);
  await recoverLapsed(await servicesOf(app.store));
}

export function codeOf(answer: RawAnswer): [number, unknown] {
  return [answer.status, typeof answer.body === 'object' && answer.body !== null && 'code' in answer.body ? answer.body.code : null];
}

export function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Object.getOwnPropertyDescriptor(body, name)?.value : undefined;
}

let errors = 0;

/** A message of an error that no other run has; without digits, because runs whose messages differ in numbers end with the same error. */
export function otherError(): string {
  errors += 1;
  return [...errors.toString(2)].map((digit) => (digit === '0' ? 'a' : 'b')).join('');
}

/** The number of rows of every table, without those that only store when somebody was last seen. */
export async function countRows(app: TestApp): Promise<Record<string, number>> {
  const tables = [
    'audit_log',
    'log_entries',
    'domain_events',
    'notifications',
    'idempotency',
    'customer_notes',
    'credit_buckets',
    'credit_transactions',
    'stock_movements',
    'order_statuses',
    'tasks',
    'task_versions',
    'lineages',
    'runs',
    'run_events',
    'run_results',
    'journal',
    'run_effects',
    'lineage_memory',
  ];
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(app.store.reader);
    counts[table] = Number(rows[0]?.n);
  }
  return counts;
}
