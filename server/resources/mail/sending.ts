import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { isEventType } from '../../../contract/preferences.ts';
import { type Db, readsOf, type Store } from '../../db/open.ts';
import { asRequest } from '../../process/request-id.ts';
import { openSmtp, type Postman, type Sending, type SmtpAccount } from '../../providers/mail/smtp.ts';
import { markMaybeTwice } from '../audit/domain.ts';
import { notify, wasNotifiedSince } from '../notifications/domain.ts';
import { adminsStillToMail, adminsToMail } from '../preferences/domain.ts';
import { readSettings } from '../settings/domain.ts';
import { hasCode, isAboutOwn, MAX_ATTEMPTS, pauseMs, retryDelayMs } from './rules.ts';
import * as store from './store.ts';

/** How many mails are sent at the same time, each over its own connection. */
const AT_ONCE = 5;
const SEND_WITHIN_MS = 60_000;
/** Longer than a send can take, so that two senders never have the same mail, unless a machine stood still in between. */
const LEASE_MS = 2 * SEND_WITHIN_MS;
/** When the server stops, mails that are being sent get this much time to finish. */
const GRACE_MS = 5000;

type Deps = { store: Store; log: Logger; stopping: AbortSignal };

/**
 * Returns the function that each tick calls: it sends the mails that are due and notifies the admins of failures. Any number
 * of servers may call it. Without an SMTP account mails wait, which is not an error.
 */
export function mailSender(deps: Deps): () => Promise<void> {
  const cutOff = new AbortController();
  deps.stopping.addEventListener('abort', () => setTimeout(() => cutOff.abort(), GRACE_MS).unref(), { once: true });
  let known: string | null = null;
  let failures = 0;
  let pauseUntil = 0;
  return async () => {
    const { smtp: account } = await readSettings(deps.store.reader);
    if (account === null) return;
    // A changed account may work where the earlier one failed, so it is tried at once.
    const changed = known !== JSON.stringify(account);
    known = JSON.stringify(account);
    if (changed || performance.now() >= pauseUntil) {
      failures = (await sendDue(deps, account, cutOff.signal)) ? 0 : failures + 1;
      pauseUntil = failures === 0 ? 0 : performance.now() + pauseMs(failures);
    }
    await tellFailures(deps.store);
  };
}

/** Sends the mails that are due. Returns false if the SMTP server takes no mail at all; the remaining mails are then left for later. */
async function sendDue(deps: Deps, account: SmtpAccount, cutOff: AbortSignal): Promise<boolean> {
  const { store: data, stopping } = deps;
  if (!(await store.isAnyDue(readsOf(data)))) return true;
  const postman = openSmtp(account, AT_ONCE);
  try {
    while (!stopping.aborted) {
      const claim = { lease: randomUUID(), leaseMs: LEASE_MS, domain: domainOf(account.from), limit: AT_ONCE };
      const mails = await data.write(async (db) => {
        if (!(await isCurrent(db, account))) return null;
        const due = await store.claimDue({ db, dialect: data.dialect }, claim);
        if (due.length === 0) return null;
        const claimed = await withoutUnwanted(db, due);
        const again = claimed.filter(({ maybeSent }) => maybeSent);
        await markMaybeTwice(
          db,
          'mail',
          again.map(({ id }) => id),
        );
        return claimed;
      });
      if (mails === null) return true;
      const outcomes = await Promise.all(
        mails.map((mail) => asRequest(mail.request_id, () => sendOne(deps, account, postman, mail, cutOff))),
      );
      if (outcomes.includes('unreachable')) return false;
    }
    return true;
  } finally {
    postman.close();
  }
}

/**
 * Drops the mails about tasks whose admin, since they were written, was deactivated, lost the permission, has another address or wants no
 * such mails any more, or none about what others wrote: one that tells of several events waits for up to an hour.
 */
async function withoutUnwanted(db: Db, claimed: readonly store.Claimed[]): Promise<readonly store.Claimed[]> {
  const unwanted = new Set<number>();
  for (const { id, template, to_address, fold_key } of claimed) {
    if (fold_key === null || !isEventType(template)) continue;
    const wanting = isAboutOwn(fold_key) ? await adminsStillToMail({ db }, template) : await adminsToMail({ db }, template);
    if (!wanting.some(({ email }) => email.trim() === to_address)) unwanted.add(id);
  }
  await store.deleteClaimed(db, [...unwanted]);
  return claimed.filter(({ id }) => !unwanted.has(id));
}

async function sendOne(
  { store: data, log }: Deps,
  account: SmtpAccount,
  postman: Postman,
  mail: store.Claimed,
  cutOff: AbortSignal,
): Promise<Sending['outcome']> {
  const letter = {
    messageId: mail.message_id,
    to: { name: mail.to_name, address: mail.to_address },
    subject: mail.subject,
    text: mail.text_body,
    html: mail.html_body === '' ? null : mail.html_body,
    replyTo: mail.reply_to,
    unsubscribeUrl: mail.unsubscribe_url,
  };
  const sending = await postman.send(letter, AbortSignal.any([AbortSignal.timeout(SEND_WITHIN_MS), cutOff]));
  const now = new Date().toISOString();
  const givenUp = sending.outcome === 'refused' || mail.attempts >= MAX_ATTEMPTS;
  const kept = await data.write(async (db) => {
    const at = { db, dialect: data.dialect };
    if (sending.outcome !== 'sent' && sending.maybeSent && !givenUp) await markMaybeTwice(db, 'mail', [mail.id]);
    if (sending.outcome === 'sent') {
      const texts = hasCode(mail.template) ? { text_body: '', html_body: '' } : {};
      return store.settleMail(at, mail, { status: 'sent', untold: 0, last_error: null, ended_at: now, ...texts });
    }
    const failed = { last_error: sending.error, untold: 1 };
    if (givenUp) return store.settleMail(at, mail, { ...failed, status: 'failed', ended_at: now });
    // If an admin has changed the account in the meantime, the mail is due at once.
    const dueInMs = (await isCurrent(db, account)) ? retryDelayMs(mail.attempts, Math.random()) : 0;
    return store.settleMail(at, mail, { ...failed, dueInMs });
  });
  const facts = { mail: mail.id, template: mail.template, attempt: mail.attempts };
  if (!kept) log.warn(facts, 'the lease of a mail ended while the mail was being sent; another sender may send it too');
  else if (sending.outcome === 'sent') log.info(facts, 'mail sent');
  else log.warn({ ...facts, reason: sending.error }, givenUp ? 'mail not sent and given up' : 'mail not sent; it will be tried again');
  return sending.outcome;
}

async function isCurrent(db: Db, account: SmtpAccount): Promise<boolean> {
  return JSON.stringify((await readSettings(db)).smtp) === JSON.stringify(account);
}

function domainOf(from: string): string {
  return /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

const HOUR_MS = 3_600_000;

/**
 * Notifies the admins of failed mails at most once an hour, whatever the number of servers (spec NT3). Later failures
 * are in the next notification.
 */
async function tellFailures(data: Store): Promise<void> {
  const hourAgo = new Date(Date.now() - HOUR_MS).toISOString();
  if (!(await store.hasUntold(data.reader)) || (await wasNotifiedSince(data.reader, 'smtp_error', hourAgo))) return;
  await data.write(async (db) => {
    await data.dialect.lockName(db, 'smtp_error');
    if (await wasNotifiedSince(db, 'smtp_error', hourAgo)) return;
    const { mails, given_up, last_error: said } = await store.takeUntold(db);
    if (mails === 0) return;
    // The error may contain the recipient's address, which must not stay in a notification.
    const last_error = said?.replaceAll(/[^\s<>@]+@[^\s<>@]+/g, '…') ?? null;
    const waiting = mails - given_up;
    const parts = [...(given_up > 0 ? [`${given_up} given up`] : []), ...(waiting > 0 ? [`${waiting} tried again`] : [])];
    const message = `Mails that could not be sent: ${parts.join(', ')}. Last error: ${last_error ?? 'unknown'}`;
    const metadata = { mails, given_up, waiting, last_error };
    const now = new Date().toISOString();
    await notify({ db, now }, [{ type: 'smtp_error', title: 'Mail cannot be sent', message, metadata }]);
  });
}
