import type { Db } from '../../db/open.ts';
import type { Ctx } from '../../verbs/context.ts';
import { hashToken, randomSecret } from './secret.ts';
import * as store from './store.ts';

/** The rows of tokens that sessions act as. */

type New = { adminId: number; device: string; expiresAt: string };

/** Nobody knows the token of this row: what is sent are the short-lived ones of the session. */
export function openSessionToken({ db, now }: Pick<Ctx, 'db' | 'now'>, { adminId, device, expiresAt }: New): Promise<number> {
  return store.insertToken(db, {
    admin_id: adminId,
    name: 'Session',
    token_hash: hashToken(randomSecret()),
    token_prefix: '',
    permissions: null,
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
    created_at: now,
    kind: 'session',
    device,
  });
}

/** Whether the admin has this session, and it is not revoked. */
export function isSessionOf(db: Db, adminId: number, id: number): Promise<boolean> {
  return store.isTokenOf(db, adminId, { id, kind: 'session' });
}

export { selectAdmin as tokenHolder } from './store.ts';
