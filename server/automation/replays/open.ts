import type { JsonObject } from '../../../contract/run-events.ts';
import type { Row } from '../../db/tables.ts';
import { actingAdmin, agentTokenOf, type Ctx, isBlind } from '../../verbs/context.ts';
import { recordEpochStart } from '../recordings/domain.ts';
import { beginLineage, insertRun, type RunRow } from '../runs/rows/domain.ts';
import { joinedPermissions } from '../runs/rows/output-permissions.ts';
import * as store from './store.ts';

/**
 * The concurrency key of replays. It is not JSON, so no parameter's value equals it and replays do not count in the queues of
 * live runs.
 */
const REPLAYS = 'replays';

type Opening = {
  recorded: RunRow;
  version: { id: number; permissions: readonly string[] };
  parameters: JsonObject;
  /** The epoch in which the recorded run began. */
  epoch: Pick<Row<'recorded_epochs'>, 'epoch' | 'started_at' | 'checkpoint'>;
};

/**
 * Opens a replay: a run with its own lineage, which takes seed, settings of the shop, beginning, time and checkpoint from the recorded run's lineage, and
 * waits for a runner like any other run.
 */
export async function openReplay(ctx: Ctx, { recorded, version, parameters, epoch }: Opening): Promise<number> {
  const began = await store.lockBeginning(ctx, recorded.lineage_id);
  if (began === undefined) throw new Error(`run ${recorded.id} has no lineage`);
  const lineageId = await beginLineage(ctx.db, {
    ...began,
    epoch: epoch.epoch,
    startedAt: epoch.started_at,
    permissions: await joinedPermissions(ctx.db, version.permissions, recorded.id),
  });
  const { adminId } = actingAdmin(ctx);
  const run = { lineage_id: lineageId, record: 0, replay_of_run_id: recorded.id };
  const runId = await insertRun(ctx, {
    ...run,
    task_id: recorded.task_id,
    version_id: version.id,
    first_epoch: epoch.epoch,
    parameters: JSON.stringify(parameters),
    foreign_parameters: recorded.foreign_parameters,
    hides_people: recorded.hides_people === 1 || isBlind(ctx.actor) ? 1 : 0,
    agent_token_id: agentTokenOf(ctx.actor),
    last_checkpoint: epoch.checkpoint,
    executor: 'runner',
    started_by: `admin:${adminId}`,
    started_by_admin_id: adminId,
    concurrency_key: REPLAYS,
  });
  await recordEpochStart(ctx.db, run, epoch.epoch, epoch.started_at, epoch.checkpoint);
  await store.copyResults(ctx.db, { from: recorded, toLineageId: lineageId, toRunId: runId });
  ctx.after(() => ctx.services.work.opened());
  return runId;
}
