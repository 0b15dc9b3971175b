import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { fold } from '../../../contract/values.ts';
import { VIEWS_MAX, type View } from '../../../contract/views.ts';
import { actingAdmin, actsAsOwner, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import { changeRecord, createRecord, deleteRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { type StoredView, selectOwn, selectVisible, views } from './store.ts';

export const recordVersions = {
  view: {
    version: async (db, { id }, actor) => {
      const view = await views.find(db, Number(id));
      return view !== null && isVisible({ actor }, view) ? views.version(db, { id: view.id }) : null;
    },
    // Two admins who see the same view differ in whether it is their own.
    derived: async (ctx, { id }) => (await views.find(ctx.db, Number(id)))?.admin_id === actingAdmin(ctx).adminId,
  },
} satisfies RecordVersions;

export async function listViews(ctx: Ctx, screen: string | undefined): Promise<View[]> {
  const found = await selectVisible(ctx.db, actingAdmin(ctx).adminId, screen ?? null);
  return found.map((view) => shown(ctx, view));
}

/** Reads a view; another admin's view that is not shared does not exist for the caller. */
export async function getView(ctx: Ctx, id: number): Promise<View> {
  return shown(ctx, visible(ctx, id, await views.find(ctx.db, id)));
}

export async function createView(ctx: Ctx, body: InputOf<Endpoints['me.create_view']>['body']): Promise<View> {
  const { adminId } = actingAdmin(ctx);
  const own = await holdViews(ctx, adminId);
  if (own.length >= VIEWS_MAX) throw new Refusal('out_of_range', `An admin may have at most ${VIEWS_MAX} views; delete one first.`);
  refuseTaken(own, body);
  const last = Math.max(0, ...own.filter(({ screen }) => screen === body.screen).map(({ position }) => position));
  const stamps = { admin_id: adminId, created_at: ctx.now, updated_at: ctx.now };
  return shown(ctx, await createRecord(ctx, views, { ...body, position: body.position ?? last + 1, ...stamps }));
}

export async function updateView(ctx: Ctx, id: number, body: InputOf<Endpoints['me.update_view']>['body']): Promise<View> {
  const view = await changeable(ctx, id);
  if (body.name !== undefined)
    refuseTaken(
      (await selectOwn(ctx.db, view.admin_id)).filter((one) => one.id !== id),
      { screen: view.screen, name: body.name },
    );
  return shown(ctx, await changeRecord(ctx, views, view, body, { updated_at: ctx.now }));
}

export async function deleteView(ctx: Ctx, id: number): Promise<undefined> {
  return deleteRecord(ctx, views, await changeable(ctx, id));
}

/** Locks the views of an admin, so that two requests at a time make neither the same name twice nor one view too many. */
async function holdViews(ctx: Ctx, adminId: number): Promise<StoredView[]> {
  await ctx.dialect.lockName(ctx.db, `views of admin ${adminId}`);
  return selectOwn(ctx.db, adminId);
}

/** Reads and locks a view that the caller may change. */
async function changeable(ctx: Ctx, id: number): Promise<StoredView> {
  const found = visible(ctx, id, await views.find(ctx.db, id));
  await ctx.dialect.lockName(ctx.db, `views of admin ${found.admin_id}`);
  const view = visible(ctx, id, await lockRecord(ctx, views, id));
  if (!isOwn(ctx, view) && !actsAsOwner(ctx.actor))
    throw new Refusal(
      'forbidden',
      'Another admin shares this view; only that admin changes it, and owners by a token without a list of permissions.',
    );
  return view;
}

function visible(ctx: Ctx, id: number, view: StoredView | null): StoredView {
  if (view === null || !isVisible(ctx, view)) throw notFound('view', id);
  return view;
}

function isVisible(ctx: Pick<Ctx, 'actor'>, view: StoredView): boolean {
  return view.shared || isOwn(ctx, view);
}

function isOwn(ctx: Pick<Ctx, 'actor'>, view: StoredView): boolean {
  return view.admin_id === actingAdmin(ctx).adminId;
}

function shown(ctx: Ctx, view: StoredView): View {
  return { ...view, own: isOwn(ctx, view) };
}

function refuseTaken(others: readonly StoredView[], { screen, name }: Pick<StoredView, 'screen' | 'name'>): void {
  if (others.some((one) => one.screen === screen && fold(one.name) === fold(name)))
    throw refuseValue('duplicate', '/name', `there is already a view "${name}" of ${screen}`);
}
