import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../contract/run-events.ts';
import { actingAdmin, type Ctx } from '../../context.ts';
import type { Row } from '../../db/tables.ts';
import type { RunQueue } from '../../run-queue.ts';
import { noteEpochBegins } from '../replays/recording.ts';
import { joinedPermissions } from './reads.ts';
import { unclaimed } from './start.ts';
import * as store from './store.ts';

/** No parameter's value is this text, which is no JSON: replays keep out of the queues of live runs. */
const REPLAYS = 'replays';

type Opening = {
  recorded: store.RunRow;
  version: { id: number; permissions: readonly string[] };
  parameters: JsonObject;
  /** The epoch in which the recorded run began. */
  epoch: Pick<Row<'recorded_epochs'>, 'epoch' | 'started_at' | 'checkpoint'>;
};

/** A run with a lineage of its own that takes seed, time and checkpoint from the recorded one's, and a runner as any other. */
export async function openReplay(ctx: Ctx, work: RunQueue, { recorded, version, parameters, epoch }: Opening): Promise<number> {
  const source = await store.lockLineage(ctx.db, recorded.lineage_id);
  if (!source) throw new Error(`run ${recorded.id} has no lineage`);
  const lineageId = randomUUID();
  await store.insertLineage(ctx.db, {
    id: lineageId,
    seed: source.seed,
    epoch: epoch.epoch,
    epoch_started_at: epoch.started_at,
    journal_bytes: 0,
    permissions: await joinedPermissions(ctx.db, version.permissions, recorded.id),
  });
  const { adminId } = actingAdmin(ctx);
  const run = { lineage_id: lineageId, record: 0, replay_of_run_id: recorded.id };
  const runId = await store.insertRun(ctx.db, {
    ...unclaimed,
    ...run,
    task_id: recorded.task_id,
    version_id: version.id,
    first_epoch: epoch.epoch,
    parameters: JSON.stringify(parameters),
    last_checkpoint: epoch.checkpoint,
    started_at: ctx.now,
    dry_run: 0,
    priority: 0,
    executor: 'runner',
    resumed_from_run_id: null,
    started_by: `admin:${adminId}`,
    started_by_admin_id: adminId,
    concurrency_key: REPLAYS,
    concurrency_limit: null,
  });
  await noteEpochBegins(ctx.db, run, epoch.epoch, epoch.started_at, epoch.checkpoint);
  await store.copyResults(ctx.db, { from: recorded, toLineageId: lineageId, toRunId: runId });
  ctx.after(() => work.opened());
  return runId;
}
