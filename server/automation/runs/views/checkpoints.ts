import type { InputOf, ResponseOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import type { RunCheckpoint } from '../../../../contract/run-checkpoints.ts';
import { withoutSecretMarks } from '../../../../contract/secret-rules.ts';
import type { Db } from '../../../db/open.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { notFound } from '../../../verbs/problem.ts';
import * as checkpoints from '../rows/checkpoint-store.ts';
import { effectsAfter, requireState } from '../rows/checkpoints.ts';
import { requireReads } from '../rows/output-permissions.ts';
import * as store from '../rows/store.ts';

export async function listCheckpoints(
  ctx: Ctx,
  { params, query }: InputOf<Endpoints['ai_tasks.list_checkpoints']>,
): Promise<RunCheckpoint[]> {
  await requireReads(ctx.db, ctx.actor, params.run_id);
  return shownCheckpoints(ctx.db, params.run_id, query);
}

async function shownCheckpoints(db: Db, runId: number, page: { after: number; limit: number }): Promise<RunCheckpoint[]> {
  const rows = await checkpoints.selectCheckpoints(db, { runId, ...page });
  const after = new Map<number, number>();
  let sum = 0;
  for (const { epoch, effects } of (await checkpoints.selectKept(db, { runId })).sort((a, b) => b.epoch - a.epoch)) {
    sum += effects;
    after.set(epoch, sum);
  }
  return rows.map((row) => ({ ...row, kept: after.has(row.epoch), effects_after: after.get(row.epoch) ?? null }));
}

export async function getCheckpointState(
  ctx: Ctx,
  { params }: InputOf<Endpoints['ai_tasks.get_checkpoint_state']>,
): Promise<ResponseOf<Endpoints['ai_tasks.get_checkpoint_state']>> {
  await requireReads(ctx.db, ctx.actor, params.run_id);
  const run = await store.selectRun(ctx.db, params.id, params.run_id);
  const [shown] = await shownCheckpoints(ctx.db, params.run_id, { after: params.checkpoint_id - 1, limit: 1 });
  if (!run || shown?.epoch !== params.checkpoint_id) throw notFound('checkpoint', params.checkpoint_id);
  const stored = await requireState(ctx.db, run, params.checkpoint_id);
  return { ...shown, state: withoutSecretMarks(stored.state), effects: await effectsAfter(ctx.db, run, stored) };
}
