import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Json } from '../../../contract/run-events.ts';
import type { SentSignal } from '../../../contract/signals.ts';
import { SIGNAL_DAYS, SIGNAL_EVENT, SIGNALS_KEPT } from '../../../contract/wait-rules.ts';
import type { Ctx, TaskActor } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { Retention } from '../../verbs/retention.ts';
import { readPermissions } from '../grants/read-permissions.ts';
import { lockRun } from '../runs/rows/domain.ts';
import { learnContents, permissionsOfRun } from '../runs/rows/output-permissions.ts';
import { chosenTask } from '../task-starts/domain.ts';
import { requireAliveTask } from '../tasks/domain.ts';
import { missingForVersion, requireMayBeGiven } from '../tasks/given.ts';
import { endWaiting, foundBy } from '../trigger-queue/waits.ts';
import * as store from './signals-store.ts';

/** Signals that no run has waited for. */
export const signalRetention: Retention = { days: () => SIGNAL_DAYS, deleteBatch: store.deleteOldSignals };

export async function signalRun(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.signal_run']>): Promise<SentSignal> {
  return toRun(ctx, { taskId: params.id, runId: params.run_id, key: body.key ?? '', value: body.value });
}

export async function signalTask(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.signal']>): Promise<SentSignal> {
  return toKey(ctx, { taskId: params.id, ...body });
}

/** To a run of another task, which the version of the calling run may start. */
export async function signalOther(ctx: Ctx, { body }: InputOf<Endpoints['task_runs.signal']>): Promise<SentSignal> {
  if (ctx.actor.type !== 'task')
    throw new Refusal('forbidden', 'Only a run can send a signal in this way, because its version says to which tasks.');
  const { task, run_id: runId, key, value } = body;
  const taskId = await chosenTask(ctx, ctx.actor, task);
  if (runId !== undefined) return toRun(ctx, { taskId, runId, key: key ?? '', value });
  if (key === undefined) throw refuseValue('required', '/key', 'is required without run_id');
  return toKey(ctx, { taskId, key, value });
}

type Sent = { taskId: number; key: string; value: Json };

async function toRun(ctx: Ctx, { taskId, runId, key, value }: Sent & { runId: number }): Promise<SentSignal> {
  const run = await lockRun(ctx.db, runId);
  if (run?.task_id !== taskId) throw notFound('run', runId);
  if (run.status !== 'running' && run.status !== 'interrupted')
    throw new Refusal('run_not_running', `Run ${runId} is ${run.status}; it waits for nothing any more.`);
  const permissions = await permissionsOfSender(ctx);
  const taker = { taskId, versionId: run.version_id };
  await requireMayBeGiven(ctx.db, taker, permissions, 'The signal', 'signal_not_allowed');
  noteSent(ctx, { type: 'run', id: runId }, key);
  return deliver(ctx, { taskId, lineageId: run.lineage_id, key }, value, permissions);
}

async function toKey(ctx: Ctx, { taskId, key, value }: Sent): Promise<SentSignal> {
  await requireAliveTask(ctx.db, taskId);
  await lockKey(ctx, taskId, key);
  noteSent(ctx, { type: 'task', id: taskId }, key);
  return deliver(ctx, { taskId, lineageId: null, key }, value, await permissionsOfSender(ctx));
}

/** What a run sends may contain whatever it could read; an admin knows what to send. */
function permissionsOfSender({ db, actor }: Ctx): Promise<string[]> {
  return actor.type === 'task' ? permissionsOfRun(db, actor.runId) : Promise.resolve([]);
}

/** Gives the signal to the wait that is the oldest, or keeps it. The caller has locked the run, or the key. */
async function deliver(ctx: Ctx, box: store.Box, value: Json, permissions: readonly string[]): Promise<SentSignal> {
  const text = JSON.stringify(value);
  const kept = {
    task_id: box.taskId,
    lineage_id: box.lineageId,
    key: box.key,
    value: text,
    permissions: JSON.stringify(permissions),
    at: ctx.now,
  };
  if ((await store.countKept(ctx.db, box)) >= SIGNALS_KEPT)
    throw new Refusal('too_many', `${SIGNALS_KEPT} signals wait to be taken already, the most that are kept.`);
  const id = await store.insertSignal(ctx.db, kept);
  for (const receiver of await store.selectReceivers(ctx.db, box, keyOf(box))) {
    if ((await missingForVersion(ctx.db, receiver.version_id, permissions)).length > 0) continue;
    if (box.lineageId === null) await lockRun(ctx.db, receiver.run_id);
    const shown = shownSignal({ ...kept, id });
    if (!(await endWaiting(ctx, receiver.id, shown))) continue;
    await learnContents(ctx.db, { lineageId: receiver.lineage_id, runId: receiver.run_id }, permissions);
    await store.removeSignal(ctx.db, id);
    return { id, taken: true };
  }
  return { id, taken: false };
}

/** A signal that was sent before the run waits for it; the run is locked. */
export async function takeKept(ctx: Ctx, { taskId, lineageId, runId, versionId }: TaskActor, key: string): Promise<Json> {
  await lockKey(ctx, taskId, key);
  for (const box of [{ taskId, lineageId, key }, ...(key === '' ? [] : [{ taskId, lineageId: null, key }])]) {
    for (const signal of await store.selectKept(ctx.db, box)) {
      const permissions = readPermissions(signal.permissions);
      if ((await missingForVersion(ctx.db, versionId, permissions)).length > 0) continue;
      await store.removeSignal(ctx.db, signal.id);
      await learnContents(ctx.db, { lineageId, runId }, permissions);
      return shownSignal(signal);
    }
  }
  return null;
}

/** By what the waits of a task's runs for a key are found. */
export function keyOf({ taskId, key }: Pick<store.Box, 'taskId' | 'key'>): string {
  return foundBy(`${SIGNAL_EVENT}${taskId}:${key}`, {});
}

function shownSignal({ id, key, at, value }: Pick<store.Signal, 'id' | 'key' | 'at' | 'value'>): Json {
  return { id, type: key === '' ? 'signal' : `${SIGNAL_EVENT}${key}`, at, data: JSON.parse(value) };
}

/** A signal and a wait for it that come at the same time see one another. */
async function lockKey(ctx: Ctx, taskId: number, key: string): Promise<void> {
  if (!ctx.dialect.oneWriter && key !== '') await ctx.dialect.lockName(ctx.db, `signal ${taskId} ${key}`);
}

/** A key that a script chose may be about people; the audit log would keep it too long. */
function noteSent(ctx: Ctx, resource: { type: 'run' | 'task'; id: number }, key: string): void {
  const sent = { signal: [null, key] } satisfies Record<string, [unknown, unknown]>;
  const to = `sent to ${resource.type} ${resource.id}`;
  if (ctx.actor.type === 'task') ctx.audit({ resource, changes: {}, shown: sent, summary: `Signal ${to}` });
  else ctx.audit({ resource, changes: sent, summary: key === '' ? `Signal ${to}` : `Signal "${key}" ${to}` });
}
