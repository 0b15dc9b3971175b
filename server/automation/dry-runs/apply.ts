import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { LoggedEvent } from '../../../contract/run-events.ts';
import { followIds } from '../../db/staged-ids.ts';
import type { Row } from '../../db/tables.ts';
import { adminNames } from '../../resources/admins/domain.ts';
import { stagedIdsIn, withRealIds } from '../../values/staged-range.ts';
import { type Actor, actingAdmin, type Ctx } from '../../verbs/context.ts';
import type { Decision } from '../../verbs/decision.ts';
import { Refusal } from '../../verbs/problem.ts';
import { planDigest, signedVersion } from '../decisions/signed.ts';
import { appendLines } from '../runs/log/log.ts';
import { beginLineage, changeRun, copyDetails, insertRun, lockRun, type RunRow } from '../runs/rows/domain.ts';
import { joinedPermissions, requireReads } from '../runs/rows/output-permissions.ts';
import { requireAliveTask } from '../tasks/domain.ts';
import { type HeldVersion, holdVersionsOfLineage } from '../tasks/executed.ts';
import { findVersionRow } from '../tasks/versions.ts';
import { lockPlan, outcomeOf, type Plan, type PlannedWrite, randomOf, refuseOutdated } from './domain.ts';
import type { Acting } from './rules.ts';
import { requireApplier } from './second-person.ts';
import { selectPlan, selectStarters } from './store.ts';

/**
 * Carries out the plan of a dry run in one transaction, with the real ids that its rows get now. Where the answer of a write
 * differs from the planned one, nothing is written (spec DR7).
 */
export async function applyRun(
  ctx: Ctx,
  { params }: Pick<InputOf<Endpoints['ai_tasks.apply_run']>, 'params'>,
  acts: Decision['acts'] = ['apply_plan'],
): Promise<{ run_id: number; version_id: number }> {
  const task = await requireAliveTask(ctx.db, params.id);
  const dry = await lockDryRun(ctx, params.run_id);
  if (dry.hides_people === 1)
    throw new Refusal(
      'not_applicable',
      `Dry run ${dry.id} was an agent's from which personal data is hidden, so its plan is not what a run would do: make a dry run of your own.`,
    );
  await requireReads(ctx.db, ctx.actor, dry.id);
  const { permissions } = await requireRunnable(ctx, task, dry);
  const plan = await lockPlan(ctx.db, dry.lineage_id);
  if (plan.seed === '') throw new Refusal('journal_expired', `The plan of dry run ${dry.id} is no longer kept.`);
  refuseOutside(dry.id, plan.writes);
  await requireApplier(ctx, task, dry, plan.writes);
  await ctx.decide(await applicationOf(ctx, task, dry, acts));
  const run = await openApplying(ctx, dry, permissions);
  const actor: Extract<Actor, { type: 'task' }> = {
    ...actingAdmin(ctx),
    ...{ type: 'task', runId: run.id, taskId: task.id, versionId: dry.version_id, lineageId: run.lineageId },
    permissions,
    dryRun: false,
    replay: null,
    // No runner has claimed this run; a request that needs a claim is therefore refused as fenced.
    claimId: 0,
    token: 'call',
    limits: null,
  };
  const { writes, ...said } = await carryOut(ctx, actor, plan, dry);
  const start: LoggedEvent = {
    kind: 'log',
    line: `the plan of dry run ${dry.id}: ${writes.length} ${writes.length === 1 ? 'write' : 'writes'}`,
  };
  const lines = writes.map(({ method, path, status }): LoggedEvent => ({ kind: 'admin_api', method, path, status }));
  const log = await appendLines(ctx, { id: run.id, log_lines: 0, log_bytes: 0, log_calls: 0 }, [start, ...lines], { source: 'server' });
  await changeRun(ctx.db, run.id, { ...log, ...said });
  await changeRun(ctx.db, dry.id, { applied_by_run_id: run.id });
  ctx.audit({
    resource: { type: 'run', id: run.id },
    changes: { status: [null, 'success'], dry_run_id: [null, dry.id] },
    summary: `Task "${task.name}": run ${run.id} carried out the plan of dry run ${dry.id}`,
  });
  return { run_id: run.id, version_id: dry.version_id };
}

/** The decision to carry out a plan: of which version it is, and a digest of all its writes with what they change. */
export async function applicationOf(
  ctx: Ctx,
  task: Row<'tasks'>,
  dry: RunRow,
  acts: Decision['acts'],
  part: { rows?: readonly number[] } = {},
): Promise<Decision> {
  const version = await findVersionRow(ctx.db, task.id, dry.version_id);
  if (!version) throw new Error(`dry run ${dry.id} has no version`);
  const rows = await selectPlan(ctx.db, dry.lineage_id, 0);
  const plan = { run_id: dry.id, writes: rows.length, sha256: planDigest(rows) };
  const decided = { task: { id: task.id, name: task.name }, version: signedVersion(version), plan, ...part };
  return { acts, subject: { type: 'run', id: dry.id }, decided };
}

export async function lockDryRun(ctx: Ctx, id: number): Promise<RunRow> {
  const run = await lockRun(ctx.db, id);
  if (run?.dry_run !== 1) throw new Refusal('not_applicable', `Run ${id} is not a dry run; only a dry run has a plan to apply.`);
  if (run.status !== 'success')
    throw new Refusal('not_applicable', `Dry run ${id} is ${run.status}; only a dry run with status success has a plan to apply.`);
  if (run.applied_by_run_id !== null) {
    throw new Refusal('not_applicable', `The plan of dry run ${id} was carried out by run ${run.applied_by_run_id}.`, {
      extra: { applied_by_run_id: run.applied_by_run_id },
    });
  }
  return run;
}

/**
 * Refuses a plan unless everything that wrote it is the version that a run would execute now: that of the dry run and those of the runs
 * that it resumed, whose writes are in the plan too. The permissions of an earlier version no longer count.
 */
async function requireRunnable(ctx: Ctx, task: Row<'tasks'>, dry: RunRow): Promise<HeldVersion> {
  const versions = await holdVersionsOfLineage(ctx, dry.lineage_id);
  for (const { id, state, version } of versions) {
    switch (state) {
      case 'approved':
        if (id === task.current_version_id) break;
        throw new Refusal(
          'not_applicable',
          `The plan of dry run ${dry.id} is of version ${version}, which is not the current one any more: make a dry run of that.`,
        );
      case 'draft':
        throw new Refusal('not_applicable', `Dry run ${dry.id} is of a draft: save it as a version, and make a dry run of that.`);
      case 'pending':
        throw new Refusal('not_applicable', `The plan of dry run ${dry.id} is of version ${version}, which has to be approved first.`);
      case 'rejected':
        throw new Refusal('not_applicable', `The plan of dry run ${dry.id} is of version ${version}, which was rejected.`);
      case 'revoked':
        throw new Refusal('version_not_approved', `The plan of dry run ${dry.id} is of version ${version}, which was revoked.`);
    }
  }
  const own = versions.find(({ id }) => id === dry.version_id);
  if (!own) throw new Error(`dry run ${dry.id} has no version`);
  return own;
}

function refuseOutside(runId: number, writes: readonly PlannedWrite[]): void {
  const outside = writes.find(({ isOutside }) => isOutside);
  if (!outside) return;
  throw new Refusal(
    'not_applicable',
    `${outside.method} ${outside.path} of dry run ${runId} asks a service outside the shop, which only a run of the task can do; the plan cannot be applied.`,
  );
}

type Written = { method: string; path: string; status: number };

async function carryOut(ctx: Ctx, actor: Extract<Actor, { type: 'task' }>, plan: Plan, dry: RunRow) {
  const followed = await followIds(ctx);
  // The plan of a run that resumed another, or restarted from it, has writes from before its own start.
  const firstAt = plan.writes[0]?.at;
  const madeSince = firstAt !== undefined && firstAt < dry.started_at ? firstAt : dry.started_at;
  const tolerated = { madeSince, acts: await whoActs(ctx, dry, actor.runId) };
  const real = async (text: string): Promise<string> => withRealIds(text, await followed.realOf(stagedIdsIn(text)));
  const writes: Written[] = [];
  for (const write of plan.writes) {
    const { method, prepared, position } = write;
    const path = await real(write.path);
    const body = write.body === null ? null : await real(write.body);
    const answer = await ctx.perform({ method, path, body, prepared }, { actor, random: randomOf(plan.seed, position) });
    const expected = JSON.parse(await real(JSON.stringify(write.outcome)));
    refuseOutdated({ ...write, path }, expected, outcomeOf(answer.status, answer.body, answer.effects), tolerated);
    writes.push({ method, path, status: answer.status });
  }
  const result = dry.result === null ? null : await real(dry.result);
  const description = dry.description === null ? null : await real(dry.description);
  await copyDetails(ctx.db, dry.id, actor.runId, real);
  await followed.end();
  return { writes, result, description };
}

/** Whoever started the dry run and those that it goes on from, and whoever applies its plan, in a run of its own. */
async function whoActs(ctx: Ctx, { lineage_id }: RunRow, runId: number): Promise<Acting> {
  const { adminId, name } = actingAdmin(ctx);
  const names = await adminNames(ctx);
  const starters = await selectStarters(ctx.db, lineage_id);
  const planned = starters.map((id) => ({ id, name: names.find((one) => one.id === id)?.name ?? null }));
  return { planned, now: { id: adminId, name, runId } };
}

/** Inserts the run that stands for the application of the plan. It cannot be resumed, so its lineage has no journal and no seed. */
async function openApplying(ctx: Ctx, dry: RunRow, own: Iterable<string>): Promise<{ id: number; lineageId: string }> {
  const { adminId } = actingAdmin(ctx);
  const lineageId = await beginLineage(ctx.db, {
    seed: '',
    epoch: 0,
    startedAt: ctx.now,
    permissions: await joinedPermissions(ctx.db, own, dry.id),
    shop: null,
    began_at: null,
  });
  const id = await insertRun(ctx, {
    task_id: dry.task_id,
    version_id: dry.version_id,
    lineage_id: lineageId,
    status: 'success',
    parameters: dry.parameters,
    foreign_parameters: dry.foreign_parameters,
    finished_at: ctx.now,
    executor: 'external',
    started_by: `admin:${adminId}`,
    started_by_admin_id: adminId,
    end_reason: 'completed',
  });
  return { id, lineageId };
}
