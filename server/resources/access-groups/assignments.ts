import type { ProductAssignment } from '../../../contract/access-groups.ts';
import type { BodyOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { noteChanged } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { refuseMissing } from '../../verbs/problem.ts';
import { lockProduct, touchProduct } from '../products/domain.ts';
import * as store from './store.ts';

export function listAssignments(ctx: Ctx, productId: number): Promise<ProductAssignment[]> {
  return store.selectAssignments(ctx.db, { productId });
}

/**
 * Sets which groups a product gives access to. It counts for later orders only; what was bought before stays as it is
 * (spec AG10, AG17).
 */
export async function replaceAssignments(
  ctx: Ctx,
  productId: number,
  { assignments }: BodyOf<Endpoints['products.replace_access_groups']>,
): Promise<ProductAssignment[]> {
  await lockProduct(ctx, productId);
  const before = await listAssignments(ctx, productId);
  const had = new Map(before.map(({ group_id, duration_days }) => [group_id, duration_days]));
  const wanted = new Map(assignments.map(({ group_id, duration_days = null }) => [group_id, duration_days]));
  const groups = await store.lockGroups(ctx, [...new Set([...had.keys(), ...wanted.keys()])]);
  refuseUnknown(assignments, new Set(groups.map(({ id }) => id)));
  const changed = groups.filter(({ id }) => had.get(id) !== wanted.get(id));
  if (changed.length > 0) {
    const rows = [...wanted].map(([group_id, duration_days]) => ({ group_id, duration_days }));
    await store.replaceAssignments(ctx.db, productId, rows);
    await store.raiseVersions(
      ctx.db,
      changed.map(({ id }) => id),
    );
    await touchProduct(ctx, productId);
  }
  const changes = changed.map(({ id, name }) => [`access group ${id} "${name}"`, [shown(had.get(id)), shown(wanted.get(id))]] as const);
  noteChanged(ctx, 'product', productId, Object.fromEntries(changes.map(([field, [old, now]]) => [field, [old, now]])));
  return listAssignments(ctx, productId);
}

function refuseUnknown(assignments: readonly { group_id: number }[], known: ReadonlySet<number>): void {
  const ids = assignments.map(({ group_id }) => group_id);
  refuseMissing(ids, known, { code: 'group_not_found', what: 'access group', pointerTo: (index) => `/assignments/${index}/group_id` });
}

/** The duration as the audit log shows it; null where the product does not give access to the group. */
function shown(durationDays: number | null | undefined): string | null {
  if (durationDays === undefined) return null;
  return durationDays === null ? 'for life' : `${durationDays} days`;
}
