import { emailKey } from '../../../contract/emails.ts';
import type { Services } from '../../services.ts';
import type { Settings } from '../../values/settings.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { activeAdmins, lockAllAdmins } from '../admins/domain.ts';
import { queueMail } from '../mail/domain.ts';
import { hasHadPasskeys } from '../passkeys/codes.ts';
import { placeOf } from '../passkeys/place.ts';
import { timeAfter } from '../tokens/domain.ts';
import { countMailedLinks, LINK_CODE_PATH, makeAdminLink } from '../tokens/one-time-links.ts';

const MINUTES = 15;
/** So many links an admin is sent within the time that one is valid. */
const LINKS_MAX = 3;

type MailSettings = Pick<Settings, 'smtp' | 'public_url'>;

export async function signInOptions(ctx: Ctx) {
  const { shop_name } = ctx.settings;
  return {
    shop_name,
    sends_links: canMail(ctx.settings),
    passkeys_at: placeOf(ctx)?.origin ?? null,
    has_passkeys: await hasHadPasskeys(ctx.db),
  };
}

function canMail({ smtp, public_url }: MailSettings): boolean {
  return smtp !== null && public_url !== null;
}

/** Refuses to send a link by mail where no mail is sent, or where it is not known where the link leads. */
export function requireMail({ smtp, public_url }: MailSettings): void {
  if (smtp === null) throw new Refusal('mail_not_configured', 'Set up a mail account in the settings, or hand the link over yourself.');
  if (public_url === null) throw new Refusal('public_url_not_set', 'Set the public address of the shop, or hand the link over yourself.');
}

/**
 * Sends a sign-in link to the active admin with this address. The answer does not wait for any of it, so neither what it says nor how long it
 * takes tells whether there is such an admin.
 */
export async function askForSignInLink(services: Services, email: string): Promise<{ expires_in_minutes: number }> {
  sendSignInLink(services, email).catch((error: unknown) => services.log.warn({ err: error }, 'a sign-in link could not be sent'));
  return { expires_in_minutes: MINUTES };
}

async function sendSignInLink(services: Services, email: string): Promise<void> {
  const wanted = emailKey(email);
  const isWanted = (admin: { email: string }): boolean => emailKey(admin.email) === wanted;
  // Only a known address opens a transaction, which others would wait for.
  if (!canMail(await services.settings.get(services.store.reader)) || !(await activeAdmins(services.store.reader)).some(isWanted)) return;
  await services.transact('me.send_sign_in_link', async (ctx) => {
    // An address that is being taken away gets no link, and requests at the same time are counted.
    await lockAllAdmins(ctx);
    const admin = (await activeAdmins(ctx.db)).find(isWanted);
    if (!admin || !canMail(ctx.settings)) return;
    const lifetimeMs = MINUTES * 60_000;
    if ((await countMailedLinks(ctx, admin.id, timeAfter(ctx.now, -lifetimeMs))) >= LINKS_MAX) return;
    const { code } = await makeAdminLink(ctx, { adminId: admin.id, madeBy: null, lifetimeMs });
    const data = { link: `${ctx.settings.public_url}${LINK_CODE_PATH}${code}`, minutes: String(MINUTES) };
    await queueMail(ctx, { template: 'sign_in_link', to: admin, data });
  });
}
