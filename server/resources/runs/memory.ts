import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import { Json, MEMORY_MAX_BYTES } from '../../../contract/run-events.ts';
import type { runnerRemember } from '../../../contract/runner.ts';
import type { Ctx } from '../../context.ts';
import { Refusal, refuseValue } from '../../problem.ts';
import { recallRecorded } from '../replays/recording.ts';
import * as store from './store.ts';

/** What `once` and long sleeps keep for the lineage; the first value stored wins. */
export async function remember(ctx: Ctx, { body }: InputOf<typeof runnerRemember>): Promise<ResponseOf<typeof runnerRemember>> {
  if (ctx.actor.type !== 'task') throw new Refusal('forbidden', 'Only a run has a memory.');
  if (body.name.includes('\u0000')) throw refuseValue('invalid_value', '/name', 'must not contain U+0000');
  const { lineageId, claimId, replay } = ctx.actor;
  const known =
    (await store.selectMemory(ctx.db, lineageId, body.name)) ??
    (replay ? await recallRecorded(ctx.db, lineageId, replay.runId, body.name) : undefined);
  if (known !== undefined) return { stored: true, value: Json.parse(JSON.parse(known)) };
  if (body.value === undefined) return { stored: false, value: null };
  const text = JSON.stringify(body.value);
  if ((await store.countMemory(ctx.db, lineageId, Buffer.byteLength(text))) > MEMORY_MAX_BYTES) {
    throw new Refusal('memory_full', `once keeps at most ${MEMORY_MAX_BYTES} bytes for a run and those that resume it.`);
  }
  await store.insertMemory(ctx.db, { lineage_id: lineageId, name: body.name, value: text, claim_id: claimId });
  const value = await store.selectMemory(ctx.db, lineageId, body.name);
  return { stored: true, value: Json.parse(JSON.parse(value ?? 'null')) };
}
