import type { Db } from '../../db/open.ts';
import { createToken, timeAfter } from './domain.ts';
import { LINK_CODE_PATH, SIGNED_IN_MS } from './one-time-links.ts';
import * as links from './one-time-links-store.ts';
import { hashToken, randomSecret } from './secret.ts';
import * as store from './store.ts';

const TOKEN_NAME = 'Sign-in links of this machine';
const TOKEN_DAYS = 30;

/**
 * Makes a link that signs in once as this admin, for commands that have the store and thus need no token; returns its path in the console. A
 * link works by the token that made it: one that nobody knows serves all links of the admin for 30 days.
 */
export async function createLocalSignInLink(
  db: Db,
  adminId: number,
  minutes: number,
  now: string,
): Promise<{ path: string; until: string }> {
  const until = timeAfter(now, minutes * 60_000);
  const ownTokens = await store.selectTokensOf(db, adminId);
  const needed = timeAfter(until, SIGNED_IN_MS);
  const known = ownTokens.find(
    ({ name, permissions, expires_at }) => name === TOKEN_NAME && permissions === null && (expires_at ?? '') > needed,
  );
  const tokenId = known?.id ?? (await createToken(db, { adminId, name: TOKEN_NAME, expiresInDays: TOKEN_DAYS }, now)).id;
  const code = randomSecret();
  await links.insertLink(db, {
    token_id: tokenId,
    code_hash: hashToken(code),
    target: null,
    expires_at: until,
    used_at: null,
    created_at: now,
    // Whoever may use this machine may have all that it keeps.
    enrols: 1,
  });
  return { path: `${LINK_CODE_PATH}${code}`, until };
}
