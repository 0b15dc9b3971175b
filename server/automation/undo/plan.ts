import { z } from 'zod';
import { isChangeType } from '../../../contract/changes.ts';
import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { Json } from '../../../contract/run-events.ts';
import { UNDONE_WRITES, type UndoReason, UndoRow } from '../../../contract/undo.ts';
import { rolledBack } from '../../db/queries/savepoint.ts';
import { readImages } from '../../db/row-images.ts';
import { storeEffects } from '../../resources/audit/domain.ts';
import { type AuditEntry, actingAdmin, agentTokenOf, type Ctx, may } from '../../verbs/context.ts';
import { notFound, Refusal, refusePermission } from '../../verbs/problem.ts';
import { insertPlanned, selectPlan } from '../dry-runs/domain.ts';
import { beginLineage, findRun, insertRun, type RunRow } from '../runs/rows/domain.ts';
import { joinedPermissions, requireReads } from '../runs/rows/output-permissions.ts';
import { requireTask } from '../tasks/domain.ts';
import { type DoneEffect, type DoneWrite, endpointOf } from './judging.ts';
import { type Restored, restoreRows } from './restore.ts';
import * as store from './store.ts';

const Changes = z.record(z.string(), z.tuple([Json, Json]));
const Counts = z.object({ ready: z.int(), conflict: z.int(), irreversible: z.int(), already_as_before: z.int() });

/** Makes the plan that takes back what a run did: a run of its own, whose rows are what would be done now (spec UN5). */
export async function undoRun(
  ctx: Ctx,
  { params, body }: InputOf<Endpoints['ai_tasks.undo_run']>,
): Promise<ResponseOf<Endpoints['ai_tasks.undo_run']>> {
  await requireTask(ctx.db, params.id);
  const run = await findRun(ctx.db, params.id, params.run_id);
  if (!run) throw notFound('run', params.run_id);
  await requireReads(ctx.db, ctx.actor, run.id);
  const writes = await findWrites(ctx, run, body);
  requirePermissions(ctx, writes);
  const rows: UndoRow[] = [];
  const look = async (): Promise<void> => {
    for (const write of writes) rows.push(await planRow(ctx, write, rows.length + 1));
  };
  await rolledBack(ctx.db, look, (error) => {
    throw error;
  });
  const id = await openPlan(ctx, run, rows);
  const counts = Counts.parse(
    Object.fromEntries(Object.keys(Counts.shape).map((state) => [state, rows.filter((row) => row.state === state).length])),
  );
  ctx.audit({
    resource: { type: 'run', id },
    changes: { status: [null, 'success'], undo_of_run_id: [null, run.id] },
    summary: `Run ${id}: a plan to take back ${rows.length} ${rows.length === 1 ? 'write' : 'writes'} of run ${run.id}`,
  });
  return { run_id: id, rows: counts };
}

/** The writes that are to be taken back, newest first. */
async function findWrites(
  ctx: Ctx,
  run: RunRow,
  { effects, lineage }: { effects?: number[] | undefined; lineage?: boolean | undefined },
): Promise<DoneWrite[]> {
  if (run.dry_run === 1) {
    const applied = run.applied_by_run_id;
    throw new Refusal(
      'not_applicable',
      applied === null
        ? `Run ${run.id} is a dry run, which has changed nothing.`
        : `Run ${run.id} is a dry run; run ${applied} carried out its plan: take that one back.`,
    );
  }
  const runs = lineage ? await store.selectLineage(ctx.db, run.lineage_id) : [run];
  const open = runs.find(({ status }) => status === 'running');
  if (open) throw new Refusal('not_applicable', `Run ${open.id} is still running: cancel it, or wait for its end.`);
  const rows = await store.selectEffects(
    ctx.db,
    runs.map(({ id }) => id),
    UNDONE_WRITES + 1,
  );
  if (rows.length > UNDONE_WRITES) throw new Refusal('too_many', `One undo takes back at most ${UNDONE_WRITES} effects.`);
  const writes = groupWrites(rows);
  if (!effects) return writes;
  const unknown = effects.find((call) => !rows.some(({ id }) => id === call));
  if (unknown !== undefined) throw notFound('effect', unknown);
  return writes.filter(({ ids }) => effects.some((call) => ids.has(call)));
}

type Found = DoneWrite & { ids: ReadonlySet<number> };

/** Effects of one write follow one another; its first effect comes last here. */
export function groupWrites(rows: readonly store.EffectRow[]): Found[] {
  const writes: Found[] = [];
  let later: store.EffectRow[] = [];
  for (const row of rows) {
    later.push(row);
    if (row.is_first !== 1) continue;
    const effects = later.toReversed();
    writes.push({
      call: row.id,
      ids: new Set(effects.map(({ id }) => id)),
      runId: row.run_id,
      method: row.method,
      path: row.path,
      effects: effects.map(effectOf),
      images: row.images === null ? null : readImages(row.images),
    });
    later = [];
  }
  return writes;
}

function effectOf(row: store.EffectRow): DoneEffect {
  return {
    resource: { type: row.resource_type, id: row.resource_id },
    customerId: row.customer_id,
    changes: Changes.parse(JSON.parse(row.changes)),
  };
}

/** Whoever takes a write back needs the permission that the write needed. */
export function requirePermissions(ctx: Ctx, writes: readonly Pick<DoneWrite, 'method' | 'path'>[]): Set<string> {
  const needed = new Set<string>();
  const missing = new Set<string>();
  for (const { method, path } of writes) {
    const permission = endpointOf(method, path)?.endpoint.permission;
    if (!permission) continue;
    needed.add(permission);
    if (!may(ctx.actor, permission)) missing.add(permission);
  }
  if (missing.size === 0) return needed;
  throw refusePermission('forbidden', [...missing], `To take back what this run did you need ${[...missing].join(', ')}.`);
}

const NOT_KEPT =
  'How its records were before is not kept: it is from before this was kept, was too much, or was about a person who was forgotten.';
const MAIL = 'A mail was written, which cannot be called back: write to its recipients again.';

async function planRow(ctx: Ctx, write: DoneWrite, position: number): Promise<UndoRow> {
  const { call, runId, method, path, images } = write;
  const found = endpointOf(method, path);
  const stays = images?.some(({ told }) => told) ? [MAIL] : [];
  const row = { position, call, run_id: runId, endpoint: found?.endpoint.id ?? '', method, path, stays };
  const undo = found?.endpoint.undo;
  const irreversible = (reason: string, reason_code: UndoReason): UndoRow => ({
    ...row,
    state: 'irreversible',
    choosable: false,
    ...{ reason, reason_code },
    conflicts: [],
    changes: [],
  });
  if (typeof undo === 'object' && 'irreversible' in undo) return irreversible(undo.irreversible, 'endpoint');
  if (typeof undo === 'object') {
    const gone = (await store.selectMade(ctx.db, undo.deletes, write.effects[0]?.resource.id ?? 0)) === undefined;
    const state = gone ? 'already_as_before' : 'ready';
    return { ...row, state, choosable: !gone, reason: null, reason_code: null, conflicts: [], changes: inverse(write) };
  }
  if (undo === undefined || images === null) return irreversible(NOT_KEPT, 'not_kept');
  const { state, choosable, reason, reason_code, conflicts } = await tryOut(ctx, write);
  const isOpen = state !== 'already_as_before' && choosable;
  return { ...row, state, choosable: isOpen, reason, reason_code, conflicts, changes: inverse(write, conflicts) };
}

/** Puts the rows of a write back as far as nobody has changed them since. Of a conflict, it finds out whether it can be chosen. */
async function tryOut(ctx: Ctx, write: DoneWrite): Promise<Restored> {
  const left = await restoreRows(ctx, write, { chosen: false, runId: null });
  if (left.state !== 'conflict' || !left.choosable) return left;
  let found = left;
  const choose = async (): Promise<void> => {
    const { choosable, reason, reason_code } = await restoreRows(ctx, write, { chosen: true, runId: null });
    if (!choosable) found = { ...left, choosable, reason, reason_code };
  };
  await rolledBack(ctx.db, choose, (error) => {
    throw error;
  });
  return found;
}

/** The effects of a write the other way round. Where a field was changed since, it is set from what it is now. */
export function inverse({ effects }: Pick<DoneWrite, 'effects'>, conflicts: UndoRow['conflicts'] = []): UndoRow['changes'] {
  const since = new Map(effects.length === 1 ? conflicts.map(({ field, now }) => [field, now]) : []);
  return effects.map(({ resource, changes }) => ({
    resource,
    changes: Object.fromEntries(Object.entries(changes).map(([field, [before, after]]) => [field, [since.get(field) ?? after, before]])),
  }));
}

function entryOf({ resource: { type, id }, changes }: UndoRow['changes'][number]): AuditEntry {
  return { resource: { type: isChangeType(type) ? type : 'call', id }, changes, summary: '' };
}

/** Inserts the run whose plan this is, as a dry run that has ended. */
async function openPlan(ctx: Ctx, run: RunRow, rows: readonly UndoRow[]): Promise<number> {
  const { adminId } = actingAdmin(ctx);
  const lineageId = await beginLineage(ctx.db, {
    // It is not drawn from; a plan whose lineage has none is no longer kept.
    seed: ctx.random(32).toString('hex'),
    epoch: 0,
    startedAt: ctx.now,
    permissions: await joinedPermissions(ctx.db, [], run.id),
    shop: null,
    began_at: null,
  });
  const id = await insertRun(ctx, {
    task_id: run.task_id,
    version_id: run.version_id,
    lineage_id: lineageId,
    status: 'success',
    parameters: '{}',
    finished_at: ctx.now,
    executor: 'external',
    dry_run: 1,
    started_by: `admin:${adminId}`,
    started_by_admin_id: adminId,
    agent_token_id: agentTokenOf(ctx.actor),
    end_reason: 'completed',
    undo_of_run_id: run.id,
  });
  for (const row of rows) {
    const { position, method, path, changes } = row;
    await insertPlanned(ctx.db, {
      lineage_id: lineageId,
      ...{ position, method, path, body: null, warnings: '[]', is_outside: 0, at: ctx.now, status: 200 },
      answer: JSON.stringify(row),
      effects: JSON.stringify(changes),
    });
    if (row.state !== 'ready') continue;
    await storeEffects(ctx.db, { runId: id, lineageId }, changes.map(entryOf), { method, path, status: 200, at: ctx.now });
  }
  return id;
}

/** The rows of an undo's plan. */
export async function readPlan(ctx: Ctx, run: RunRow): Promise<UndoRow[]> {
  if (run.undo_of_run_id === null || run.dry_run !== 1) throw new Refusal('not_applicable', `Run ${run.id} is not the plan of an undo.`);
  if (!(await store.isKept(ctx.db, run.lineage_id))) throw new Refusal('journal_expired', `The plan of run ${run.id} is no longer kept.`);
  return (await selectPlan(ctx.db, run.lineage_id, 0)).map(({ answer }) => UndoRow.parse(JSON.parse(answer ?? '')));
}

export async function listUndo(
  ctx: Ctx,
  { params, query }: InputOf<Endpoints['ai_tasks.list_undo']>,
): Promise<ResponseOf<Endpoints['ai_tasks.list_undo']>> {
  await requireTask(ctx.db, params.id);
  const run = await findRun(ctx.db, params.id, params.run_id);
  if (!run) throw notFound('run', params.run_id);
  await requireReads(ctx.db, ctx.actor, run.id);
  return (await readPlan(ctx, run)).filter(({ position }) => position > query.after).slice(0, query.limit);
}
