import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notify } from '../notifications/domain.ts';
import { invalidCode } from '../tokens/one-time-links.ts';
import { hashToken } from '../tokens/secret.ts';
import { requireConfirmed } from './challenges.ts';
import { makePasskeyCode } from './codes.ts';
import * as store from './store.ts';

const CODES = 10;
/** Crockford's base 32 has no letters that look like digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Makes ten codes of 80 bits, which are stored as hashes; the caller shows them once. */
export async function makeRecoveryCodes(ctx: Ctx, adminId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => {
    const letters = [...ctx.random(16)].map((byte) => LETTERS[byte % 32]).join('');
    return (letters.match(/.{4}/g) ?? []).join('-');
  });
  const rows = codes.map((code) => ({ code_hash: hashOf(code), admin_id: adminId, created_at: ctx.now, used_at: null }));
  await store.replaceRecoveryCodes(ctx.db, adminId, rows);
  ctx.audit({
    resource: { type: 'admin', id: adminId },
    changes: { recovery_codes: [null, CODES] },
    summary: `Recovery codes of admin ${adminId} made`,
  });
  return codes;
}

/** As somebody may type it: in lower case, without hyphens, with an O in place of a zero. */
function hashOf(code: string): string {
  const plain = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return hashToken(`recovery ${plain.replaceAll('O', '0').replaceAll(/[IL]/g, '1')}`);
}

export async function createRecoveryCodes(ctx: Ctx, { assertion }: InputOf<Endpoints['me.create_recovery_codes']>['body']) {
  await requireConfirmed(ctx, 'recovery_codes', assertion);
  return { codes: await makeRecoveryCodes(ctx, actingAdmin(ctx).adminId) };
}

/** Exchanges a recovery code for one that makes a passkey. One refusal for all reasons, and all admins are told of each use. */
export async function recover(ctx: Ctx, code: string) {
  const hash = hashOf(code);
  // The admin first, as whoever deactivates somebody locks the admin before the codes.
  const adminId = await store.whoseRecoveryCode(ctx.db, hash);
  const admin = adminId === undefined ? undefined : await store.holdActiveAdmin(ctx, adminId);
  if (!admin || !(await store.useRecoveryCode(ctx.db, hash, ctx.now))) throw invalidCode();
  const left = await store.countRecoveryCodes(ctx.db, admin.id);
  ctx.audit({
    resource: { type: 'admin', id: admin.id },
    changes: { recovery_codes: [left + 1, left] },
    summary: `A recovery code of admin ${admin.id} was used`,
  });
  await notify(ctx, [
    {
      type: 'recovery_code_used',
      title: 'Recovery code used',
      message: `${admin.name || admin.email} used a recovery code to set up a new passkey. Codes left: ${left}.`,
      metadata: { admin_id: admin.id, admin_name: admin.name || admin.email, left },
    },
  ]);
  return makePasskeyCode(ctx, admin.id, 'recovery_code');
}
