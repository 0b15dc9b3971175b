import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Passkey } from '../../../contract/passkeys.ts';
import { changesBetween, given } from '../../verbs/changes.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { requireConfirmed } from './challenges.ts';
import { makePasskeyCode } from './codes.ts';
import { placeOf } from './place.ts';
import { endSessionsOfPasskey } from './sessions.ts';
import * as store from './store.ts';

export const recordVersions = {
  // Somebody else's passkey does not exist.
  passkey: async (db, { id }, actor) => (actor.type === 'admin' ? store.selectVersion(db, actor.adminId, Number(id)) : null),
} satisfies RecordVersions;

export async function listOwnPasskeys(ctx: Ctx) {
  const { adminId } = actingAdmin(ctx);
  return {
    passkeys: (await store.selectPasskeysOf(ctx.db, adminId)).map(shownPasskey),
    origin: placeOf(ctx)?.origin ?? null,
    recovery_codes_left: await store.countRecoveryCodes(ctx.db, adminId),
  };
}

/** Whether an admin ever had a passkey. */
export { hasHadPasskey } from './store.ts';

export async function createPasskeyCode(ctx: Ctx, { assertion }: InputOf<Endpoints['me.create_passkey_code']>['body']) {
  const { passkey, adminId } = await requireConfirmed(ctx, 'add_passkey', assertion);
  ctx.audit({
    resource: { type: 'passkey', id: passkey.id },
    changes: {},
    summary: `Passkey ${passkey.id} allowed another one for admin ${adminId}`,
  });
  return makePasskeyCode(ctx, adminId, 'passkey');
}

export async function updateOwnPasskey(ctx: Ctx, id: number, body: InputOf<Endpoints['me.update_passkey']>['body']): Promise<Passkey> {
  const row = await ownPasskey(ctx, id);
  const wanted = { ...row, ...given(body) };
  const changes = changesBetween({ name: row.name }, { name: wanted.name });
  if (Object.keys(changes).length > 0) await store.updatePasskey(ctx.db, id, { name: wanted.name });
  ctx.audit({ resource: { type: 'passkey', id }, changes, summary: `Passkey ${id}: ${Object.keys(changes).join(', ') || 'no change'}` });
  return shownPasskey(wanted);
}

/**
 * A passkey is deleted by one that the person still has: whoever has lost the only one makes another by a link or a recovery code first.
 * `afterwards` refuses it where nobody could decide any more.
 */
export async function deleteOwnPasskey(
  ctx: Ctx,
  id: number,
  { assertion }: InputOf<Endpoints['me.delete_passkey']>['body'],
  afterwards: (ctx: Ctx) => Promise<void>,
): Promise<undefined> {
  await requireConfirmed(ctx, 'delete_passkey', assertion);
  const { name } = await ownPasskey(ctx, id);
  await store.updatePasskey(ctx.db, id, { deleted_at: ctx.now });
  await afterwards(ctx);
  ctx.audit({ resource: { type: 'passkey', id }, changes: { name: [name, null] }, summary: `Passkey ${id} "${name}" deleted` });
  await endSessionsOfPasskey(ctx, id);
}

/** Ends an admin's passkeys, recovery codes and the codes that wait, so that none works when the admin is active again (spec AU22). */
export async function endPasskeys(ctx: Ctx, adminId: number, because = 'was deactivated'): Promise<void> {
  const why = `because admin ${adminId} ${because}`;
  for (const { id, name } of await store.selectPasskeysOf(ctx.db, adminId)) {
    await store.updatePasskey(ctx.db, id, { deleted_at: ctx.now });
    ctx.audit({ resource: { type: 'passkey', id }, changes: { name: [name, null] }, summary: `Passkey ${id} "${name}" deleted, ${why}` });
  }
  await store.deleteCodesOf(ctx.db, adminId);
  const left = await store.countRecoveryCodes(ctx.db, adminId);
  await store.deleteRecoveryCodes(ctx.db, adminId);
  if (left === 0) return;
  const changes = { recovery_codes: [left, 0] as [unknown, unknown] };
  ctx.audit({ resource: { type: 'admin', id: adminId }, changes, summary: `Recovery codes of admin ${adminId} deleted, ${why}` });
}

async function ownPasskey(ctx: Ctx, id: number): Promise<store.PasskeyRow> {
  const row = await store.selectOwnPasskey(ctx.db, actingAdmin(ctx).adminId, id);
  if (!row) throw notFound('passkey', id);
  return row;
}

type Shown = Pick<store.PasskeyRow, 'id' | 'name' | 'rp_id' | 'backed_up' | 'created_at' | 'last_used_at'>;

export function shownPasskey({ id, name, rp_id, backed_up, created_at, last_used_at }: Shown): Passkey {
  return { id, name, rp_id, backed_up: backed_up === 1, created_at, last_used_at };
}
