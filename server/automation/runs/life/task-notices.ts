import type { NotificationType } from '../../../../contract/notifications.ts';
import { queueFolded } from '../../../resources/mail/domain.ts';
import { foldKeyOf } from '../../../resources/mail/rules.ts';
import { notify } from '../../../resources/notifications/domain.ts';
import { adminsToMail } from '../../../resources/preferences/domain.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { selectAuthor } from '../rows/store.ts';

/** The event that is told, and the type of its mails, which admins choose. */
const mailTypes = {
  'task.run_failed': 'task_run_failed',
  'task.run_interrupted': 'task_run_interrupted',
  'task.run_stuck': 'task_run_stuck',
  'task.paused': 'task_paused',
  'task.missed': 'task_missed',
} as const;

export type TaskNotice = {
  event: keyof typeof mailTypes;
  task: { id: number; name: string };
  /** The version whose author is told. */
  versionId: number | null;
  type: NotificationType;
  title: string;
  message: string;
  metadata: Record<string, unknown>;
  runId: number | null;
  reason: string | null;
  /** What of the task the notice is about, such as one of its schedules; only notices about the same are told as one. */
  about?: string;
};

/**
 * Tells the admins what happened to a task, in the transaction in which it happens: a notification for all of them, and a mail to each who
 * wants it. Neither holds anything that the script wrote, because not everybody may read its output.
 */
export async function notifyOfTask(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now' | 'settings' | 'requestId'>,
  { event, task, versionId, runId, reason, about = '', ...notice }: TaskNotice,
): Promise<void> {
  const key = `${event}/${task.id}`;
  const metadata = { ...notice.metadata, task_name: task.name };
  await notify(ctx, [{ ...notice, metadata, foldKey: `${notice.type}/${task.id}/${about}` }]);
  const template = mailTypes[event];
  const authorId = versionId === null ? null : await selectAuthor(ctx.db, versionId);
  for (const admin of await adminsToMail(ctx, template, authorId)) {
    if (admin.email.trim() === '') continue;
    await queueFolded(ctx, foldKeyOf(`${key}/${admin.id}`, { isOwn: admin.id === authorId }), (count) => ({
      template,
      to: { name: admin.name, email: admin.email.trim() },
      data: { task: task.name, run_id: runId, reason, count },
    }));
  }
}
