import type { Generated } from 'kysely';

/** What is sent to customers; written as tables.ts says. */

export type MailTables = {
  mails: MailsTable;
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
  /** How often a sender has taken it. */
  attempts: number;
  /** When it is to be taken next, by the database's clock in ms; a taken one comes due again when its lease ends. */
  due_ms: number;
  /** Who has taken it; only that sender may say how it went. */
  lease: string | null;
  /** Given at the first attempt, the same ever after. */
  message_id: string | null;
  /** What it tells of: an order, an inquiry or a customer. */
  resource_type: string | null;
  resource_id: number | null;
  last_error: string | null;
  /** 1: failed since the admins were last told. */
  untold: number;
  created_at: string;
  ended_at: string | null;
  /** Of the request that it comes of; null: of none. */
  request_id: Generated<string | null>;
};
