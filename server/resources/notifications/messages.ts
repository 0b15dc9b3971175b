import { type NewNotification, RUN_NOTIFICATIONS_MAX } from '../../../contract/notifications.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal, refuseMissing } from '../../verbs/problem.ts';
import * as store from './store.ts';

/** Writes a notification of a task or an admin to the admins. */
export async function writeMessage(ctx: Ctx, { title, body, link, admins, severity, ...rest }: NewNotification): Promise<{ id: number }> {
  rest satisfies Record<string, never>;
  if (admins !== null) await refuseUnknown(ctx, admins);
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

async function refuseUnknown(ctx: Ctx, admins: readonly number[]): Promise<void> {
  const known = new Set(await store.selectAdminIds(ctx.db, admins));
  refuseMissing(admins, known, { code: 'admin_not_found', what: 'admin', pointerTo: (index) => `/admins/${index}` });
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
