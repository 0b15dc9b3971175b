import { isChangeType } from '../../../contract/changes.ts';
import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { UNDONE_WRITES, type UndoRow, type UndoState } from '../../../contract/undo.ts';
import { storeEffects } from '../../resources/audit/domain.ts';
import { type AuditEntry, actingAdmin, agentTokenOf, type Ctx, type Steps } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import { insertPlanned } from '../dry-runs/domain.ts';
import { beginLineage, findRun, insertRun, type RunRow } from '../runs/rows/domain.ts';
import { joinedPermissions, requireReads } from '../runs/rows/output-permissions.ts';
import { requireTask } from '../tasks/domain.ts';
import { pauses } from './pauses.ts';
import { type Found, groupWrites, requirePermissions } from './plan.ts';
import * as store from './store.ts';
import { planInTurns } from './turns.ts';

type Input = InputOf<Endpoints['ai_tasks.undo_run']>;
type Made = ResponseOf<Endpoints['ai_tasks.undo_run']>;

/** Makes the plan that takes back what a run did: a run of its own, whose rows are what would be done now (spec UN5). */
export async function undoRun(steps: Steps, input: Input): Promise<(ctx: Ctx) => Promise<Made>> {
  const { run, writes } = await steps.look((ctx) => chosenWrites(ctx, input));
  const rows = await planInTurns(steps, writes);
  return (ctx) => storePlan(ctx, run, rows);
}

async function chosenWrites(ctx: Ctx, { params, body }: Input): Promise<{ run: RunRow; writes: Found[] }> {
  await requireTask(ctx.db, params.id);
  const run = await findRun(ctx.db, params.id, params.run_id);
  if (!run) throw notFound('run', params.run_id);
  await requireReads(ctx.db, ctx.actor, run.id);
  const writes = await findWrites(ctx, run, body);
  requirePermissions(ctx, writes);
  return { run, writes };
}

async function storePlan(ctx: Ctx, run: RunRow, rows: readonly UndoRow[]): Promise<Made> {
  const id = await openPlan(ctx, run, rows);
  ctx.audit({
    resource: { type: 'run', id },
    changes: { status: [null, 'success'], undo_of_run_id: [null, run.id] },
    summary: `Run ${id}: a plan to take back ${rows.length} ${rows.length === 1 ? 'write' : 'writes'} of run ${run.id}`,
  });
  const many = (state: UndoState): number => rows.filter((row) => row.state === state).length;
  const counts = { ready: many('ready'), conflict: many('conflict'), irreversible: many('irreversible') };
  return { run_id: id, rows: { ...counts, already_as_before: many('already_as_before') } };
}

/** The writes that are to be taken back, newest first. */
async function findWrites(
  ctx: Ctx,
  run: RunRow,
  { effects, lineage }: { effects?: number[] | undefined; lineage?: boolean | undefined },
): Promise<Found[]> {
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
  const rows = await store.selectCalls(
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
  const pause = pauses();
  for (const row of rows) {
    await pause();
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
