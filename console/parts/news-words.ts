import type { Notification, NotificationType } from '../../contract/notifications.ts';
import { bytesText } from '../language/formats.ts';
import { newsText as t } from '../texts/news.ts';
import { endWords, wordsOfRun } from './run-status.tsx';

type Told = { title: string; message: string };
/** What a notification says of itself besides its words. */
type About = { text(name: string): string; number(name: string): number; has(name: string): boolean };

/** The shop did not say this of the notification, as of those that it told before it did. */
class Unknown extends Error {}

/** A notification in the words of the admin's language. Those of tasks and admins, and what the console does not know, stay as they are. */
export function newsWords({ type, title, message, metadata }: Pick<Notification, 'type' | 'title' | 'message' | 'metadata'>): Told {
  const words = Object.hasOwn(wordsOf, type) ? wordsOf[type as ToldType] : undefined;
  if (words === undefined) return { title, message };
  try {
    return words(aboutOf(metadata ?? {}));
  } catch (error) {
    if (error instanceof Unknown) return { title, message };
    throw error;
  }
}

function aboutOf(metadata: NonNullable<Notification['metadata']>): About {
  return {
    text: (name) => {
      const value = metadata[name];
      if (typeof value === 'string') return value;
      throw new Unknown(name);
    },
    number: (name) => {
      const value = metadata[name];
      if (typeof value === 'number') return value;
      throw new Unknown(name);
    },
    has: (name) => metadata[name] !== undefined && metadata[name] !== null && metadata[name] !== false,
  };
}

type RunEnd = 'ai_task_run_failed' | 'ai_task_run_interrupted' | 'ai_task_run_ended';

const runEnd =
  (type: RunEnd) =>
  ({ text, number, has }: About): Told => ({
    title: t.runs[type],
    message: t.runs.message(
      number('run_id'),
      text('task_name'),
      wordsOfRun({ status: text('status') }),
      has('end_reason') ? endWords(text('end_reason')) : undefined,
    ),
  });

function openerOf({ number, has }: About): string {
  const { openers } = t.ai_task_not_started;
  if (has('schedule_id')) return openers.schedule(number('schedule_id'));
  if (has('trigger_id')) return openers.trigger(number('trigger_id'));
  return has('hook_id') ? openers.hook(number('hook_id')) : openers.handler(number('handled_run_id'));
}

type ToldType = Exclude<NotificationType, 'task_message' | 'admin_message'>;

const wordsOf: Record<ToldType, (about: About) => Told> = {
  smtp_error: ({ text, number, has }) => {
    const error = has('last_error') ? text('last_error') : t.smtp_error.unknown;
    return { title: t.smtp_error.title, message: t.smtp_error.message(number('given_up'), number('waiting'), error) };
  },
  low_stock: ({ text, number }) => {
    const name = text('product_name');
    return { title: t.low_stock.title(name), message: t.low_stock.message(name, number('stock')) };
  },
  personal_access_token_created: ({ text }) => ({
    title: t.personal_access_token_created.title,
    message: t.personal_access_token_created.message(text('name')),
  }),
  passkey_added: ({ text }) => ({ title: t.passkey_added.title, message: t.passkey_added.message(text('name'), text('admin_name')) }),
  passkey_copied: ({ text }) => ({ title: t.passkey_copied.title, message: t.passkey_copied.message(text('name')) }),
  recovery_code_used: ({ text, number }) => ({
    title: t.recovery_code_used.title,
    message: t.recovery_code_used.message(text('admin_name'), number('left')),
  }),
  ai_task_run_failed: runEnd('ai_task_run_failed'),
  ai_task_run_interrupted: runEnd('ai_task_run_interrupted'),
  ai_task_run_ended: runEnd('ai_task_run_ended'),
  ai_task_run_stuck: ({ text, number }) => ({
    title: t.ai_task_run_stuck.title,
    message: t.ai_task_run_stuck.message(number('run_id'), text('task_name'), number('minutes')),
  }),
  ai_task_not_started: (about) => {
    const { title, message, reasons } = t.ai_task_not_started;
    const code = about.text('reason_code');
    const reason = reasons[code] ?? about.text('reason');
    return { title, message: message(about.text('task_name'), openerOf(about), reason) };
  },
  ai_task_paused: ({ text, number }) => ({
    title: t.ai_task_paused.title,
    message: t.ai_task_paused.message(text('task_name'), number('before_version')),
  }),
  ai_task_prompt: ({ text, number, has }) => ({
    title: has('dry_run') ? t.ai_task_prompt.dryTitle : t.ai_task_prompt.title,
    message: t.ai_task_prompt.message(number('run_id'), text('task_name')),
  }),
  ai_task_version_pending: ({ text, number, has }) => {
    const { title, message, onceTitle, onceMessage } = t.ai_task_version_pending;
    if (has('one_off')) return { title: onceTitle, message: onceMessage(text('task_name')) };
    return { title, message: message(number('version'), text('task_name'), text('by')) };
  },
  ai_task_version_commented: ({ text, number, has }) => {
    const { title, answerTitle, message } = t.ai_task_version_commented;
    return {
      title: has('thread_id') ? answerTitle : title,
      message: message(text('by'), number('line'), number('version'), text('task_name')),
    };
  },
  ai_task_changes_requested: ({ text, number }) => ({
    title: t.ai_task_changes_requested.title,
    message: t.ai_task_changes_requested.message(text('by'), number('version'), text('task_name')),
  }),
  ai_task_plan_pending: ({ text, number }) => ({
    title: t.ai_task_plan_pending.title,
    message: t.ai_task_plan_pending.message(text('by'), number('run_id'), text('task_name')),
  }),
  ai_task_plan_declined: ({ text, number }) => ({
    title: t.ai_task_plan_declined.title,
    message: t.ai_task_plan_declined.message(text('by'), number('run_id'), text('task_name'), text('reason')),
  }),
  policy_change_proposed: ({ text }) => ({
    title: t.policy_change_proposed.title,
    message: t.policy_change_proposed.message(text('by')),
  }),
  label_refund_failed: ({ text, number, has }) => {
    const label = has('tracking_number') ? text('tracking_number') : '';
    const { title, message } = t.label_refund_failed;
    return { title, message: message(number('order_id'), number('shipment_id'), label, text('error')) };
  },
  webhook_endpoint_disabled: ({ text, number, has }) => {
    const { title, gone, failed } = t.webhook_endpoint_disabled;
    return { title, message: has('gone') ? gone(text('url')) : failed(text('url'), number('attempts'), text('error')) };
  },
  storage_nearly_full: ({ number }) => ({
    title: t.storage_nearly_full.title,
    message: t.storage_nearly_full.message(bytesText(number('used_bytes')), bytesText(number('limit_bytes'))),
  }),
  mentioned: ({ text, number, has }) => ({
    title: t.mentioned.title(text('by')),
    message: has('public_id') ? t.mentioned.inOrder(text('public_id')) : t.mentioned.inCustomer(number('customer_id')),
  }),
};
