import type { EventType } from '../../contract/preferences.ts';
import { counted, countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

/** What the shop tells its admins, by the type of the notification; those that tasks and admins write have words of their own. */
const english = {
  smtp_error: {
    title: 'Mail cannot be sent',
    message: (givenUp: number, waiting: number, error: string) =>
      `Mails that could not be sent: ${[...(givenUp > 0 ? [`${countText(givenUp)} given up`] : []), ...(waiting > 0 ? [`${countText(waiting)} tried again`] : [])].join(', ')}. Last error: ${error}`,
    unknown: 'unknown',
  },
  low_stock: {
    title: (product: string) => `Low stock: ${product}`,
    message: (product: string, stock: number) => `${countText(stock)} left of ${product}.`,
  },
  personal_access_token_created: {
    title: 'Personal access token created',
    message: (name: string) => `The token “${name}” was created.`,
  },
  passkey_added: {
    title: 'Passkey added',
    message: (name: string, admin: string) => `${admin} has a new passkey: “${name}”.`,
  },
  passkey_copied: {
    title: 'A passkey may have been copied',
    message: (name: string) => `The passkey “${name}” was refused because its counter has not grown. Somebody may have a copy of it.`,
  },
  recovery_code_used: {
    title: 'Recovery code used',
    message: (admin: string, left: number) => `${admin} used a recovery code to set up a new passkey. Codes left: ${countText(left)}.`,
  },
  runs: {
    ai_task_run_failed: 'A task run failed',
    ai_task_run_interrupted: 'A task run was interrupted',
    ai_task_run_ended: 'A task run ended without success',
    message: (run: number, task: string, status: string, reason: string | undefined) =>
      `Run ${run} of “${task}”: ${status}${reason === undefined ? '' : ` (${reason})`}`,
  },
  ai_task_run_stuck: {
    title: 'A task run may be stuck',
    message: (run: number, task: string, minutes: number) =>
      `Run ${run} of “${task}” is running, but has given no sign of progress for ${minutes === 1 ? 'a minute' : `${countText(minutes)} minutes`}`,
  },
  ai_task_not_started: {
    title: 'A task did not start',
    message: (task: string, opener: string, reason: string) => `“${task}”, ${opener}: no run was started. ${reason}`,
    openers: {
      schedule: (id: number) => `schedule ${id}`,
      trigger: (id: number) => `trigger ${id}`,
      hook: (id: number) => `hook ${id}`,
      handler: (run: number) => `end of run ${run}`,
    },
    /** By their codes; others stay as the server says them. */
    reasons: {
      not_entitled: 'The admin for whom it acts is deactivated or may not start tasks any more.',
      queue_full: 'Its open run has not ended, and as many times wait already as may.',
      task_paused: 'The task is paused, because its new version did worse than the one before.',
      task_deleted: 'The task is deleted.',
      version_not_approved: 'No version of the task is approved.',
      required: 'A parameter has no value.',
      forbidden: 'A permission is missing.',
      missed: 'No server was running at that time, and it is too long ago to make up for it.',
    } as Record<string, string>,
  },
  ai_task_paused: {
    title: 'A task was paused',
    message: (task: string, before: number) =>
      `The new version of “${task}” did worse than version ${before}. The task starts no runs until somebody decides.`,
  },
  ai_task_prompt: {
    title: 'A task run waits for an answer',
    dryTitle: 'A dry run of a task waits for an answer',
    message: (run: number, task: string) => `Run ${run} of “${task}” asks something`,
  },
  ai_task_version_pending: {
    title: 'A version waits for approval',
    message: (version: number, task: string, by: string) => `Version ${version} of “${task}” by ${by}`,
    onceTitle: 'A proposal waits for a decision',
    onceMessage: (task: string) => `“${task}” ran dry: its plan is applied or declined in its review`,
  },
  ai_task_version_commented: {
    title: 'A comment on a version',
    answerTitle: 'An answer to a comment on a version',
    message: (by: string, line: number, version: number, task: string) => `${by}: line ${line} of version ${version} of “${task}”`,
  },
  ai_task_changes_requested: {
    title: 'Changes are requested on a version',
    message: (by: string, version: number, task: string) => `${by} requests changes on version ${version} of “${task}”`,
  },
  ai_task_plan_pending: {
    title: 'A plan waits for a second person',
    message: (by: string, run: number, task: string) => `${by} asks another admin to apply the plan of dry run ${run} of “${task}”`,
  },
  ai_task_plan_declined: {
    title: 'A plan was declined',
    message: (by: string, run: number, task: string, reason: string) => `${by} declined the plan of dry run ${run} of “${task}”: ${reason}`,
  },
  policy_change_proposed: {
    title: 'A change of the rules waits for you',
    message: (by: string) => `${by} proposes a change that takes two owners`,
  },
  label_refund_failed: {
    title: 'A label was not refunded',
    message: (order: number, shipment: number, label: string, error: string) =>
      `Order ${order}: the courier did not take back the label ${label} of the removed shipment ${shipment}: ${error}`,
  },
  webhook_endpoint_disabled: {
    title: 'Webhook endpoint switched off',
    gone: (url: string) => `${url} was switched off: it answered 410 Gone`,
    failed: (url: string, attempts: number, error: string) =>
      `${url} was switched off: ${counted(attempts, 'attempt', 'attempts')} failed, the last: ${error}`,
  },
  storage_nearly_full: {
    title: 'Storage nearly full',
    message: (used: string, limit: string) => `${used} of ${limit} are used by files.`,
  },
  mentioned: {
    title: (by: string) => `${by} mentioned you`,
    inOrder: (number: string) => `In a comment on order ${number}.`,
    inCustomer: (id: number) => `In a comment on customer ${id}.`,
  },
  /** Of what an admin is mailed. */
  mails: {
    order_placed: 'New order',
    inquiry_received: 'New inquiry',
    task_run_failed: 'A run of a task failed',
    task_run_interrupted: 'A run of a task was interrupted',
    task_run_stuck: 'A run of a task may be stuck',
    task_paused: 'A task was paused in the trial of its new version',
    task_missed: 'A task did not start when it should have',
  } satisfies Record<EventType, string>,
} as const;

export type NewsText = Words<typeof english>;
export const newsText = translated('news', english);
