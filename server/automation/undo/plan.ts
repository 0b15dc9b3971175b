import { z } from 'zod';
import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { Json } from '../../../contract/run-events.ts';
import { type UndoReason, UndoRow } from '../../../contract/undo.ts';
import { policyOf } from '../../db/captured-tables.ts';
import { rolledBack } from '../../db/queries/savepoint.ts';
import { readImages } from '../../db/row-images.ts';
import type { Statement } from '../../db/watched.ts';
import { type Ctx, may } from '../../verbs/context.ts';
import { notFound, Refusal, refusePermission } from '../../verbs/problem.ts';
import { selectPlan } from '../dry-runs/domain.ts';
import { findRun, type RunRow } from '../runs/rows/domain.ts';
import { requireReads } from '../runs/rows/output-permissions.ts';
import { requireTask } from '../tasks/domain.ts';
import { type DoneEffect, type DoneWrite, endpointOf } from './judging.ts';
import { type Restored, restoreRows } from './restore.ts';
import * as store from './store.ts';

const Changes = z.record(z.string(), z.tuple([Json, Json]));

/** A write by the id of its first effect, the ids of all of them, and what it was. */
export type Found = Pick<DoneWrite, 'call' | 'runId' | 'method' | 'path'> & { ids: ReadonlySet<number> };

/** Effects of one write follow one another; its first effect comes last here. */
export function groupWrites(rows: readonly store.EffectCall[]): Found[] {
  const writes: Found[] = [];
  let ids: number[] = [];
  for (const { id, run_id, method, path, is_first } of rows) {
    ids.push(id);
    if (is_first !== 1) continue;
    writes.push({ call: id, ids: new Set(ids), runId: run_id, method, path });
    ids = [];
  }
  return writes;
}

/** A write with what it did. */
export async function readWrite(db: Ctx['db'], { runId, call }: Pick<DoneWrite, 'runId' | 'call'>): Promise<DoneWrite> {
  const effects = await store.selectWrite(db, { runId, call });
  const [first] = effects;
  if (!first) throw notFound('effect', call);
  const { method, path, images } = first;
  return { call, runId, method, path, effects: effects.map(effectOf), images: images === null ? null : readImages(images) };
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

/** What would be done with a write now: the transaction has it as taken back afterwards. `taken`: gets the statements that did it. */
export async function planRow(ctx: Ctx, write: DoneWrite, { position, taken }: { position: number; taken: Statement[] }): Promise<UndoRow> {
  const { call, runId, method, path, images } = write;
  const found = endpointOf(method, path);
  const told = images?.filter((image) => image.told).map(({ table }) => policyOf(table).final) ?? [];
  const final = told.find((reason) => reason !== null);
  const stays = told.includes(null) ? [MAIL] : [];
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
  if (final) return irreversible(final, 'endpoint');
  const { state, choosable, reason, reason_code, conflicts } = await tryOut(ctx, write, taken);
  const isOpen = state !== 'already_as_before' && choosable;
  return { ...row, state, choosable: isOpen, reason, reason_code, conflicts, changes: inverse(write, conflicts) };
}

/** Puts the rows of a write back as far as nobody has changed them since. Of a conflict, it finds out whether it can be chosen. */
async function tryOut(ctx: Ctx, write: DoneWrite, taken: Statement[]): Promise<Restored> {
  const left = await restoreRows(ctx, write, { chosen: false, runId: null, taken });
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
    changes: Object.fromEntries(
      Object.entries(changes).map(([field, [before, after]]) => [field, [since.has(field) ? (since.get(field) ?? null) : after, before]]),
    ),
  }));
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
