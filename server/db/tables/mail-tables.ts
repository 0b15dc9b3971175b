import type { Generated } from 'kysely';

/** Mails, and what tasks that write mails need, in the form that tables.ts describes. */

export type MailTables = {
  mails: MailsTable;
  task_mail_days: TaskMailDaysTable;
  unsubscribe_links: UnsubscribeLinksTable;
};

/** The number of mails that tasks have written on a day of the shop's time zone. */
type TaskMailDaysTable = { day: string; mails: number };

type UnsubscribeLinksTable = {
  /** SHA-256 of the token in the link, hex. */
  token_hash: string;
  customer_id: number;
  created_at: string;
};

type MailsTable = {
  id: Generated<number>;
  template: string;
  locale: string;
  to_name: string;
  to_address: string;
  subject: string;
  text_body: string;
  html_body: string;
  status: 'queued' | 'sent' | 'failed';
  /** How often a sender has taken the mail. */
  attempts: number;
  /** When the mail is due, by the database's clock in ms. A mail that a sender has taken is due again when the sender's lease ends. */
  due_ms: number;
  /** The lease of the sender that has taken the mail; only that sender may store the outcome. */
  lease: string | null;
  /** Set at the first attempt and then kept. */
  message_id: string | null;
  /** The record that the mail is about: an order, an inquiry or a customer. */
  resource_type: string | null;
  resource_id: number | null;
  last_error: string | null;
  /** 1: the mail failed after the admins were last told about failed mails. */
  untold: number;
  reply_to: string | null;
  /** The recipient's link in the headers of a marketing mail. */
  unsubscribe_url: string | null;
  /** The run that wrote the mail; null: the shop itself. */
  task_id: number | null;
  run_id: number | null;
  created_at: string;
  ended_at: string | null;
  /** The kind of news, the task and the admin, of a mail that several events may share; null: it is about one. */
  fold_key: Generated<string | null>;
  /** How many events the mail tells of. */
  folded: Generated<number>;
  /** When such a mail was to be sent, in milliseconds since 1970 by the database's clock. */
  planned_ms: Generated<number | null>;
  /** Id of the request that caused the mail; null: no request did. */
  request_id: Generated<string | null>;
  /** The customer to whom it goes; null: it goes to an admin, or to nobody known. */
  customer_id: Generated<number | null>;
};
