import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SESSION_COOKIE } from '../../contract/sessions.ts';
import { endIdleSessions } from '../../server/resources/passkeys/sessions.ts';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { originOf, PasskeyBrowser } from '../helpers/passkey-browser.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf, field } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';
import { type Lie, SoftwareAuthenticator } from '../helpers/software-authenticator.ts';
import { ageSession, machineCode as codeOfMachine, expireSessionTokens } from '../helpers/stored-rows/sessions.ts';

/** A clock of the rate limits by which a minute passes from request to request. */
let minutes = 0;
const fast = (): number => (minutes += 60_000);

onBothStores(
  'attacks on sessions and passkeys',
  (app) => {
    const sign = (code: unknown) => app().request({ method: 'POST', path: '/admin/api/sign-in', body: { code }, token: null });

    /** The code by which an admin makes a passkey, by a link of the machine. */
    async function machineCode(adminId: number): Promise<string> {
      return String(field((await sign(await codeOfMachine(app().store, adminId))).body, 'passkey_code'));
    }

    /** Somebody with a passkey who is signed in. */
    async function somebody(role: 'owner' | 'staff' = 'owner', options: { counts?: boolean } = {}) {
      const { adminId, token } = await person(app(), { role });
      const browser = new PasskeyBrowser(app(), options);
      assert.equal((await browser.enrol(await machineCode(adminId))).status, 201);
      return { adminId, token, browser };
    }

    test('AU20 AU21 a passkey signs in; the cookie gives tokens of ten minutes, and nothing else takes it', async () => {
      const { adminId, browser } = await somebody();
      const answer = await browser.signIn();
      assert.equal(answer.status, 201);
      const cookie = answer.headers['set-cookie'] ?? '';
      assert.match(cookie, /^__Host-backroom_session=[0-9A-Za-z]{43}; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict$/);
      const ends = Date.parse(String(field(answer.body, 'expires_at'))) - Date.now();
      assert.ok(ends > 590_000 && ends <= 600_000, `${ends} ms`);
      assert.equal((await browser.client.me.get()).id, adminId);
      const first = browser.token;
      assert.equal((await browser.renew()).status, 200);
      assert.notEqual(browser.token, first);
      for (const token of [first, browser.token]) assert.equal((await app().clientFor(token).me.get()).id, adminId);
      const own = { cookie: `${SESSION_COOKIE}=${browser.secret}`, origin: originOf(app()) };
      for (const [method, path] of [
        ['GET', '/me'],
        ['POST', '/customers'],
        ['DELETE', '/me/sessions'],
        ['GET', '/events'],
      ] as const) {
        const asked = await app().request({ method, path: `/admin/api${path}`, token: null, headers: own });
        assert.equal(asked.status, 401, path);
      }
    });

    test('AU21 fixation: the cookie that a browser had before it signed in is worth nothing afterwards', async () => {
      const attacker = (await somebody()).browser;
      const { browser } = await somebody();
      const planted = attacker.secret;
      browser.secret = planted;
      assert.equal((await browser.signIn()).status, 201);
      assert.notEqual(browser.secret, planted);
      assert.equal((await attacker.renew()).status, 401);
      await refused(attacker.client.me.get(), 401, 'unauthorized');
      browser.secret = 'A'.repeat(43);
      assert.equal((await browser.signIn()).status, 201);
      assert.notEqual(browser.secret, 'A'.repeat(43));
    });

    test('AU21 a page of another site, or one over plain http, gets no token by the cookie and ends no session', async () => {
      const { browser } = await somebody();
      const port = new URL(app().url).port;
      const wrong: Record<string, string>[] = [
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        { origin: `http://localhost:${Number(port) + 1}`, 'sec-fetch-site': 'same-site' },
        { origin: `http://127.0.0.1:${port}` },
        { origin: 'null' },
        { origin: '' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'none' },
      ];
      for (const headers of wrong) {
        for (const [method, path] of [
          ['POST', '/session/token'],
          ['DELETE', '/session'],
          ['POST', '/session'],
        ] as const) {
          const body =
            path === '/session' && method === 'POST' ? { credential: browser.authenticator.get(await browser.challenge()) } : undefined;
          const answer = await browser.ask(method, path, body, headers);
          assert.deepEqual(codeOf(answer), [403, 'wrong_origin'], JSON.stringify(headers));
          assert.equal(answer.headers['set-cookie'], undefined);
        }
      }
      assert.equal((await browser.renew()).status, 200);
      // With a public address, the cookie is good for pages of that address alone: neither http nor this machine.
      await app().client.settings.update({ public_url: 'https://shop.example' });
      try {
        for (const origin of ['http://shop.example', originOf(app()), 'https://shop.example.evil.example'])
          assert.deepEqual(codeOf(await browser.renew({ origin })), [403, 'wrong_origin']);
        assert.equal((await browser.renew({ origin: 'https://shop.example' })).status, 200);
        await app().client.settings.update({ public_url: 'http://127.0.0.1:8787' });
        assert.deepEqual(codeOf(await browser.ask('POST', '/session/challenge')), [409, 'passkeys_unavailable']);
      } finally {
        await app().client.settings.update({ public_url: null });
      }
    });

    test('AU20 an assertion that was used, or is of another challenge, origin, host name or person, or of nobody who was verified, signs nobody in', async () => {
      const { browser, adminId } = await somebody();
      const other = await somebody();
      const options = await browser.challenge();
      const credential = browser.authenticator.get(options);
      assert.equal((await browser.ask('POST', '/session', { credential })).status, 201);
      const send = async (body: unknown) => codeOf(await browser.ask('POST', '/session', { credential: body }));
      const REFUSED = [403, 'passkey_refused'];
      assert.deepEqual(await send(credential), REFUSED);
      assert.deepEqual(await send(browser.authenticator.get(options)), REFUSED);
      // A challenge that was given for something else is none for signing in, and the other way round.
      assert.deepEqual(await send(await browser.confirm('vouch')), REFUSED);
      const assertion = browser.authenticator.get(await browser.challenge());
      await refused(browser.client.me.create_recovery_codes({ assertion }), 403, 'passkey_refused');
      await refused(browser.client.me.create_passkey_code({ assertion: await browser.confirm('recovery_codes') }), 403, 'passkey_refused');
      await refused(
        browser.client.me.create_passkey_code({ assertion: await other.browser.confirm('add_passkey') }),
        403,
        'passkey_refused',
      );
      const lies: Lie[] = [
        { challenge: Buffer.alloc(32).toString('base64url') },
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { userVerified: false },
        { userHandle: Buffer.from(`backroom-admin-${other.adminId}`).toString('base64url') },
      ];
      for (const lie of lies) assert.deepEqual(codeOf(await browser.signIn(lie)), REFUSED, JSON.stringify(lie));
      const stranger = new SoftwareAuthenticator(originOf(app()));
      assert.deepEqual(await send(stranger.get(await browser.challenge())), REFUSED);
      await app().client.admins.update(adminId, { active: false });
      assert.deepEqual(codeOf(await browser.signIn()), REFUSED);
    });

    test('AU20 a cloned authenticator is refused, and all admins are told', async () => {
      const { browser, adminId } = await somebody();
      const clone = new SoftwareAuthenticator(originOf(app()), { copyOf: browser.authenticator });
      assert.equal((await browser.signIn()).status, 201);
      const credential = clone.get(await browser.challenge());
      assert.deepEqual(codeOf(await browser.ask('POST', '/session', { credential })), [403, 'passkey_refused']);
      await app().client.notifications.mark_all_read();
      const { notifications } = await app().client.notifications.list({ limit: 50 });
      assert.ok(notifications.some(({ type, metadata }) => type === 'passkey_copied' && metadata?.['admin_id'] === adminId));
    });

    test('AU2 AU21 a stolen cookie or token is worth nothing from the end of its session on: signed out, revoked, idle, or too old', async () => {
      const ends: ((thief: PasskeyBrowser, adminId: number) => Promise<unknown>)[] = [
        (thief) => thief.ask('DELETE', '/session'),
        async (thief) => {
          const again = new PasskeyBrowser(app());
          again.authenticator = thief.authenticator;
          await again.signIn();
          await again.client.me.revoke_session(thief.sessionId);
        },
        async (thief) => {
          const again = new PasskeyBrowser(app());
          again.authenticator = thief.authenticator;
          await again.signIn();
          assert.equal((await again.client.me.revoke_other_sessions()).ended, 1);
          assert.deepEqual(
            (await again.client.me.list_sessions()).map(({ is_current }) => is_current),
            [true],
          );
        },
        (thief, adminId) => app().client.admins.revoke_session(adminId, thief.sessionId),
        (_, adminId) => app().client.admins.update(adminId, { active: false }),
        (thief) => ageSession(app().store, thief.sessionId, 'idle'),
        (thief) => ageSession(app().store, thief.sessionId, 'end'),
      ];
      for (const [n, end] of ends.entries()) {
        const { browser, adminId } = await somebody('staff');
        const thief = Object.assign(new PasskeyBrowser(app()), { authenticator: browser.authenticator, secret: browser.secret, token: browser.token, sessionId: browser.sessionId }); // biome-ignore format: one line
        const [secret, token] = [thief.secret, thief.token];
        assert.equal((await thief.renew()).status, 200);
        await end(thief, adminId);
        Object.assign(thief, { secret });
        assert.equal((await thief.renew()).status, 401, `end ${n}`);
        // A session that nobody renews keeps the token that it has for its minutes; any other end takes it at once.
        if (n !== 5) await refused(app().clientFor(token).me.get(), 401, 'unauthorized');
      }
    });

    test('AU2 AU21 what was opened with an access token goes on when that ends, and ends with the session', async () => {
      const { browser, adminId } = await somebody();
      const headers = { authorization: `Bearer ${browser.token}` };
      const { body, status } = await fetch(`${app().url}/admin/api/changes`, { headers });
      assert.equal(status, 200);
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      const seen = async (what: string) => {
        for (let text = ''; !text.includes(what); ) {
          const { value, done } = (await reader?.read()) ?? { done: true };
          if (done) return false;
          text += value;
        }
        return true;
      };
      await expireSessionTokens(app().store);
      await refused(browser.client.me.get(), 401, 'unauthorized');
      // A token that is revoked has every stream look whether it may go on.
      const { tokenId, token } = await person(app());
      await app().clientFor(token).me.revoke_token(tokenId);
      await app().client.roles.create({ name: `Heard by ${adminId}` });
      assert.ok(await seen('"type":"role"'));
      await app().client.admins.revoke_session(adminId, browser.sessionId);
      assert.equal(await seen('"type":"never"'), false);
    });

    test('AU13 AU21 an idle session ends with what it opened: its stream, its links, and who is signed in by one', async () => {
      const { browser, adminId } = await somebody();
      const { body } = await fetch(`${app().url}/admin/api/changes`, { headers: { authorization: `Bearer ${browser.token}` } });
      const signedIn = await sign((await browser.client.me.create_sign_in_link({})).code);
      const child = app().clientFor(String(field(signedIn.body, 'token')));
      const { code } = await browser.client.me.create_sign_in_link({});
      const used = (await somebody()).browser;
      await ageSession(app().store, browser.sessionId, 'idle');
      assert.equal((await child.me.get()).id, adminId);
      // Two servers look at the same time.
      const services = await servicesOf(app().store);
      await Promise.all([endIdleSessions(services), endIdleSessions(services)]);
      await refused(child.me.get(), 401, 'unauthorized');
      await refused(browser.client.me.get(), 401, 'unauthorized');
      assert.deepEqual(codeOf(await sign(code)), [422, 'invalid_code']);
      for await (const _ of body ?? []);
      const { data } = await app().client.audit_log.list({ resource_type: 'token', resource_id: browser.sessionId });
      assert.equal(data.filter(({ action }) => action === 'session.end').length, 1);
      assert.equal((await used.renew()).status, 200);
    });

    test('AU21 a session that has ended, idle or too old, is not ended again', async () => {
      const { browser } = await somebody();
      for (const age of ['idle', 'end', null] as const) {
        const other = Object.assign(new PasskeyBrowser(app()), { authenticator: browser.authenticator });
        await other.signIn();
        if (age) await ageSession(app().store, other.sessionId, age);
      }
      assert.equal((await browser.client.me.list_sessions()).length, 2);
      assert.equal((await browser.client.me.revoke_other_sessions()).ended, 1);
    });

    test('AU16 AU21 a demoted admin with an open session may what the new role allows from the next request on', async () => {
      const { browser, adminId } = await somebody('owner');
      await browser.client.admins.list();
      await app().client.admins.update(adminId, { role: 'staff', permissions: ['admin_api.orders.read'] });
      await refused(browser.client.admins.list(), 403, 'forbidden');
      assert.equal((await browser.renew()).status, 200);
      assert.deepEqual((await browser.client.me.get()).effective_permissions, ['admin_api.orders.read']);
    });

    test('AU22 nobody ends the session of a stronger one, or sees it', async () => {
      const strong = await somebody('owner');
      const weak = await somebody('staff');
      await app().client.admins.update(weak.adminId, { permissions: ['admin_api.orders.write', 'admin_api.settings.write'] });
      await refused(weak.browser.client.admins.list_sessions(strong.adminId), 403, 'forbidden');
      await refused(weak.browser.client.admins.revoke_session(strong.adminId, strong.browser.sessionId), 403, 'forbidden');
      await refused(weak.browser.client.me.revoke_session(strong.browser.sessionId), 404, 'not_found');
      // The id of one admin with the session of another is no way around.
      await refused(app().client.admins.revoke_session(weak.adminId, strong.browser.sessionId), 404, 'not_found');
      const [seen] = await app().client.admins.list_sessions(strong.adminId);
      assert.deepEqual(
        [seen?.id, seen?.device, seen?.address, seen?.passkey],
        [strong.browser.sessionId, 'Chrome, Linux', '127.0.0.1', 'Laptop'],
      );
    });

    test('AU22 with every token of the shop stolen, nobody gets a passkey', async () => {
      const { browser, adminId, token } = await somebody('owner');
      const stolen = [OWNER_TOKEN, token, browser.token];
      for (const one of stolen) {
        const thief = app().clientFor(one);
        // Links of one's own, of others, invitations: each signs in, and allows no passkey.
        const links = [await thief.me.create_sign_in_link({}), await thief.admins.create_sign_in_link(adminId, {})];
        for (const { code } of links) assert.equal(field((await sign(code)).body, 'passkey_code'), null);
        const invited = await thief.admin_invitations.create({ email: `thief-${stolen.indexOf(one)}@example.org`, role: 'owner' });
        assert.equal(invited.allows_passkey, false);
        const { code } = await thief.admin_invitations.resend(invited.id, {});
        const joined = await app().request({
          method: 'POST',
          path: '/admin/api/admin-invitations/accept',
          body: { code, name: 'Thief' },
          token: null,
        });
        assert.equal(field(joined.body, 'passkey_code'), null);
        stolen.length < 6 && stolen.push(String(field(joined.body, 'token')));
        // What a passkey confirms takes a passkey.
        const forged = new SoftwareAuthenticator(originOf(app())).get({
          challenge: Buffer.alloc(32).toString('base64url'),
          rpId: 'localhost',
        });
        await refused(thief.me.create_passkey_code({ assertion: forged }), 403, 'passkey_refused');
        await refused(thief.me.create_recovery_codes({ assertion: forged }), 403, 'passkey_refused');
        await refused(thief.admins.create_sign_in_link(adminId, { assertion: forged }), 403, 'passkey_refused');
      }
      // Not even by taking the passkeys away: they are kept, and the time before the first does not come back.
      const [passkey] = (await browser.client.me.list_passkeys()).passkeys;
      const forged = new SoftwareAuthenticator(originOf(app())).get({
        challenge: Buffer.alloc(32).toString('base64url'),
        rpId: 'localhost',
      });
      await refused(
        app()
          .clientFor(token)
          .me.delete_passkey(passkey?.id ?? 0, { assertion: forged }),
        403,
        'passkey_refused',
      );
      await refused(app().client.admins.delete(adminId), 409, 'in_use');
      await app().client.admins.update(adminId, { active: false });
      const { adminId: made } = await person(app(), { role: 'owner' });
      const { code, allows_passkey } = await app().client.admins.create_sign_in_link(made, {});
      assert.equal(allows_passkey, false);
      assert.equal(field((await sign(code)).body, 'passkey_code'), null);
    });

    test('AU22 AU23 deactivation ends passkeys, recovery codes and codes that wait; who comes back needs a link that somebody vouched for', async () => {
      const vouching = (await somebody('owner')).browser;
      const { adminId } = await person(app(), { role: 'staff' });
      const browser = new PasskeyBrowser(app());
      const made = await browser.enrol(await machineCode(adminId));
      const codes = field(made.body, 'recovery_codes');
      assert.ok(Array.isArray(codes));
      const waiting = await browser.client.me.create_passkey_code({ assertion: await browser.confirm('add_passkey') });
      await app().client.admins.update(adminId, { active: false });
      await app().client.admins.update(adminId, { active: true });
      assert.deepEqual(codeOf(await browser.signIn()), [403, 'passkey_refused']);
      assert.deepEqual(codeOf(await browser.ask('POST', '/passkeys/recovery', { code: codes[0] })), [422, 'invalid_code']);
      assert.deepEqual(codeOf(await browser.ask('POST', '/passkeys/options', { code: waiting.code })), [422, 'invalid_code']);
      const { code } = await vouching.client.admins.create_sign_in_link(adminId, { assertion: await vouching.confirm('vouch') });
      const again = new PasskeyBrowser(app());
      const back = await again.enrol(String(field((await sign(code)).body, 'passkey_code')), 'New laptop');
      assert.equal(back.status, 201);
      const { passkeys, recovery_codes_left } = await again.client.me.list_passkeys();
      assert.deepEqual([passkeys.map(({ name }) => name), recovery_codes_left], [['New laptop'], 10]);
    });

    test('AU22 codes work once, for whom they were made: links that a passkey vouched for, the own passkey, and recovery codes, of which all are told', async () => {
      const { browser, adminId } = await somebody('owner');
      const { adminId: friend } = await person(app());
      const assertion = await browser.confirm('vouch');
      const { code, allows_passkey } = await browser.client.admins.create_sign_in_link(friend, { assertion });
      assert.equal(allows_passkey, true);
      await refused(browser.client.admins.create_sign_in_link(friend, { assertion }), 403, 'passkey_refused');
      const passkeyCode = String(field((await sign(code)).body, 'passkey_code'));
      const second = new PasskeyBrowser(app());
      const made = await second.enrol(passkeyCode, 'Phone');
      assert.deepEqual([made.status, field(field(made.body, 'admin'), 'id')], [201, friend]);
      assert.deepEqual(codeOf(await second.ask('POST', '/passkeys/options', { code: passkeyCode })), [422, 'invalid_code']);
      const codes = field(made.body, 'recovery_codes');
      assert.ok(Array.isArray(codes) && codes.length === 10 && codes.every((one) => /^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/.test(String(one))));
      const typed = String(codes[0]).toLowerCase().replaceAll('-', ' ');
      const recovered = await second.ask('POST', '/passkeys/recovery', { code: typed });
      assert.equal(recovered.status, 200);
      assert.deepEqual(codeOf(await second.ask('POST', '/passkeys/recovery', { code: codes[0] })), [422, 'invalid_code']);
      const third = new PasskeyBrowser(app());
      assert.equal((await third.enrol(String(field(recovered.body, 'code')), 'Tablet')).status, 201);
      assert.deepEqual((await third.client.me.list_passkeys()).recovery_codes_left, 9);
      const again = await third.client.me.create_recovery_codes({ assertion: await third.confirm('recovery_codes') });
      assert.equal(again.codes?.length, 10);
      assert.deepEqual(codeOf(await second.ask('POST', '/passkeys/recovery', { code: codes[1] })), [422, 'invalid_code']);
      const added = await third.client.me.create_passkey_code({ assertion: await third.confirm('add_passkey') });
      const fourth = new PasskeyBrowser(app());
      assert.equal((await fourth.enrol(added.code ?? '', 'Watch')).status, 201);
      const { passkeys } = await fourth.client.me.list_passkeys();
      assert.deepEqual(
        passkeys.map(({ name }) => name),
        ['Phone', 'Tablet', 'Watch'],
      );
      // A passkey that is deleted takes its sessions with it.
      const [phone] = passkeys;
      await fourth.client.me.delete_passkey(phone?.id ?? 0, { assertion: await fourth.confirm('delete_passkey') });
      await refused(second.client.me.get(), 401, 'unauthorized');
      assert.deepEqual(codeOf(await second.signIn()), [403, 'passkey_refused']);
      const { notifications } = await app().client.notifications.list({ limit: 50 });
      const told = notifications.filter(({ metadata }) => metadata?.['admin_id'] === friend).map(({ type }) => type);
      assert.deepEqual(told.filter((type) => type !== 'personal_access_token_created').toSorted(), ['passkey_added', 'passkey_added', 'passkey_added', 'recovery_code_used']); // biome-ignore format: one line
      // Somebody else's passkey is none to delete or to name.
      await refused(browser.client.me.update_passkey(passkeys[1]?.id ?? 0, { name: 'Mine' }), 404, 'not_found');
      const [own] = (await browser.client.me.list_passkeys()).passkeys;
      assert.equal((await browser.client.me.update_passkey(own?.id ?? 0, { name: 'Desk' })).name, 'Desk');
      assert.notEqual(adminId, friend);
    });
  },
  { rateClock: fast },
);
