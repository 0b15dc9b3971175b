import type { PasskeyAssertion } from '../../../contract/webauthn.ts';
import type { Row } from '../../db/tables.ts';
import type { Ctx } from '../../verbs/context.ts';
import type { Retention } from '../../verbs/retention.ts';
import { timeAfter } from '../tokens/domain.ts';
import { hashToken, randomSecret } from '../tokens/secret.ts';
import { requireConfirmed } from './challenges.ts';
import * as store from './store.ts';

/** Codes that each make one passkey. None comes from a token: see `mayEnrol`. */

const VALID_MS = 15 * 60_000;

export const codeRetention: Retention = { days: () => 0, deleteBatch: store.deleteOldCodes };

export async function makePasskeyCode(ctx: Ctx, adminId: number, source: Row<'passkey_codes'>['source']) {
  const code = randomSecret(ctx.random);
  const expires_at = timeAfter(ctx.now, VALID_MS);
  await store.insertCode(ctx.db, { code_hash: hashToken(code), admin_id: adminId, source, expires_at });
  return { code, expires_at };
}

/** Whether a link that is made now allows a passkey: a passkey of whoever makes it has confirmed that (spec AU22). */
export async function isVouchedFor(ctx: Ctx, assertion: PasskeyAssertion | undefined): Promise<boolean> {
  if (assertion === undefined) return false;
  await requireConfirmed(ctx, 'vouch', assertion);
  return true;
}

/**
 * Whether a link allows a passkey. `isVouched`: a passkey or the machine has said so. `isOwners`: an owner made it for somebody else; that is
 * enough while nobody has ever had a passkey, since there is nothing that it could open yet.
 */
export async function allowsPasskey(
  ctx: Pick<Ctx, 'db'>,
  { isVouched, isOwners }: { isVouched: boolean; isOwners: boolean },
): Promise<boolean> {
  return isVouched || (isOwners && !(await store.hasHadPasskeys(ctx.db)));
}

/** The code by which whoever has just used a link may make a passkey; null: the link allows none. */
export async function codeOfLink(
  ctx: Ctx,
  adminId: number,
  link: Pick<Row<'one_time_links'>, 'enrols' | 'made_by' | 'invitation_id'>,
): Promise<string | null> {
  const isVouched = link.enrols === 1;
  const isOwners = link.made_by !== null || link.invitation_id !== null;
  if (!(await allowsPasskey(ctx, { isVouched, isOwners }))) return null;
  return (await makePasskeyCode(ctx, adminId, isVouched ? 'link' : 'first')).code;
}

/** Whether anybody in the shop ever had a passkey. */
export { hasHadPasskeys } from './store.ts';
