import { randomBytes } from 'node:crypto';
import type { InputOf, ResponseOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import { JsonObject } from '../../../../contract/run-events.ts';
import { ShopFacts } from '../../../../contract/runner.ts';
import { secretMark } from '../../../../contract/secret-mark.ts';
import type { Row } from '../../../db/tables.ts';
import { type Ctx, isBlind } from '../../../verbs/context.ts';
import { notFound, Refusal, refuseValue } from '../../../verbs/problem.ts';
import { acceptAgain, acceptParameters, askingGiver } from '../../parameters/domain.ts';
import { lockTask, requireAliveTask, settingsOf } from '../../tasks/domain.ts';
import type { HeldVersion } from '../../tasks/executed.ts';
import { requireMayBeGiven } from '../../tasks/given.ts';
import { insertCauses } from '../../trigger-queue/domain.ts';
import * as checkpoints from '../rows/checkpoint-store.ts';
import { effectsAfter, requireState } from '../rows/checkpoints.ts';
import { beginLineage } from '../rows/domain.ts';
import * as lineages from '../rows/lineage-store.ts';
import { joinedPermissions, permissionsOfRun, requireReads } from '../rows/output-permissions.ts';
import * as store from '../rows/store.ts';
import { chooseForRestart } from './chosen-version.ts';
import { insertOpened, sayFirst } from './start.ts';

type Input = InputOf<Endpoints['ai_tasks.restart_run']>;
type Body = Input['body'];

/**
 * Opens a run that goes on from a checkpoint of an ended one, in a lineage of its own: it gets the state, and what `once` kept before, but no
 * answer, so all its writes are new (spec RU22).
 */
export async function restartRun(ctx: Ctx, { params, body }: Input): Promise<ResponseOf<Endpoints['ai_tasks.restart_run']>> {
  const task = await requireAliveTask(ctx.db, params.id);
  const settings = settingsOf(task);
  if (settings.concurrency.limit !== null) await lockTask(ctx, task.id);
  const from = await store.lockRun(ctx.db, params.run_id);
  if (!from || from.task_id !== task.id) throw notFound('run', params.run_id);
  const lineage = await lineages.lockLineage(ctx.db, from.lineage_id);
  if (!lineage) throw new Error(`run ${from.id} has no lineage`);
  await requireRestartable(ctx, from);
  const [point] = await checkpoints.selectCheckpoints(ctx.db, { runId: from.id, after: body.checkpoint - 1, limit: 1 });
  if (point?.epoch !== body.checkpoint)
    throw refuseValue('checkpoint_not_found', '/checkpoint', `run ${from.id} has no checkpoint ${body.checkpoint}`);
  const stored = await requireState(ctx.db, from, body.checkpoint);
  const isDry = isDryRestart(ctx, body, from);
  const version = await chooseForRestart(ctx, task, { asked: body.version, isDry }, from);
  if (version.id !== from.version_id) {
    const taker = { taskId: task.id, versionId: version.id };
    await requireMayBeGiven(ctx.db, taker, await permissionsOfRun(ctx.db, from.id), `What run ${from.id} has stored`);
  }
  const begun = await beginFrom(ctx, { from, lineage, stored, version }, body.checkpoint);
  const giver = askingGiver(ctx);
  const opened = await insertOpened(
    ctx,
    task,
    settings,
    { ...body, dry_run: isDry },
    {
      lineage: { id: begun.id, epoch: body.checkpoint, epoch_started_at: ctx.now },
      version,
      parameters: await parametersFor(ctx, version, body, from),
      isForeign: body.parameters === undefined && from.foreign_parameters === 1,
      checkpoint: begun.state,
      from: null,
      restarts: { run: from, checkpoint: body.checkpoint },
      origin: { startedBy: `admin:${giver.adminId}`, ...giver },
    },
  );
  await insertCauses(ctx.db, opened.run_id, lineage.id);
  if (from.dry_run === 1)
    await checkpoints.copyPlannedEffects(ctx.db, { from: lineage.id, upto: stored.effects_upto, to: begun.id, runId: opened.run_id });
  await sayFirst(ctx, opened.run_id, [`restarted from run ${from.id} at checkpoint ${body.checkpoint}`]);
  ctx.after(() => ctx.services.work.opened());
  return { ...opened, effects_after: await effectsAfter(ctx.db, from, stored) };
}

async function requireRestartable(ctx: Ctx, from: store.RunRow): Promise<void> {
  if (from.replay_of_run_id !== null) throw new Refusal('not_applicable', `Run ${from.id} is a replay; start another replay instead.`);
  const open = await checkpoints.selectOpen(ctx.db, { lineageId: from.lineage_id });
  if (open) throw new Refusal('run_not_ended', `Run ${open.id} is still running; wait for its end, or cancel it.`);
  await requireReads(ctx.db, ctx.actor, from.id);
  if (isBlind(ctx.actor) && from.hides_people === 0)
    throw new Refusal('forbidden', `Run ${from.id} may have stored personal data, which are hidden from this agent.`);
}

/** Whether the new run is a dry run. What a dry run stored may name records that do not exist, so what restarts it is one, too. */
function isDryRestart(ctx: Ctx, { dry_run }: Body, from: store.RunRow): boolean {
  if (from.dry_run === 1 && dry_run === false) {
    throw refuseValue(
      'invalid_value',
      '/dry_run',
      `run ${from.id} is a dry run, and a run that restarts from it must be one, too; leave dry_run out`,
    );
  }
  const isDry = dry_run ?? from.dry_run === 1;
  if (!isDry && ctx.actor.type === 'admin' && ctx.actor.agent)
    throw new Refusal('forbidden', 'An agent starts dry runs alone ("dry_run": true); a person starts the others.');
  return isDry;
}

async function parametersFor(ctx: Ctx, version: HeldVersion, body: Body, from: store.RunRow): Promise<JsonObject> {
  const giver = askingGiver(ctx);
  if (body.parameters !== undefined) return acceptParameters(ctx, version.parameters, body.parameters, giver);
  return acceptAgain(ctx, version.parameters, JsonObject.parse(JSON.parse(from.parameters)), giver);
}

type Beginning = { from: store.RunRow; lineage: Row<'lineages'>; stored: checkpoints.StoredState; version: HeldVersion };

/**
 * Begins the new lineage in the epoch that the checkpoint began. It draws a seed of its own; that of a dry run stays, because the plan before
 * the checkpoint, which the new one begins with, is carried out again with it, and its later epochs have drawn nothing that was kept.
 */
async function beginFrom(ctx: Ctx, { from, lineage, stored, version }: Beginning, epoch: number): Promise<{ id: string; state: string }> {
  const seed = from.dry_run === 1 ? lineage.seed : randomBytes(32).toString('hex');
  const id = await beginLineage(ctx.db, {
    seed,
    epoch,
    startedAt: ctx.now,
    permissions: await joinedPermissions(ctx.db, version.permissions, from.id),
    shop: JSON.stringify(ShopFacts.parse(ctx.settings)),
    began_at: ctx.now,
    depth: lineage.depth,
  });
  // The state and the values may hold placeholders for secrets.
  const marks = { from: secretMark(lineage.seed), to: secretMark(seed) };
  await checkpoints.copyMemory(ctx.db, { from: lineage.id, to: id, epoch, marks });
  if (from.dry_run === 1) await checkpoints.copyPlan(ctx.db, { from: lineage.id, to: id, upto: stored.planned_upto });
  return { id, state: stored.state.replaceAll(marks.from, marks.to) };
}
