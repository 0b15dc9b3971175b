import { isChangeType } from '../../../contract/changes.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { LoggedEvent } from '../../../contract/run-events.ts';
import type { UndoConflict, UndoRow } from '../../../contract/undo.ts';
import { imagesText } from '../../db/row-images.ts';
import { type Notes, storeNotes } from '../../resources/audit/domain.ts';
import { type AuditEntry, actingAdmin, type Ctx, NOTHING_PREPARED, type TaskActor } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { applicationOf, applyRun, lockDryRun } from '../dry-runs/apply.ts';
import { requireApplier } from '../dry-runs/second-person.ts';
import { appendLines } from '../runs/log/log.ts';
import { beginLineage, changeRun, findRun, insertRun, type RunRow } from '../runs/rows/domain.ts';
import { joinedPermissions, requireReads } from '../runs/rows/output-permissions.ts';
import { requireTask } from '../tasks/domain.ts';
import { eventsOf } from './events.ts';
import { type DoneWrite, deletionOf, endpointOf } from './judging.ts';
import { pauses } from './pauses.ts';
import { inverse, readPlan, readWrite, requirePermissions } from './plan.ts';
import { type Restored, restoreRows } from './restore.ts';

type Applied = { run_id: number; version_id: number };

/** Carries out the plan of a dry run, or of an undo. */
export async function applyPlan(ctx: Ctx, input: InputOf<Endpoints['ai_tasks.apply_run']>): Promise<Applied> {
  const { id, run_id: runId } = input.params;
  const run = await findRun(ctx.db, id, runId);
  if (run && run.undo_of_run_id !== null && run.dry_run === 1) return applyUndo(ctx, input, run.undo_of_run_id);
  if (input.body.rows) throw refuseValue('invalid_value', '/rows', 'only the plan of an undo is carried out in part');
  return applyRun(ctx, input);
}

/**
 * Carries out the rows of an undo's plan in one transaction, as a run of its own, whose effects can be taken back in turn. Where a record is
 * not as it was when the plan was made, nothing is done (spec UN7).
 */
async function applyUndo(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.apply_run']>, undoneId: number): Promise<Applied> {
  const task = await requireTask(ctx.db, params.id);
  const planned = await lockDryRun(ctx, params.run_id);
  await requireReads(ctx.db, ctx.actor, planned.id);
  const rows = chosenOf(await readPlan(ctx, planned), body.rows);
  if (rows.length === 0) throw new Refusal('not_applicable', `The plan of run ${planned.id} has no row that can be carried out.`);
  const needed = requirePermissions(ctx, rows);
  await requireApplier(
    ctx,
    task,
    planned,
    rows.map(({ changes }) => ({ outcome: { effects: changes } })),
  );
  await ctx.decide(await applicationOf(ctx, task, planned, ['apply_plan'], { rows: rows.map(({ position }) => position) }));
  const run = await openApplying(ctx, planned, undoneId, needed);
  const actor: TaskActor = {
    ...actingAdmin(ctx),
    ...{ type: 'task', runId: run.id, taskId: task.id, versionId: planned.version_id, lineageId: run.lineageId },
    permissions: needed,
    dryRun: false,
    replay: null,
    // No runner has claimed this run; a request that needs a claim is therefore refused as fenced.
    claimId: 0,
    token: 'call',
    limits: null,
  };
  const written = new Set<string>();
  const pause = pauses();
  for (const row of rows) {
    await carryOut(ctx, actor, row, written);
    await pause();
  }
  const start: LoggedEvent = {
    kind: 'log',
    line: `undo of run ${undoneId}: ${rows.length} ${rows.length === 1 ? 'write' : 'writes'} taken back`,
  };
  const lines = rows.map(({ method, path }): LoggedEvent => ({ kind: 'log', line: `taken back: ${method} ${path}` }));
  const log = await appendLines(ctx, { id: run.id, log_lines: 0, log_bytes: 0, log_calls: 0 }, [start, ...lines], { source: 'server' });
  await changeRun(ctx.db, run.id, log);
  await changeRun(ctx.db, planned.id, { applied_by_run_id: run.id });
  ctx.audit({
    resource: { type: 'run', id: run.id },
    changes: { status: [null, 'success'], undo_of_run_id: [null, undoneId], dry_run_id: [null, planned.id] },
    summary: `Task "${task.name}": run ${run.id} took back ${rows.length} ${rows.length === 1 ? 'write' : 'writes'} of run ${undoneId}`,
  });
  return { run_id: run.id, version_id: planned.version_id };
}

/** The rows that are carried out, in the order of the plan. */
function chosenOf(rows: readonly UndoRow[], positions: readonly number[] | undefined): UndoRow[] {
  if (!positions) return rows.filter(({ state }) => state === 'ready');
  for (const [index, position] of positions.entries()) {
    const row = rows[position - 1];
    if (!row) throw refuseValue('invalid_value', `/rows/${index}`, `the plan has no row ${position}`);
    if (row.state === 'already_as_before' || !row.choosable) {
      const why = row.state === 'already_as_before' ? 'everything is as before.' : (row.reason ?? 'what it changed is no longer there.');
      throw new Refusal('not_applicable', `Row ${position} cannot be carried out: ${why}`);
    }
  }
  return rows.filter(({ position }) => positions.includes(position));
}

async function carryOut(ctx: Ctx, actor: TaskActor, row: UndoRow, written: Set<string>): Promise<void> {
  const write = await readWrite(ctx.db, { runId: row.run_id, call: row.call });
  const found = endpointOf(row.method, row.path);
  const undo = found?.endpoint.undo;
  if (found && typeof undo === 'object' && 'deletes' in undo) {
    const { method, path } = deletionOf(undo.deletes, found.params, write.effects[0]?.resource.id ?? 0);
    const { status, body } = await ctx.perform({ method, path, body: null, prepared: NOTHING_PREPARED }, { actor, random: ctx.random });
    if (status >= 400) throw outdated(row, `${method} ${path} is refused: ${body}`);
    return;
  }
  const taskCtx: Ctx = { ...ctx, actor };
  const done = await restoreRows(taskCtx, write, { chosen: row.state === 'conflict', runId: actor.runId });
  refuseChanged(row, done, written);
  for (const { table, key, after } of done.images) {
    for (const column of Object.keys(after ?? {})) written.add(`${table} ${Object.values(key).join(', ')} ${column}`);
    written.add(`${table} ${Object.values(key).join(', ')} null`);
  }
  const notes: Notes = { entries: entriesOf(write, row), events: eventsOf(done.images) };
  await storeNotes(taskCtx, notes, {
    endpointId: row.endpoint,
    ...{ method: row.method, path: row.path, status: 200 },
    images: imagesText(done.images),
  });
}

/** Refuses a row that is not as it was in the plan; what this undo has itself changed by a newer row does not count. */
function refuseChanged(
  row: UndoRow,
  done: Pick<Restored, 'isDone' | 'state' | 'reason' | 'conflicts'>,
  written: ReadonlySet<string>,
): void {
  const isOwn = ({ record, field }: UndoConflict): boolean => written.has(`${record} ${field}`);
  const other = done.conflicts.find((one) => {
    const expected = row.conflicts.find(({ record, field }) => record === one.record && field === one.field);
    return !isOwn(one) && (!expected || expected.now !== one.now);
  });
  if (other)
    throw outdated(
      row,
      `${other.record}${other.field === null ? '' : `, ${other.field},`} has ${JSON.stringify(other.now).slice(0, 200)} now`,
      other,
    );
  if (!done.isDone || (row.state === 'ready' && done.state !== 'ready'))
    throw outdated(row, done.reason ?? `its state is ${done.state} now`);
}

function outdated(row: UndoRow, why: string, difference?: UndoConflict): Refusal {
  return new Refusal(
    'plan_outdated',
    `Row ${row.position} of the plan, ${row.method} ${row.path}: ${why}; nothing was written. Make a new plan.`,
    {
      extra: { write: { position: row.position, method: row.method, path: row.path }, ...(difference && { difference }) },
    },
  );
}

function entriesOf(write: DoneWrite, { conflicts, path }: UndoRow): AuditEntry[] {
  const orderId = Number(/^\/orders\/(\d+)\//.exec(path)?.[1]);
  return inverse(write, conflicts).map(({ resource: { type, id }, changes }, n) => ({
    resource: { type: isChangeType(type) ? type : 'call', id },
    customerId: write.effects[n]?.customerId ?? null,
    ...(Number.isNaN(orderId) ? {} : { orderId }),
    changes,
    summary: `Undo of run ${write.runId}: ${write.method} ${write.path} taken back`,
  }));
}

/** Inserts the run that stands for the undo. It cannot be resumed, so its lineage has no journal and no seed. */
async function openApplying(
  ctx: Ctx,
  planned: RunRow,
  undoneId: number,
  own: Iterable<string>,
): Promise<{ id: number; lineageId: string }> {
  const { adminId } = actingAdmin(ctx);
  const lineageId = await beginLineage(ctx.db, {
    ...{ seed: '', epoch: 0, startedAt: ctx.now, shop: null, began_at: null },
    permissions: await joinedPermissions(ctx.db, own, planned.id),
  });
  const id = await insertRun(ctx, {
    ...{ task_id: planned.task_id, version_id: planned.version_id, lineage_id: lineageId },
    ...{ status: 'success', parameters: '{}', finished_at: ctx.now, executor: 'external', end_reason: 'completed' },
    ...{ started_by: `admin:${adminId}`, started_by_admin_id: adminId, undo_of_run_id: undoneId },
  });
  return { id, lineageId };
}
