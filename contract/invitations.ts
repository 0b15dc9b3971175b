import { z } from 'zod';
import { adminRoles, RoleId } from './admins.ts';
import { endpointsOf } from './endpoint.ts';
import { AllowsPasskey, SignedIn, signInBody, vouched } from './one-time-links.ts';
import { EmailAddress } from './people.ts';
import { AdminPermissions } from './permissions.ts';
import { Id, Name, REPEATED, Timestamp, text } from './values.ts';

const rights = {
  role: z.enum(adminRoles),
  role_id: Id.nullable(),
  role_name: z.string().nullable(),
  permissions: z.array(z.string()),
};

/** Somebody who was asked to join and has not done so yet. */
export const Invitation = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    ...rights,
    invited_by: Id,
    invited_by_name: z.string(),
    mailed: z.boolean().meta({ description: 'Whether the link was sent by mail' }),
    state: z.enum(['pending', 'expired', 'inviter_left']).meta({
      description: '`inviter_left`: whoever sent it is no active owner any more. What is not pending works again once it is sent again',
    }),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

const NewInvitation = Invitation.extend({
  code: z
    .string()
    .nullable()
    .meta({ description: `The code of the link, shown once; ${REPEATED}` }),
  url_path: z
    .string()
    .nullable()
    .meta({ description: `Path of the console that takes the code, shown once; ${REPEATED}` }),
  allows_passkey: AllowsPasskey,
}).meta({ id: 'NewInvitation' });
export type NewInvitation = z.infer<typeof NewInvitation>;

const sendMail = z
  .boolean()
  .default(false)
  .meta({ description: 'Send the link by mail, too; needs a mail account and the public address of the shop' });
const code = text({ min: 1, max: 200 });

const read = 'admin_api.admins.read';
const write = 'admin_api.admins.write';
const open = { permission: null, taskPermission: null, open: true, bodyLimitBytes: 4096 } as const;

export const invitationsEndpoints = endpointsOf(
  {
    id: 'admin_invitations.list',
    method: 'GET',
    path: '/admin-invitations',
    summary: 'List the invitations that nobody has accepted yet, newest first',
    permission: read,
    response: z.array(Invitation),
  },
  {
    id: 'admin_invitations.create',
    method: 'POST',
    path: '/admin-invitations',
    summary: 'Invite somebody: a link that works once, for 7 days, by which they become an admin',
    decides: true,
    permission: write,
    body: z.object({
      email: EmailAddress,
      name: text({ max: 255, trim: true }).default(''),
      role: z.enum(adminRoles).default('staff'),
      role_id: RoleId,
      permissions: AdminPermissions.default([]),
      send_mail: sendMail,
      ...vouched,
    }),
    status: 201,
    response: NewInvitation,
    secretFields: ['code', 'url_path'],
    refusals: [
      ...(['duplicate', 'permission_not_grantable', 'permission_not_held', 'role_not_found', 'invalid_value'] as const),
      ...(['mail_not_configured', 'public_url_not_set', 'too_many', 'passkey_refused', 'passkeys_unavailable'] as const),
    ],
  },
  {
    id: 'admin_invitations.resend',
    method: 'POST',
    path: '/admin-invitations/{id}/resend',
    summary: 'Make a new link for an invitation, for 7 days; the earlier one stops working',
    decides: true,
    permission: write,
    record: 'admin_invitation',
    body: z.object({ send_mail: sendMail, ...vouched }),
    response: NewInvitation,
    secretFields: ['code', 'url_path'],
    refusals: ['permission_not_held', 'mail_not_configured', 'public_url_not_set', 'passkey_refused', 'passkeys_unavailable'],
  },
  {
    id: 'admin_invitations.delete',
    method: 'DELETE',
    path: '/admin-invitations/{id}',
    summary: 'Take an invitation back; its link stops working',
    permission: write,
    record: 'admin_invitation',
    status: 204,
  },
  {
    id: 'admin_invitations.preview',
    method: 'POST',
    path: '/admin-invitations/preview',
    summary: 'Tell whoever has the code of an invitation what it is for; the code still works afterwards',
    ...open,
    writes: false,
    body: z.object({ code }),
    response: z
      .object({ shop_name: z.string(), email: z.string(), name: z.string(), invited_by_name: z.string(), ...rights, expires_at: Timestamp })
      .meta({ id: 'InvitationPreview' }),
    refusals: ['invalid_code'],
  },
  {
    id: 'admin_invitations.accept',
    method: 'POST',
    path: '/admin-invitations/accept',
    summary: 'Become an admin by the code of an invitation, which works once, and sign in',
    ...open,
    body: z.object({ ...signInBody, name: Name }),
    status: 201,
    response: SignedIn,
    secretFields: ['token', 'passkey_code'],
    refusals: ['invalid_code', 'duplicate'],
  },
);
