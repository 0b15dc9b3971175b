import type { AccessGroup, AccessGroupDetail } from '../../../contract/access-groups.ts';
import type { BodyOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { rowVersion } from '../../db/queries/row-version.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { notFound, type Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { membersOf } from '../entitlements/domain.ts';
import { holdFiles } from '../files/domain.ts';
import { holdPages } from '../pages/domain.ts';
import * as store from './store.ts';

export const recordVersions = {
  access_group: {
    version: rowVersion('access_groups'),
    derived: async (ctx, { id }, answers) => {
      const { member_count, ...group } = await readGroup(ctx, Number(id));
      if (answers === 'write' && member_count > MEMBERS_AT_ONCE) return undefined;
      return { member_count, ...group, ...(await partsOf(ctx, Number(id))) };
    },
  },
  // A grant never changes.
  access_grant: async (db, { grant_id }) => ((await store.selectGrant(db, Number(grant_id))) ? 1 : null),
} satisfies RecordVersions;

/**
 * A write to a group with more members than this does not read them all for its ETag; the ETag is then only the part that
 * If-Match compares.
 */
const MEMBERS_AT_ONCE = 1000;

export function listGroups(ctx: Ctx): Promise<AccessGroup[]> {
  return store.selectGroups(ctx.db, { now: ctx.now });
}

export async function getGroup(ctx: Ctx, id: number): Promise<AccessGroupDetail> {
  return { ...(await readGroup(ctx, id)), ...(await partsOf(ctx, id)) };
}

async function partsOf(ctx: Ctx, id: number) {
  return {
    files: await store.selectFiles(ctx.db, { groupId: id }),
    pages: await store.selectPages(ctx.db, { groupId: id }),
    granting_products: await store.selectGrantingProducts(ctx.db, id),
    members: await membersOf(ctx, { groupId: id }),
  };
}

export async function createGroup(
  ctx: Ctx,
  { slug, name, description = null, ...rest }: BodyOf<Endpoints['access_groups.create']>,
): Promise<AccessGroup> {
  rest satisfies Record<string, never>;
  const values = { slug, name, description };
  const id = await store.insertGroup(ctx.db, values, ctx.now);
  if (id === null) throw slugTaken(slug);
  noteCreated(ctx, 'access_group', { id, ...values }, name);
  return readGroup(ctx, id);
}

/** A description that is left out stays as it is (spec AG3). */
export async function updateGroup(ctx: Ctx, id: number, body: BodyOf<Endpoints['access_groups.update']>): Promise<AccessGroup> {
  const group = await lockGroup(ctx, id);
  const wanted = given(body);
  const changes = changesBetween(group, wanted);
  if (await store.isSlugTaken(ctx.db, body.slug, id)) throw slugTaken(body.slug);
  if (Object.keys(changes).length > 0) await store.updateGroup(ctx.db, id, wanted, ctx.now);
  noteChanged(ctx, 'access_group', id, changes);
  return readGroup(ctx, id);
}

/**
 * Deletes a group with its grants, assignments and entitlements. Its files and pages stay, but give nobody access any more
 * (spec AG16).
 */
export async function deleteGroup(ctx: Ctx, id: number): Promise<undefined> {
  const group = await lockGroup(ctx, id);
  await store.deleteGroup(ctx.db, id);
  noteDeleted(ctx, 'access_group', group, group.name);
}

/** Makes these the group's only files; sending the same set again changes nothing (spec AG12, AG13). */
export async function replaceFiles(ctx: Ctx, id: number, fileIds: readonly number[]): Promise<AccessGroup> {
  await lockGroup(ctx, id);
  await holdFiles(ctx, fileIds, '/file_ids');
  const changes = changesBetween({ file_ids: await store.selectFileIds(ctx.db, id) }, { file_ids: fileIds });
  if (changes['file_ids']) {
    await store.replaceFiles(ctx.db, id, fileIds);
    await store.updateGroup(ctx.db, id, {}, ctx.now);
  }
  noteChanged(ctx, 'access_group', id, changes);
  return readGroup(ctx, id);
}

export async function replacePages(ctx: Ctx, id: number, pageIds: readonly number[]): Promise<AccessGroup> {
  await lockGroup(ctx, id);
  await holdPages(ctx, pageIds, '/page_ids');
  const changes = changesBetween({ page_ids: await store.selectPageIds(ctx.db, id) }, { page_ids: pageIds });
  if (changes['page_ids']) {
    await store.replacePages(ctx.db, id, pageIds);
    await store.updateGroup(ctx.db, id, {}, ctx.now);
  }
  noteChanged(ctx, 'access_group', id, changes);
  return readGroup(ctx, id);
}

export async function lockGroup(ctx: Ctx, id: number): Promise<store.GroupValues & { id: number }> {
  const group = await store.lockGroup(ctx, id);
  if (!group) throw notFound('access group', id);
  return group;
}

async function readGroup(ctx: Ctx, id: number): Promise<AccessGroup> {
  const group = await store.selectGroup(ctx.db, id, ctx.now);
  if (!group) throw notFound('access group', id);
  return group;
}

function slugTaken(slug: string): Refusal {
  return refuseValue('slug_taken', '/slug', `there is already an access group with the slug "${slug}"`);
}
