import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Row } from '../../db/tables.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { notify } from '../notifications/domain.ts';
import { invalidCode } from '../tokens/one-time-links.ts';
import { hashToken } from '../tokens/secret.ts';
import { newChallenge, usedChallenge } from './challenges.ts';
import { shownPasskey } from './own.ts';
import { requirePlace } from './place.ts';
import { makeRecoveryCodes } from './recovery.ts';
import { openSession } from './sessions.ts';
import * as store from './store.ts';
import { checkedRegistration, refused, registrationOptions } from './webauthn.ts';

const PASSKEYS_MAX = 20;

/** What a browser needs to make a passkey, for whoever has a code. */
export async function enrolmentOptions(ctx: Ctx, code: string) {
  const place = requirePlace(ctx);
  const { admin } = await whoseCode(ctx, code);
  const { id, name, email } = admin;
  const passkeys = await store.selectPasskeysOf(ctx.db, id);
  const challenge = await newChallenge(ctx, 'enrol', id);
  const options = registrationOptions(place, challenge, { shop: ctx.settings.shop_name, admin, passkeys });
  return { options, admin: { id, name, email } };
}

/** The active admin for whom a code makes a passkey. */
async function whoseCode(ctx: Ctx, code: string): Promise<{ admin: Row<'admins'>; hash: string }> {
  const hash = hashToken(code);
  const row = await store.selectCode(ctx.db, hash, ctx.now);
  const admin = row && (await store.holdActiveAdmin(ctx, row.admin_id));
  // Until it is known who makes the first passkey of the shop, others who might wait: only then do codes from before it end for sure.
  if (admin && !(await store.hasHadPasskeys(ctx.db))) await ctx.dialect.lockName(ctx.db, 'first passkey');
  if (!admin || (row.source === 'first' && (await store.hasHadPasskeys(ctx.db)))) throw invalidCode();
  return { admin, hash };
}

/** Makes a passkey by a code, which is used up, and opens a session with it. The first one comes with recovery codes. */
export async function enrol(ctx: Ctx, { code, credential, name, device }: InputOf<Endpoints['passkeys.create']>['body']) {
  const place = requirePlace(ctx);
  const { admin, hash } = await whoseCode(ctx, code);
  const challenge = await usedChallenge(ctx, credential.response.clientDataJSON, 'enrol', admin.id);
  const made = await checkedRegistration(place, { credential, challenge });
  if (!(await store.takeCode(ctx.db, hash))) throw invalidCode();
  if ((await store.selectPasskeysOf(ctx.db, admin.id)).length >= PASSKEYS_MAX) {
    throw new Refusal('too_many', `There are ${PASSKEYS_MAX} passkeys; delete one first.`);
  }
  const row = { ...made, admin_id: admin.id, name, created_at: ctx.now, last_used_at: null, deleted_at: null };
  const id = await store.insertPasskey(ctx.db, row);
  if (id === null) throw refused('it is known already');
  await store.deleteCodesOf(ctx.db, admin.id);
  ctx.audit({
    resource: { type: 'passkey', id },
    changes: { name: [null, name], admin_id: [null, admin.id] },
    summary: `Passkey ${id} "${name}" made for admin ${admin.id}`,
  });
  const admin_name = admin.name || admin.email;
  await notify(ctx, [
    {
      type: 'passkey_added',
      title: 'Passkey added',
      message: `${admin_name} has a new passkey: "${name}".`,
      metadata: { passkey_id: id, name, admin_id: admin.id, admin_name },
    },
  ]);
  const recovery_codes = (await store.countRecoveryCodes(ctx.db, admin.id)) === 0 ? await makeRecoveryCodes(ctx, admin.id) : null;
  const { secret, answer } = await openSession(ctx, { admin, passkeyId: id, device });
  const passkey = shownPasskey({ ...row, id });
  return { secret, answer: { ...answer, passkey, recovery_codes } };
}
