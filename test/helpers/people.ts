import type { Permission } from '../../contract/permissions.ts';
import { createAdmin, createToken } from '../../server/resources/tokens/domain.ts';
import type { TestApp } from './app.ts';

let made = 0;

export type Person = { adminId: number; tokenId: number; token: string };

/** A colleague with a role and a token; `list`: the token's own permissions. */
export async function person(
  app: TestApp,
  options: { permissions?: Permission[]; role?: 'owner' | 'staff'; list?: Permission[]; name?: string } = {},
): Promise<Person> {
  made += 1;
  const { permissions = [], role = 'staff', list, name = `Person ${made}` } = options;
  const now = new Date().toISOString();
  return app.store.write(async (db) => {
    const adminId = await createAdmin(
      db,
      { name, email: `person-${made}@example.com`, role, permissions: role === 'owner' ? null : permissions },
      now,
    );
    const { id, token } = await createToken(db, { adminId, name: 'token', ...(list ? { permissions: list } : {}) }, now);
    return { adminId, tokenId: id, token };
  });
}
