import { type Routes, read, wait, write } from '../../verbs/route.ts';
import * as invitations from './invitations.ts';
import { createLinkFor, redeem } from './links.ts';
import { askForSignInLink, signInOptions } from './mailed-links.ts';

export const signInRoutes = {
  'me.redeem_sign_in_link': write((ctx, { body }) => redeem(ctx, body)),
  'admins.create_sign_in_link': write((ctx, { params, body }) => createLinkFor(ctx, params.id, body)),
  'me.sign_in_options': read((ctx) => signInOptions(ctx)),
  'me.send_sign_in_link': wait(({ services, body }) => askForSignInLink(services, body.email)),
  'admin_invitations.list': read((ctx) => invitations.listInvitations(ctx)),
  'admin_invitations.create': write((ctx, { body }) => invitations.createInvitation(ctx, body)),
  'admin_invitations.resend': write((ctx, { params, body }) => invitations.resendInvitation(ctx, params.id, body)),
  'admin_invitations.delete': write((ctx, { params }) => invitations.deleteInvitation(ctx, params.id)),
  'admin_invitations.preview': read((ctx, { body }) => invitations.previewInvitation(ctx, body.code)),
  'admin_invitations.accept': write((ctx, { body }) => invitations.acceptInvitation(ctx, body)),
} satisfies Partial<Routes>;
