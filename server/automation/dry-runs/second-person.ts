import { readSettings } from '../../resources/settings/domain.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { RunRow } from '../runs/rows/domain.ts';
import { findVersionRow } from '../tasks/versions.ts';
import * as requests from './request-store.ts';
import { takesTwo } from './rules.ts';
import { selectStarters } from './store.ts';

type Made = { task: { id: number; one_off: number }; dry: Pick<RunRow, 'version_id' | 'lineage_id'> };

/**
 * Who made a plan (spec DE8): who started the dry run, or a run that it goes on from. That of a proposal is that of whoever proposed it,
 * whoever tried it again.
 */
export async function makersOf(ctx: Ctx, { task, dry }: Made): Promise<(number | null)[]> {
  if (task.one_off !== 1) return selectStarters(ctx.db, dry.lineage_id);
  return [(await findVersionRow(ctx.db, task.id, dry.version_id))?.created_by ?? null];
}

type Writes = Parameters<typeof takesTwo>[1];

/** Refuses whoever made a plan that takes two persons, or was left to a second one, and a plan that was declined. */
export async function requireApplier(ctx: Ctx, task: Made['task'], dry: RunRow, writes: Writes): Promise<void> {
  const asked = await requests.lockRequest(ctx, dry.id);
  if (asked?.state === 'declined')
    throw new Refusal('not_applicable', `The plan of dry run ${dry.id} was declined: ${asked.reason}. Make a new dry run.`);
  const { adminId } = actingAdmin(ctx);
  const { four_eyes } = await readSettings(ctx.db);
  if ((asked || takesTwo(four_eyes, writes)) && (await makersOf(ctx, { task, dry })).includes(adminId))
    throw new Refusal(
      'second_person_required',
      `The shop wants another admin than who made the plan of dry run ${dry.id} to apply it: it has ${writes.length} writes.`,
    );
  if (asked) await requests.updateRequest(ctx.db, dry.id, { state: 'applied', decided_by: adminId, decided_at: ctx.now });
}

export { insertRequest, lockRequest, selectWaiting, updateRequest } from './request-store.ts';
