import assert from 'node:assert/strict';
import type { Permission } from '../../contract/permissions.ts';
import type { TestApp } from './app.ts';

let made = 0;

export type Person = { adminId: number; name: string; tokenId: number; token: string };

/** Makes an admin with a role and a token. `list`: the permissions of the token, if it has a list of its own. */
export async function person(
  { client }: TestApp,
  options: { permissions?: Permission[]; role?: 'owner' | 'staff'; list?: Permission[]; name?: string } = {},
): Promise<Person> {
  made += 1;
  const { permissions = [], role = 'staff', list, name = `Person ${made}` } = options;
  const email = `person-${made}@example.com`;
  const { id: adminId } = await client.admins.create({ name, email, role, ...(role === 'staff' ? { permissions } : {}) });
  const { id: tokenId, token } = await client.admins.create_token(adminId, { name: 'token', ...(list ? { permissions: list } : {}) });
  assert.ok(token);
  return { adminId, name, tokenId, token };
}
