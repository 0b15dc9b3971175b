import { type Refusal, refuseValue } from '../../verbs/problem.ts';

/** What somebody may: everything as an owner, else what a named role says, else a list of their own. */
export type Rights = { role: 'owner' | 'staff'; role_id: number | null; permissions: readonly string[] };
type Wanted = { role?: Rights['role'] | undefined; role_id?: number | null | undefined; permissions?: readonly string[] | undefined };

/**
 * The rights after a change. A list of their own takes the place of a role; whoever leaves a role without a new list keeps what the role
 * allows now.
 */
export function rightsAfter(before: Rights & { ofRole: readonly string[] | null }, wanted: Wanted): Rights {
  const role = wanted.role ?? before.role;
  if (role === 'owner') {
    if (wanted.role_id != null) throw wrongRole('an owner has no other role');
    return { role, role_id: null, permissions: wanted.permissions ?? before.permissions };
  }
  const role_id = wanted.role_id === undefined ? (wanted.permissions === undefined ? before.role_id : null) : wanted.role_id;
  if (role_id === null) return { role, role_id, permissions: wanted.permissions ?? before.ofRole ?? before.permissions };
  if (wanted.permissions !== undefined && wanted.permissions.length > 0)
    throw wrongRole('the role says what its people may; send no list beside it');
  return { role, role_id, permissions: [] };
}

function wrongRole(detail: string): Refusal {
  return refuseValue('invalid_value', '/role_id', detail);
}

/** Those of somebody who is not an admin yet. */
export const NO_RIGHTS = { role: 'staff', role_id: null, permissions: [], ofRole: null } as const;
