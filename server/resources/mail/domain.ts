import type { Ctx } from '../../context.ts';
import * as store from './store.ts';
import { type Mail, writeMail } from './templates.ts';

/**
 * Puts a mail in the outbox, in the transaction of what it tells; it is written now, with the data of now, and sent
 * later. False where there is no address to send to.
 */
export async function queueMail({ db, now, settings }: Pick<Ctx, 'db' | 'now' | 'settings'>, mail: Mail): Promise<boolean> {
  const address = mail.to.email.trim();
  if (address === '') return false;
  const { subject, text, html } = writeMail(mail, settings);
  await store.insertMail(db, {
    template: mail.template,
    locale: settings.locale,
    to_name: mail.to.name,
    to_address: address,
    subject,
    text_body: text,
    html_body: html,
    status: 'queued',
    attempts: 0,
    due_ms: 0,
    untold: 0,
    created_at: now,
  });
  return true;
}
