import type { Generated } from 'kysely';

/** Mails to customers, in the form that tables.ts describes. */

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
  created_at: string;
  ended_at: string | null;
  /** Id of the request that caused the mail; null: no request did. */
  request_id: Generated<string | null>;
};
