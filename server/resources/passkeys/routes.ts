import type { Ctx } from '../../verbs/context.ts';
import { type Routes, read, recheckingAccess, session, wait, write } from '../../verbs/route.ts';
import { askToConfirm } from './challenges.ts';
import { enrol, enrolmentOptions } from './enrolment.ts';
import * as own from './own.ts';
import { createRecoveryCodes, recover } from './recovery.ts';

/** `deleted`: looks, after a passkey was deleted, whether those that are left suffice. */
export const passkeysRoutes = (deleted: (ctx: Ctx) => Promise<void>) =>
  ({
    'passkeys.options': wait(({ services, body }) => services.transact('passkeys.options', (ctx) => enrolmentOptions(ctx, body.code))),
    'passkeys.create': session((ctx, { body }) => enrol(ctx, body)),
    'passkeys.recover': wait(({ services, body }) => services.transact('passkeys.recover', (ctx) => recover(ctx, body.code))),
    'me.list_passkeys': read((ctx) => own.listOwnPasskeys(ctx)),
    'me.passkey_challenge': wait(({ services, actor, body }) =>
      services.transact('me.passkey_challenge', (ctx) => askToConfirm({ ...ctx, actor }, body.confirms)),
    ),
    'me.create_passkey_code': write((ctx, { body }) => own.createPasskeyCode(ctx, body)),
    'me.update_passkey': write((ctx, { params, body }) => own.updateOwnPasskey(ctx, params.id, body)),
    'me.delete_passkey': write((ctx, { params, body }) => recheckingAccess(ctx, own.deleteOwnPasskey(ctx, params.id, body, deleted))),
    'me.create_recovery_codes': write((ctx, { body }) => createRecoveryCodes(ctx, body)),
  }) satisfies Partial<Routes>;
