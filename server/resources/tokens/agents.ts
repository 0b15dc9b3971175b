import type { Agent, AgentBody, NewAgent } from '../../../contract/agents.ts';
import { holds } from '../../../contract/permissions.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { createToken, parsePermissions, permissionsOf } from './domain.ts';
import * as store from './store.ts';

export const recordVersions = {
  // The token of an agent does not change, except that it is revoked.
  agent: async (db, { id }, actor) => {
    const row = await store.selectAgent(db, Number(id));
    if (!row || actor.type !== 'admin') return null;
    return row.admin_id === actor.adminId || holds(actor.permissions, 'admin_api.admins.write') ? 1 : null;
  },
} satisfies RecordVersions;

export async function listOwnAgents(ctx: Ctx): Promise<Agent[]> {
  const rows = await store.selectAgents(ctx.db, actingAdmin(ctx).adminId);
  return rows.map(agentOf);
}

export async function listAgents(ctx: Ctx): Promise<Agent[]> {
  const rows = await store.selectAgents(ctx.db, null);
  return rows.map(agentOf);
}

/**
 * Makes the token of an agent, which has at most the permissions of the requesting token (spec MC2). An agent of an OAuth client gets its
 * tokens otherwise, so nobody is told this one.
 */
export async function createAgent(ctx: Ctx, body: AgentBody, oauthClient: string | null = null): Promise<NewAgent> {
  const { name, permissions, sees_personal_data, expires_in_days, ...rest } = body;
  rest satisfies Record<string, never>;
  const { adminId } = actingAdmin(ctx);
  const held = ctx.actor.type === 'admin' ? ctx.actor.permissions : new Set<string>();
  const admin = await store.selectAdmin(ctx.db, adminId);
  if (!admin) throw notFound('admin', adminId);
  const own = permissionsOf(admin);
  const exceeding = permissions.filter((one) => !holds(held, one) || !holds(own, one));
  if (exceeding.length > 0) {
    throw new Refusal(
      'permission_not_held',
      `The token of this request does not hold ${exceeding.slice(0, 5).join(', ')}; it cannot give an agent more than it has.`,
    );
  }
  const agent = { seesPersonalData: sees_personal_data, oauthClient };
  const made = { name, permissions, sees_personal_data, expires_in_days, client: oauthClient };
  const decided = { admin: { id: adminId, name: admin.name, email: admin.email }, agent: made };
  await ctx.decide({ acts: ['make_token'], subject: { type: 'token', id: null }, decided });
  const { id, token } = await createToken(ctx.db, { adminId, name, agent, permissions, expiresInDays: expires_in_days }, ctx.now);
  ctx.audit({
    resource: { type: 'token', id },
    changes: {
      name: [null, name],
      admin_id: [null, adminId],
      permissions: [null, permissions],
      sees_personal_data: [null, sees_personal_data],
      ...(oauthClient !== null && { oauth_client: [null, oauthClient] }),
    },
    summary: `Agent ${id} "${name}" connected for admin ${adminId}`,
  });
  const row = await store.selectAgent(ctx.db, id);
  if (!row) throw new Error('an agent that was just made is gone');
  const { last_used_at: _, ...shown } = agentOf(row);
  return { ...shown, token };
}

export async function revokeOwnAgent(ctx: Ctx, id: number): Promise<undefined> {
  return revoke(ctx, actingAdmin(ctx).adminId, id);
}

export async function revokeAgent(ctx: Ctx, id: number): Promise<undefined> {
  const row = await store.selectAgent(ctx.db, id);
  if (!row) throw notFound('agent', id);
  return revoke(ctx, row.admin_id, id);
}

/** Revokes an agent because its client asked for it, or used a code or refresh token twice. */
export async function revokeGranted(ctx: Ctx, id: number): Promise<void> {
  const row = await store.selectAgent(ctx.db, id);
  if (!row) return;
  await revoke(ctx, row.admin_id, id);
  ctx.after(() => ctx.services.access.fire());
}

async function revoke(ctx: Ctx, adminId: number, id: number): Promise<undefined> {
  if (!(await store.revokeTokenOf(ctx.db, adminId, { id, kind: 'agent' }, ctx.now))) throw notFound('agent', id);
  ctx.audit({ resource: { type: 'token', id }, changes: { revoked_at: [null, ctx.now] }, summary: `Agent ${id} revoked` });
}

function agentOf(row: store.AgentRow): Agent {
  const { id, name, token_prefix, expires_at, created_at, last_used_at, admin_id } = row;
  return {
    ...{ id, name, token_prefix, expires_at, created_at, last_used_at, admin_id },
    permissions: [...parsePermissions(row.permissions ?? '[]')],
    sees_personal_data: row.sees_personal_data === 1,
    admin_name: row.admin_name || row.admin_email,
    client: row.oauth_client,
  };
}
