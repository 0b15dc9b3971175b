import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Ctx } from '../../verbs/context.ts';
import { allowsPasskey, codeOfLink, isVouchedFor } from '../passkeys/codes.ts';
import { redeemSignInLink } from '../tokens/one-time-links.ts';
import { createSignInLinkFor } from '../tokens/own.ts';

/** Signs in by a link, and gives the code of a passkey where the link allows one. */
export async function redeem(ctx: Ctx, body: InputOf<Endpoints['me.redeem_sign_in_link']>['body']) {
  const { link, signedIn } = await redeemSignInLink(ctx, body);
  return { ...signedIn, passkey_code: await codeOfLink(ctx, signedIn.admin.id, link) };
}

/** Makes a link to hand to another admin, for which a passkey of whoever makes it may vouch. */
export async function createLinkFor(ctx: Ctx, adminId: number, body: InputOf<Endpoints['admins.create_sign_in_link']>['body']) {
  const { expires_in_minutes: minutes, assertion, ...rest } = body;
  rest satisfies Record<string, never>;
  const isVouched = await isVouchedFor(ctx, assertion);
  const made = await createSignInLinkFor(ctx, adminId, { minutes, isVouched });
  return { ...made, allows_passkey: await allowsPasskey(ctx, { isVouched, isOwners: true }) };
}
