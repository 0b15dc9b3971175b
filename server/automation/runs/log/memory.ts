import type { InputOf, ResponseOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import { Json, MEMORY_MAX_BYTES } from '../../../../contract/run-events.ts';
import { CallsMade } from '../../../../contract/runner.ts';
import type { Row } from '../../../db/tables.ts';
import type { Ctx, TaskActor } from '../../../verbs/context.ts';
import { Refusal, refuseValue } from '../../../verbs/problem.ts';
import { recallRecorded } from '../../recordings/domain.ts';
import * as lineages from '../rows/lineage-store.ts';

/** Stores a value of `once` or of a long sleep for the lineage, or returns the stored one; the first value stored wins. */
export async function remember(
  ctx: Ctx,
  { body }: InputOf<Endpoints['runner.remember']>,
): Promise<ResponseOf<Endpoints['runner.remember']>> {
  if (ctx.actor.type !== 'task') throw new Refusal('forbidden', 'Only a run can store values; use the token of a claim.');
  if (body.name.includes('\u0000')) throw refuseValue('invalid_value', '/name', 'must not contain U+0000');
  const { lineageId, claimId, replay } = ctx.actor;
  const own = await lineages.selectMemory(ctx.db, lineageId, body.name);
  const known = own ?? (replay ? await recallRecorded(ctx.db, lineageId, replay.runId, body.name) : undefined);
  if (known) return { stored: true, value: Json.parse(JSON.parse(known.value)), ...(await recallCalls(ctx, ctx.actor, body.name, known)) };
  if (body.value === undefined) return { stored: false, value: null };
  const text = JSON.stringify(body.value);
  if ((await lineages.countMemory(ctx.db, lineageId, Buffer.byteLength(text))) > MEMORY_MAX_BYTES) {
    throw new Refusal(
      'memory_full',
      `The values of once and sleep take more than ${MEMORY_MAX_BYTES} bytes, the most that a run and the runs that resume it may store.`,
    );
  }
  const made = body.made ? JSON.stringify(body.made) : null;
  await lineages.insertMemory(ctx.db, { lineage_id: lineageId, name: body.name, value: text, claim_id: claimId, made });
  const kept = await lineages.selectMemory(ctx.db, lineageId, body.name);
  return { stored: true, value: Json.parse(JSON.parse(kept?.value ?? 'null')) };
}

type RecalledCalls = Pick<ResponseOf<Endpoints['runner.remember']>, 'made' | 'now_ms' | 'drawn' | 'again'>;
type Known = Pick<Row<'lineage_memory'>, 'made'> & Partial<Pick<Row<'lineage_memory'>, 'asked_by_claim_id'>>;

/**
 * Returns how a stored value was made: the calls behind it, so that this claim, which gets the value, skips them. They are
 * marked as asked for by this claim. Where other parts of the script ran meanwhile, nobody knows which calls these are. The function then
 * runs again as long as the epoch lasts, so that the whole script repeats the same steps.
 */
async function recallCalls(ctx: Ctx, { lineageId, claimId }: TaskActor, name: string, known: Known): Promise<RecalledCalls> {
  const isOthers = known.asked_by_claim_id !== undefined && known.asked_by_claim_id !== claimId;
  if (isOthers) await lineages.markMemoryAsked(ctx.db, lineageId, name, claimId);
  if (known.made === null) return {};
  const made = CallsMade.parse(JSON.parse(known.made));
  const lineage = await lineages.lockLineage(ctx.db, lineageId);
  if (made.epoch !== lineage?.epoch) return {};
  const { keys, alone, now_ms, drawn } = made;
  if (!alone) return { again: true };
  if (isOthers) await lineages.markCallsAsked(ctx, { lineageId, claimId, epoch: made.epoch }, keys);
  return { ...(now_ms !== undefined && { now_ms }), made: keys, drawn: drawn ?? 0 };
}

/**
 * When a sleep ends that a runner of an earlier release has begun, by the key of its call; such runners stored it among the values. null: none
 * has.
 */
export async function storedSleep(db: Ctx['db'], lineageId: string, key: string): Promise<number | null> {
  const [epoch, , occurrence] = key.split('/');
  const known = await lineages.selectMemory(db, lineageId, `sleep/${epoch}/${occurrence}`);
  return known === undefined ? null : Number(JSON.parse(known.value));
}
