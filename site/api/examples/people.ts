import { colleague } from './colleague.ts';
import type { Bearer, ExampleShop, ExamplesOf } from './example.ts';

/** Roles, admins, invitations, one's own account, notifications and views. */

export const roles: ExamplesOf<'roles'> = {
  'roles.create': {
    body: {
      name: 'Packing table',
      description: 'Sees orders and sends them',
      permissions: ['admin_api.orders.read', 'admin_api.orders.write'],
    },
  },
  'roles.list': {},
  'roles.get': ({ got }) => ({ params: { id: got('roles.create').id } }),
  'roles.update': ({ got }) => ({
    params: { id: got('roles.create').id },
    body: { permissions: ['admin_api.orders.read', 'admin_api.orders.write', 'admin_api.products.read'] },
  }),
  'roles.delete': async ({ api }) => ({ params: { id: (await api.roles.create({ name: 'Summer help' })).id } }),
};

export const admins: ExamplesOf<'admins'> = {
  'admins.create': ({ got }) => ({
    body: { name: 'Eszter Kovács', email: 'eszter@example.org', role: 'staff', role_id: got('roles.create').id },
  }),
  'admins.list': { query: { active: true } },
  'admins.get': ({ got }) => ({ params: { id: got('admins.create').id } }),
  'admins.update': ({ got }) => ({ params: { id: got('admins.create').id }, body: { permissions: ['admin_api.customers.read'] } }),
  'admins.names': {},
  'admins.create_token': ({ got }) => ({
    params: { id: got('admins.create').id },
    body: { name: 'Label printer', permissions: ['admin_api.orders.read'], expires_in_days: 365 },
  }),
  'admins.create_sign_in_link': ({ got }) => ({ params: { id: got('admins.create').id }, body: { expires_in_minutes: 60 } }),
  'admins.list_agents': async ({ api }) => {
    await api.me.create_agent({ name: 'Stock reports', permissions: ['admin_api.products.read'] });
    return {};
  },
  'admins.revoke_agent': ({ got }) => ({ params: { id: got('admins.list_agents')[0]?.id ?? 0 } }),
  'admins.list_sessions': async ({ got, browser }) => {
    await browser.signIn();
    return { params: { id: got('passkeys.create').admin.id } };
  },
  'admins.revoke_session': ({ got, browser }) => ({ params: { id: got('passkeys.create').admin.id, session_id: browser.sessionId } }),
  'admins.delete': async ({ api }) => {
    const { id } = await api.admins.create({ name: 'Summer help', email: 'summer@example.org' });
    return { params: { id } };
  },
};

export const adminInvitations: ExamplesOf<'admin_invitations'> = {
  'admin_invitations.create': { body: { email: 'liam@example.org', name: 'Liam', role: 'staff', permissions: ['admin_api.orders.read'] } },
  'admin_invitations.list': {},
  'admin_invitations.resend': ({ got }) => ({ params: { id: got('admin_invitations.create').id }, body: { send_mail: false } }),
  'admin_invitations.preview': ({ got }) => ({ body: { code: got('admin_invitations.resend').code ?? '' }, by: null }),
  'admin_invitations.accept': ({ got }) => ({
    body: { code: got('admin_invitations.resend').code ?? '', name: 'Liam Doyle', device: 'Firefox on Linux' },
    by: null,
  }),
  'admin_invitations.delete': async ({ api }) => {
    const { id } = await api.admin_invitations.create({ email: 'mistyped@example.org' });
    return { params: { id } };
  },
};

const CONFIRMED = 'The assertion is what `navigator.credentials.get()` answered to `POST /me/passkeys/challenge`.';

/** The token of a session, as the console has it. */
const ofSession = ({ browser }: ExampleShop): Bearer => ({ value: browser.token, shown: 'SESSION_TOKEN' });
/** What the browser says of its page. */
const ofPage = ({ browser }: ExampleShop) => ({ origin: browser.origin });

export const passkeys: ExamplesOf<'passkeys'> = {
  'passkeys.options': async ({ api }) => {
    const { id } = await api.admins.create({ name: 'Nora Byrne', email: 'nora@example.org' });
    const { code } = await api.admins.create_sign_in_link(id, {});
    const { passkey_code } = await api.me.redeem_sign_in_link({ code: code ?? '' });
    return { body: { code: passkey_code ?? '' }, by: null, note: 'The code came with the answer to a sign-in link that an owner made.' };
  },
  'passkeys.create': async (shop) => {
    const { browser, api, got } = shop;
    const { code } = await api.admins.create_sign_in_link(got('passkeys.options').admin.id, {});
    const { passkey_code } = await api.me.redeem_sign_in_link({ code: code ?? '' });
    const credential = await browser.made(passkey_code ?? '');
    return { body: { code: passkey_code ?? '', credential, name: 'Laptop', device: 'Chrome, Linux' }, by: null, headers: ofPage(shop) };
  },
  'passkeys.recover': ({ got }) => ({ body: { code: got('passkeys.create').recovery_codes?.[0] ?? '' }, by: null }),
};

export const session: ExamplesOf<'session'> = {
  'session.challenge': { by: null },
  'session.create': (shop) => ({
    body: { credential: shop.browser.authenticator.get(shop.got('session.challenge').options), device: 'Chrome, Linux' },
    by: null,
    headers: ofPage(shop),
  }),
  'session.renew': async (shop) => {
    await shop.browser.signIn();
    return { by: null, headers: { ...ofPage(shop), cookie: shop.browser.cookie } };
  },
  'session.end': (shop) => ({ by: null, headers: { ...ofPage(shop), cookie: shop.browser.cookie } }),
};

export const me: ExamplesOf<'me'> = {
  'me.get': {},
  'me.update': { body: { console: { language: 'en' } } },
  'me.create_token': { body: { name: 'Nightly report', permissions: ['admin_api.orders.read'], expires_in_days: 90 } },
  'me.ask_gesture': { body: { method: 'POST', path: '/me/tokens', body: { name: 'Nightly report' } } },
  'me.list_tokens': {},
  'me.revoke_token': ({ got }) => ({ params: { id: got('me.create_token').id } }),
  'me.create_sign_in_link': { body: { expires_in_minutes: 10 } },
  'me.redeem_sign_in_link': ({ got }) => ({
    body: { code: got('me.create_sign_in_link').code ?? '', keep_signed_in: true, device: 'Safari on iPhone' },
    by: null,
  }),
  'me.sign_in_options': { by: null },
  'me.send_sign_in_link': {
    body: { email: 'eszter@example.org' },
    by: null,
    note: 'The answer is the same for an address that nobody has.',
  },
  'me.list_passkeys': async (shop) => {
    await shop.browser.signIn();
    return { by: ofSession(shop) };
  },
  'me.passkey_challenge': (shop) => ({ body: { confirms: 'add_passkey' }, by: ofSession(shop) }),
  'me.create_passkey_code': async (shop) => ({
    body: { assertion: await shop.browser.confirm('add_passkey') },
    by: ofSession(shop),
    note: CONFIRMED,
  }),
  'me.update_passkey': (shop) => ({ params: { id: shop.got('passkeys.create').passkey.id }, body: { name: 'Desk' }, by: ofSession(shop) }),
  'me.create_recovery_codes': async (shop) => ({
    body: { assertion: await shop.browser.confirm('recovery_codes') },
    by: ofSession(shop),
    note: CONFIRMED,
  }),
  'me.list_sessions': (shop) => ({ by: ofSession(shop) }),
  'me.revoke_session': (shop) => ({ params: { id: shop.got('session.create').session_id }, by: ofSession(shop) }),
  'me.revoke_other_sessions': (shop) => ({ by: ofSession(shop) }),
  'me.delete_passkey': async (shop) => ({
    params: { id: shop.got('passkeys.create').passkey.id },
    body: { assertion: await shop.browser.confirm('delete_passkey') },
    by: ofSession(shop),
    note: CONFIRMED,
  }),
  'me.create_download_link': ({ got }) => ({ body: { path: `/files/${got('files.create').id}/content` } }),
  'me.create_view': { body: { screen: 'orders', name: 'To send to Ireland', search: { status: 'processing' }, shared: true } },
  'me.list_views': { query: { screen: 'orders' } },
  'me.get_view': ({ got }) => ({ params: { id: got('me.create_view').id } }),
  'me.update_view': ({ got }) => ({ params: { id: got('me.create_view').id }, body: { name: 'To send today' } }),
  'me.delete_view': ({ got }) => ({ params: { id: got('me.create_view').id } }),
  'me.create_agent': {
    body: { name: 'Code editor', permissions: ['admin_api.ai_tasks.read', 'admin_api.orders.read'], expires_in_days: 30 },
  },
  'me.list_agents': {},
  'me.revoke_agent': ({ got }) => ({ params: { id: got('me.create_agent').id } }),
  'me.get_agent_request': async ({ askForAgent }) => ({
    params: { request: await askForAgent() },
    note: 'A client of agents has begun to sign in by OAuth; a browser shows its request to the admin.',
  }),
  'me.allow_agent': async ({ askForAgent }) => ({
    params: { request: await askForAgent() },
    body: { name: 'Accountant', permissions: ['admin_api.orders.read'], expires_in_days: 30 },
    note: 'A client of agents has begun to sign in by OAuth.',
  }),
  'me.deny_agent': async ({ askForAgent }) => ({
    params: { request: await askForAgent() },
    note: 'A client of agents has begun to sign in by OAuth.',
  }),
};

export const preferences: ExamplesOf<'preferences'> = {
  'preferences.list': {},
  'preferences.update': { params: { event_type: 'inquiry_received' }, body: { email_enabled: true } },
  'preferences.reset': { params: { event_type: 'inquiry_received' } },
};

export const notifications: ExamplesOf<'notifications'> = {
  'notifications.create': {
    body: { title: 'Three cups left', body: 'The espresso cups run out this week.', link: '/products/9', severity: 'warning' },
  },
  'notifications.list': { query: { limit: 2 } },
  'notifications.mark_read': ({ got }) => ({ params: { id: got('notifications.list').notifications[0]?.id ?? 0 } }),
  'notifications.mark_all_read': {},
};

const BY_ANOTHER_OWNER = 'Another owner proposed it, while the setting `policy_four_eyes` is true.';

export const policyChanges: ExamplesOf<'policy_changes'> = {
  'policy_changes.create': async (shop) => {
    const hers = await colleague(shop);
    await shop.api.settings.update({ policy_four_eyes: true });
    await hers.policy_changes.create({ method: 'PATCH', path: '/settings', body: { policy_four_eyes: false } });
    return {
      body: { method: 'PATCH', path: '/settings', body: { audit_days: 730 }, comment: 'Two years, as the accountant asks' },
      note: 'The setting `policy_four_eyes` is true.',
    };
  },
  'policy_changes.list': { query: { state: 'waiting' } },
  'policy_changes.decline': ({ got }) => ({ params: { id: got('policy_changes.create').id }, body: { reason: 'Ten years are the law.' } }),
  'policy_changes.apply': async (shop) => {
    const proposed = await shop.api.policy_changes.list({ state: 'waiting' });
    return { params: { id: proposed.find(({ may_apply }) => may_apply)?.id ?? 0 }, note: BY_ANOTHER_OWNER };
  },
};
