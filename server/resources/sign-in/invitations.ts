import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Invitation, NewInvitation } from '../../../contract/invitations.ts';
import { rowVersion } from '../../db/queries/row-version.ts';
import { foldAdminEmail } from '../../values/stored-emails.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import type { Decision } from '../../verbs/decision.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { Retention } from '../../verbs/retention.ts';
import { addAdmin, lockAllAdmins, refuseAdminEmail } from '../admins/domain.ts';
import { NO_RIGHTS, rightsAfter } from '../admins/rules.ts';
import { queueMail } from '../mail/domain.ts';
import { allowsPasskey, codeOfLink, isVouchedFor } from '../passkeys/codes.ts';
import { holdRole } from '../roles/domain.ts';
import { readSettings } from '../settings/domain.ts';
import { parsePermissions, permissionsOf, timeAfter } from '../tokens/domain.ts';
import { findInvitationLink, invalidCode, isActiveOwner, makeInvitationLink, signIn, useUp } from '../tokens/one-time-links.ts';
import { requireWithin } from '../tokens/own.ts';
import { requireMail } from './mailed-links.ts';
import * as store from './store.ts';

export const recordVersions = { admin_invitation: rowVersion('admin_invitations') } satisfies RecordVersions;

/** Invitations that nobody accepted are kept for a month after they have expired. */
export const invitationRetention: Retention = { days: () => 30, deleteBatch: store.deleteOldInvitations };

const VALID_MS = 7 * 86_400_000;
const INVITATIONS_MAX = 200;
/** The path of the console that takes the code behind it. */
const JOIN_PATH = '/join#';

export async function listInvitations(ctx: Ctx): Promise<Invitation[]> {
  return (await store.selectInvitations(ctx.db)).map((row) => toInvitation(row, ctx.now));
}

type NewBody = InputOf<Endpoints['admin_invitations.create']>['body'];

export async function createInvitation(ctx: Ctx, body: NewBody): Promise<NewInvitation> {
  const { email, name, send_mail, role, role_id, permissions, assertion, ...rest } = body;
  rest satisfies Record<string, never>;
  if (send_mail) requireMail(ctx.settings);
  const rights = rightsAfter(NO_RIGHTS, { role, role_id, permissions });
  await refuseAdminEmail(ctx, email);
  const given = rights.role_id === null ? null : await holdRole(ctx, rights.role_id);
  if ((await store.selectInvitations(ctx.db)).length >= INVITATIONS_MAX) {
    throw new Refusal('too_many', `There are ${INVITATIONS_MAX} invitations that wait; take some back first.`);
  }
  const decided = { invitation: { email, name, ...rights, mailed: send_mail, allows_passkey: assertion !== undefined }, role: given };
  // Before the gesture that decides: an authenticator that counts has made it later.
  const isVouched = await isVouchedFor(ctx, assertion);
  await decideOn(ctx, { id: null, role: rights.role, send_mail }, decided);
  const id = await store.insertInvitation(ctx.db, {
    ...{ name, email, email_folded: foldAdminEmail(email) },
    ...{ role: rights.role, role_id: rights.role_id, permissions: JSON.stringify(rights.permissions) },
    ...{ invited_by: actingAdmin(ctx).adminId, mailed: send_mail ? 1 : 0 },
    expires_at: timeAfter(ctx.now, VALID_MS),
    created_at: ctx.now,
  });
  if (id === null) throw refuseValue('duplicate', '/email', `"${email}" is invited already; send that invitation again`);
  const changes = { email, name, ...rights, mailed: send_mail };
  ctx.audit({
    resource: { type: 'admin_invitation', id },
    changes: Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, [null, value] as [unknown, unknown]])),
    summary: `Invitation ${id} of ${email} made`,
  });
  return sendLink(ctx, id, { send_mail, isVouched });
}

/** An owner's invitation takes two owners where the policy does, and goes to the mailbox alone: whoever has the link would be two owners. */
async function decideOn(
  ctx: Ctx,
  { id, role, send_mail }: { id: number | null; role: 'owner' | 'staff'; send_mail: boolean },
  decided: Decision['decided'],
): Promise<void> {
  const isOwners = role === 'owner';
  if (isOwners && !send_mail && (await readSettings(ctx.db)).policy_four_eyes)
    throw new Refusal('second_person_required', 'While the policy takes two owners, an owner is invited by mail: set send_mail.');
  const subject = { type: 'admin_invitation', id } as const;
  await ctx.decide({ acts: ['change_access'], subject, decided, ...(isOwners && { second: 'needed' }) });
}

type Resend = InputOf<Endpoints['admin_invitations.resend']>['body'];

/** Makes a new link for an invitation, which is then that of the owner who asks for it. */
export async function resendInvitation(ctx: Ctx, id: number, body: Resend): Promise<NewInvitation> {
  const { send_mail } = body;
  if (send_mail) requireMail(ctx.settings);
  await lockAllAdmins(ctx);
  if (!(await store.lockInvitation(ctx, id))) throw notFound('invitation', id);
  const invited = await store.selectInvitation(ctx.db, id);
  if (!invited) throw notFound('invitation', id);
  const { email, name, role, role_id, permissions } = invited;
  const list = [...parsePermissions(permissions)];
  const again = { id, email, name, role, role_id, permissions: list, mailed: send_mail, allows_passkey: body.assertion !== undefined };
  const decided = { invitation: again, role: role_id === null ? null : await holdRole(ctx, role_id) };
  const isVouched = await isVouchedFor(ctx, body.assertion);
  await decideOn(ctx, { id, role, send_mail }, decided);
  const expires_at = timeAfter(ctx.now, VALID_MS);
  const invited_by = actingAdmin(ctx).adminId;
  await store.updateInvitation(ctx.db, id, { invited_by, expires_at, mailed: send_mail ? 1 : 0 });
  ctx.audit({
    resource: { type: 'admin_invitation', id },
    changes: { expires_at: [null, expires_at], mailed: [null, send_mail] },
    summary: `Invitation ${id} sent again`,
  });
  return sendLink(ctx, id, { send_mail, isVouched });
}

async function sendLink(
  ctx: Ctx,
  id: number,
  { send_mail, isVouched }: { send_mail: boolean; isVouched: boolean },
): Promise<NewInvitation> {
  const row = await store.selectInvitation(ctx.db, id);
  if (!row) throw notFound('invitation', id);
  requireWithin(ctx, permissionsOf(row));
  const { code } = await makeInvitationLink(ctx, { invitationId: id, lifetimeMs: VALID_MS, isVouched });
  const allows_passkey = await allowsPasskey(ctx, { isVouched, isOwners: true });
  const shown = toInvitation(row, ctx.now);
  const url_path = `${JOIN_PATH}${code}`;
  if (send_mail) {
    const link = `${ctx.settings.public_url}${url_path}`;
    const until = row.expires_at.slice(0, 10);
    const to = { name: row.name, email: row.email };
    await queueMail(ctx, { template: 'admin_invitation', to, data: { link, by: shown.invited_by_name, until } });
  }
  return { ...shown, code, url_path, allows_passkey };
}

export async function deleteInvitation(ctx: Ctx, id: number): Promise<undefined> {
  const row = (await store.lockInvitation(ctx, id)) && (await store.selectInvitation(ctx.db, id));
  if (!row) throw notFound('invitation', id);
  await takeBack(ctx, row);
}

/** Takes back all that wait. */
export async function endInvitations(ctx: Ctx): Promise<void> {
  for (const row of await store.selectInvitations(ctx.db)) await takeBack(ctx, row);
}

/** Takes back those that would make an owner. */
export async function endInvitationsOfOwners(ctx: Ctx): Promise<void> {
  for (const row of await store.selectInvitations(ctx.db)) if (row.role === 'owner') await takeBack(ctx, row);
}

async function takeBack(ctx: Ctx, { id, ...row }: store.InvitationRow): Promise<void> {
  await store.deleteInvitation(ctx.db, id);
  const changes: Record<string, [unknown, unknown]> = { email: [row.email, null], name: [row.name, null] };
  ctx.audit({ resource: { type: 'admin_invitation', id }, changes, summary: `Invitation ${id} of ${row.email} taken back` });
}

export async function previewInvitation(ctx: Ctx, code: string) {
  const { invitationId } = await findInvitationLink(ctx, code);
  const row = await store.selectInvitation(ctx.db, invitationId);
  if (!row || !isPending(row, ctx.now)) throw invalidCode();
  const { email, name, role, role_id, role_name, permissions, invited_by_name, expires_at } = toInvitation(row, ctx.now);
  return { shop_name: ctx.settings.shop_name, email, name, invited_by_name, role, role_id, role_name, permissions, expires_at };
}

/** Makes the admin whom an invitation describes, and signs in as them. The invitation is gone afterwards. */
export async function acceptInvitation(ctx: Ctx, body: InputOf<Endpoints['admin_invitations.accept']>['body']) {
  const { code, name, ...wanted } = body;
  const { link, invitationId } = await findInvitationLink(ctx, code);
  await lockAllAdmins(ctx);
  if (!(await store.lockInvitation(ctx, invitationId))) throw invalidCode();
  const row = await store.selectInvitation(ctx.db, invitationId);
  if (!row || !isPending(row, ctx.now)) throw invalidCode();
  await useUp(ctx, link.id);
  const { email, role, role_id } = row;
  const admin = await addAdmin(ctx, { name, email, active: true, role, role_id, permissions: [...parsePermissions(row.permissions)] });
  await store.deleteInvitation(ctx.db, invitationId);
  ctx.audit({
    resource: { type: 'admin_invitation', id: invitationId },
    changes: { email: [email, null] },
    summary: `Invitation ${invitationId} of ${email} accepted as admin ${admin.id}`,
  });
  const who = { adminId: admin.id, name, permissions: null, parent: null, by: `invitation ${invitationId}` };
  return { ...(await signIn(ctx, who, wanted)), passkey_code: await codeOfLink(ctx, admin.id, link) };
}

function isPending(row: store.InvitationRow, now: string): boolean {
  return stateOf(row, now) === 'pending';
}

function stateOf({ expires_at, inviter_role: role, inviter_active: active }: store.InvitationRow, now: string): Invitation['state'] {
  if (!isActiveOwner({ role, active })) return 'inviter_left';
  return expires_at <= now ? 'expired' : 'pending';
}

function toInvitation(row: store.InvitationRow, now: string): Invitation {
  const { id, email, name, role, role_id, role_name, invited_by, inviter_name, inviter_email, created_at, expires_at } = row;
  return {
    ...{ id, email, name, role, role_id, role_name, permissions: [...permissionsOf(row)].sort() },
    ...{ invited_by, invited_by_name: inviter_name || inviter_email, mailed: row.mailed === 1 },
    ...{ state: stateOf(row, now), created_at, expires_at },
  };
}
