import { CHECKPOINT_MAX_BYTES, JsonObject, type RunEvent } from '../../../../contract/run-events.ts';
import { withoutSecretMarks } from '../../../../contract/secret-rules.ts';
import type { Row } from '../../../db/tables.ts';
import { canonicalText } from '../../../values/canonical.ts';
import type { Ctx, TaskActor } from '../../../verbs/context.ts';
import { Refusal, refuseValue } from '../../../verbs/problem.ts';
import { epochStart, recordEpochEnd, recordEpochStart, restartsScript } from '../../recordings/domain.ts';
import { insertCheckpoint } from '../log/line-store.ts';
import { keepState } from '../rows/checkpoint-store.ts';
import * as claims from '../rows/claim-store.ts';
import * as lineages from '../rows/lineage-store.ts';
import type * as store from '../rows/store.ts';

type Checkpoint = Extract<RunEvent, { kind: 'checkpoint' }>;
type Lineage = Row<'lineages'>;

/**
 * Stores a checkpoint and ends the epoch; unless the run is recorded, the epoch's journal is deleted. A repeated checkpoint
 * changes nothing and returns undefined. `restarts` tells that the script must be started again from this checkpoint.
 */
export async function keepCheckpoint(
  ctx: Ctx,
  run: store.RunRow,
  event: Checkpoint,
): Promise<{ changes: store.RunChanges; restarts: boolean } | undefined> {
  const { actor } = ctx;
  const state = JSON.stringify(event.state);
  if (Buffer.byteLength(state) > CHECKPOINT_MAX_BYTES) {
    throw new Refusal('checkpoint_too_large', `A checkpoint has at most ${CHECKPOINT_MAX_BYTES} bytes as JSON.`);
  }
  const lineage = await lineages.lockLineage(ctx.db, run.lineage_id);
  if (!lineage) throw new Error(`run ${run.id} has no lineage`);
  const ended = event.epoch ?? lineage.epoch;
  if (ended > lineage.epoch) throw refuseValue('out_of_range', '/events', `the run is in epoch ${lineage.epoch}, not ${ended}`);
  const isRepeat = ended < lineage.epoch || (actor.type === 'task' && (await isRepeatOfCheckpoint(ctx, actor, run, lineage, event.state)));
  const next = isRepeat ? lineage.epoch : lineage.epoch + 1;
  if (actor.type === 'task') ctx.setHeader('Backroom-Epoch', String(next));
  if (isRepeat) return undefined;
  if (run.record === 0) await lineages.deleteJournal(ctx.db, lineage.id, lineage.epoch);
  const startedAt = await epochStart(ctx, run, next);
  await lineages.beginEpoch(ctx.db, lineage.id, next, startedAt);
  // A replay stores the states that its recording has.
  if (run.replay_of_run_id === null)
    await keepState(ctx.db, { lineageId: lineage.id, epoch: next, state, bytes: Buffer.byteLength(state) });
  await lineages.keepWaitsOpen(ctx.db, { lineageId: lineage.id, epoch: next });
  await insertCheckpoint(ctx.db, { run_id: run.id, epoch: next, at: ctx.now, bytes: Buffer.byteLength(state), attempt: run.attempt });
  if (actor.type === 'task') await recordEpochEnd(ctx.db, run, lineage.epoch, actor.claimId, run.log_lines);
  await recordEpochStart(ctx.db, run, next, startedAt, state);
  return { changes: { last_checkpoint: state, sign_ms: Date.parse(ctx.now) }, restarts: await restartsScript(ctx.db, run, next) };
}

/**
 * Whether a resumed script stores the checkpoint that it was started from, before it has repeated the calls that the earlier
 * attempt made after that checkpoint. Ending the epoch here would make the script do them twice. If the state is a different
 * one and the earlier attempt has written, the script took another way, which is refused (spec JO6). A
 * replay follows its recording instead.
 */
async function isRepeatOfCheckpoint(ctx: Ctx, actor: TaskActor, run: store.RunRow, lineage: Lineage, state: JsonObject): Promise<boolean> {
  if (actor.replay || !(await claims.beganInEpoch(ctx.db, actor.claimId, lineage.epoch))) return false;
  const place = { lineageId: lineage.id, epoch: lineage.epoch, claimId: actor.claimId };
  const write = await lineages.selectUnaskedWrite(ctx.db, place);
  const isSame = run.last_checkpoint !== null && canonicalText(JsonObject.parse(JSON.parse(run.last_checkpoint))) === canonicalText(state);
  if (isSame) return write !== undefined || lineages.hasUnaskedWait(ctx.db, place);
  if (!write) return false;
  throw new Refusal(
    'resume_mismatch',
    `An earlier attempt made ${write.method} ${write.path} after the last checkpoint; this attempt stores a different checkpoint before it has made that call. Nothing was stored.`,
    { extra: { earlier: write, now: { checkpoint: JSON.parse(withoutSecretMarks(JSON.stringify(state))) } } },
  );
}
