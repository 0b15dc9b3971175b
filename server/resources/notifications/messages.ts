import { type NewNotification, notificationTypes, RUN_NOTIFICATIONS_MAX } from '../../../contract/notifications.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal, refuseMissing } from '../../verbs/problem.ts';
import * as store from './store.ts';

/** Writes a notification of a task or an admin to the admins. */
export async function writeMessage(ctx: Ctx, { title, body, link, admins, severity, ...rest }: NewNotification): Promise<{ id: number }> {
  rest satisfies Record<string, never>;
  if (admins !== null) await refuseUnknownAdmins(ctx, admins, (index) => `/admins/${index}`);
  await countForRun(ctx);
  const message = { ...senderOf(ctx), severity, title, message: body, link, created_at: ctx.now };
  const id = await store.insertNotification(ctx.db, message, admins);
  ctx.audit({
    resource: { type: 'notification', id },
    changes: { severity: [null, severity], admins: [null, admins] },
    // The text may be personal, and may be for some admins only.
    shown: { title: [null, title], body: [null, body], link: [null, link] },
    summary: `Notification ${id} for ${admins === null ? 'all admins' : admins.length === 1 ? '1 admin' : `${admins.length} admins`}`,
  });
  return { id };
}

export async function refuseUnknownAdmins(ctx: Ctx, admins: readonly number[], pointerTo: (index: number) => string): Promise<void> {
  if (admins.length === 0) return;
  const known = new Set(await store.selectAdminIds(ctx.db, admins));
  refuseMissing(admins, known, { code: 'admin_not_found', what: 'admin', pointerTo });
}

type Mention = { title: string; message: string; link: string; metadata: Record<string, unknown> };

/** Tells these admins that a comment mentions them. */
export async function notifyMentioned(ctx: Ctx, admins: readonly number[], mention: Mention): Promise<void> {
  if (admins.length === 0) return;
  await countForRun(ctx);
  const by = {
    admin_id: actingAdmin(ctx).adminId,
    ...(ctx.actor.type === 'task' ? { task_id: ctx.actor.taskId, run_id: ctx.actor.runId } : {}),
  };
  const row = { type: 'mentioned', severity: notificationTypes.mentioned, created_at: ctx.now };
  await store.insertNotification(ctx.db, { ...row, ...mention, metadata: { ...by, ...mention.metadata } }, admins);
}

async function countForRun({ db, actor }: Ctx): Promise<void> {
  if (actor.type !== 'task' || (await store.countOfLineage(db, actor.lineageId)) <= RUN_NOTIFICATIONS_MAX) return;
  throw new Refusal(
    'notification_limit_reached',
    `A run, with the runs that it resumes, may write at most ${RUN_NOTIFICATIONS_MAX} notifications: put several things into one.`,
    { extra: { limit: RUN_NOTIFICATIONS_MAX } },
  );
}

function senderOf(ctx: Ctx) {
  const { actor } = ctx;
  if (actor.type === 'task') return { type: 'task_message', metadata: { task_id: actor.taskId, run_id: actor.runId } };
  return { type: 'admin_message', metadata: { admin_id: actingAdmin(ctx).adminId } };
}
