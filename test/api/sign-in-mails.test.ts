import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf, field } from '../helpers/runs.ts';
import { type Smtp, startSmtp } from '../helpers/smtp.ts';
import { ageLinks } from '../helpers/stored-rows/people.ts';

/** An hour goes by between any two requests, so that the limit of requests without a token is never reached. */
const hours = () => {
  let now = 0;
  return () => (now += 3_600_000);
};

let made = 0;

onBothStores(
  'sign-in links by mail',
  (app) => {
    let smtp: Smtp;
    before(async () => {
      smtp = await startSmtp();
      await app().client.settings.update({
        smtp: { host: '127.0.0.1', port: smtp.port, from: 'shop@example.com' },
        public_url: 'https://shop.example',
      });
    });
    after(() => smtp.close());

    const guest = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
      app().request({ method, path: `/admin/api${path}`, token: null, headers, ...(body ? { body } : {}) });
    const ask = (email: string) => guest('POST', '/sign-in/links', { email }, { 'x-request-id': 'same' });
    const redeem = (code: string, more: object = {}) => guest('POST', '/sign-in', { code, ...more });
    const mailsTo = (address: string) => smtp.accepted.filter(({ to }) => to.includes(address));
    const codeIn = (text: string) => /#([0-9A-Za-z]{43})/.exec(text)?.[1] ?? assert.fail(text);
    /** The code of the mail number `count` to an address. */
    async function codeTo(address: string, count = 1): Promise<string> {
      await until(`mail ${count} to ${address}`, async () => mailsTo(address).length >= count);
      return codeIn(mailsTo(address)[count - 1]?.text ?? '');
    }
    async function colleague(more: object = {}) {
      made += 1;
      return app().client.admins.create({ name: `Colleague ${made}`, email: `colleague-${made}@shop.example`, ...more });
    }

    test('AU18: the answer is the same, and comes at once, whether or not somebody has the address; only who has it gets a link', async () => {
      const { id, email } = await colleague();
      const gone = await colleague({ active: false });
      const free = Promise.withResolvers<void>();
      // Whatever writes waits, so an answer that waited for the link would not come.
      const held = app().store.write(() => free.promise);
      const answers = [];
      for (const address of [email.toUpperCase(), gone.email, 'nobody@shop.example']) answers.push(await ask(address));
      assert.deepEqual(
        answers.map(({ status, text }) => [status, text]),
        Array(3).fill([202, '{"expires_in_minutes":15}']),
      );
      free.resolve();
      await held;
      const code = await codeTo(email);
      const mail = mailsTo(email)[0];
      assert.match(mail?.text ?? '', /https:\/\/shop\.example\/sign-in#/);
      const { status, body } = await redeem(code, { device: 'Chrome on Windows' });
      assert.equal(status, 201);
      const me = await app()
        .clientFor(String(field(body, 'token')))
        .me.get();
      assert.equal(me.id, id);
      assert.deepEqual(codeOf(await redeem(code)), [422, 'invalid_code']);
      assert.deepEqual([mailsTo(gone.email), mailsTo('nobody@shop.example')], [[], []]);
      // What is in the outbox afterwards signs nobody in.
      await until('the outbox holds no code', async () => {
        const kept = await app().store.reader.selectFrom('mails').select(['text_body', 'html_body']).execute();
        return kept.every(({ text_body, html_body }) => text_body === '' && html_body === '');
      });
    });

    test('AU18: at most three links are sent in a quarter of an hour', async () => {
      const { email } = await colleague();
      const { email: other } = await colleague();
      for (let n = 1; n <= 3; n++) {
        assert.equal((await ask(email)).status, 202);
        await codeTo(email, n);
      }
      assert.equal((await ask(email)).status, 202);
      // The mail to somebody else is asked for later and comes, so the fourth was not sent.
      await ask(other);
      await codeTo(other);
      assert.equal(mailsTo(email).length, 3);
      await ageLinks(app().store);
      await ask(email);
      await codeTo(email, 4);
    });

    test('AU18: a link in the mail ends when the address changes or its admin is deactivated', async () => {
      const { client } = app();
      for (const change of [{ email: 'moved@shop.example' }, { active: false }]) {
        const { id, email } = await colleague();
        await ask(email);
        const code = await codeTo(email);
        await client.admins.update(id, change);
        if ('active' in change) await client.admins.update(id, { active: true });
        assert.deepEqual(codeOf(await redeem(code)), [422, 'invalid_code']);
      }
    });

    test('AU13, AU18: who wants to stay signed in does for 30 days; deactivation ends each sign-in for good, and no access token', async () => {
      const { client } = app();
      const { id } = await colleague();
      const { code } = await client.admins.create_sign_in_link(id, {});
      const { body } = await redeem(code ?? '', { keep_signed_in: true, device: 'Safari on iPad' });
      const theirs = app().clientFor(String(field(body, 'token')));
      const [session] = await theirs.me.list_tokens();
      assert.equal(session?.device, 'Safari on iPad');
      assert.equal(Date.parse(session?.expires_at ?? '') - Date.parse(session?.created_at ?? ''), 30 * 86_400_000);
      const { token } = await client.admins.create_token(id, { name: 'by hand' });
      await client.admins.update(id, { active: false });
      await refused(theirs.me.get(), 401, 'unauthorized');
      await client.admins.update(id, { active: true });
      await refused(theirs.me.get(), 401, 'unauthorized');
      assert.deepEqual(
        (
          await app()
            .clientFor(token ?? '')
            .me.list_tokens()
        ).map(({ name, device }) => [name, device]),
        [['by hand', null]],
      );
    });

    test('AU18: a link that an owner hands over ends with that owner, works once, and not for somebody who is deactivated', async () => {
      const { client, clientFor } = app();
      const { id } = await colleague();
      const owner = await person(app(), { role: 'owner' });
      const links = [];
      for (let n = 0; n < 2; n++) links.push((await clientFor(owner.token).admins.create_sign_in_link(id, {})).code ?? '');
      const statuses = await Promise.all([redeem(links[0] ?? ''), redeem(links[0] ?? '')]);
      assert.deepEqual(statuses.map(({ status }) => status).sort(), [201, 422]);
      await client.admins.update(owner.adminId, { active: false });
      assert.deepEqual(codeOf(await redeem(links[1] ?? '')), [422, 'invalid_code']);
      await client.admins.update(id, { active: false });
      await refused(client.admins.create_sign_in_link(id, {}), 409, 'admin_inactive');
      await refused(client.admins.create_sign_in_link(999_999, {}), 404, 'not_found');
    });

    test('AU18: somebody who is deactivated while signing in is not signed in afterwards', async () => {
      const { client } = app();
      for (let n = 0; n < 5; n++) {
        const { id } = await colleague();
        const { code } = await client.admins.create_sign_in_link(id, {});
        const [answer] = await Promise.all([redeem(code ?? ''), client.admins.update(id, { active: false })]);
        await client.admins.update(id, { active: true });
        if (answer.status === 201) {
          const token = String(field(answer.body, 'token'));
          assert.equal((await app().request({ path: '/admin/api/me', token })).status, 401);
        } else assert.equal(answer.status, 422);
      }
    });

    test('AU17: an invitation is mailed with its link in the language of the shop; without a mail account or an address it is refused', async () => {
      const { client } = app();
      await client.settings.update({ locale: 'de-AT' });
      const email = 'eva@shop.example';
      const made = await client.admin_invitations.create({ email, name: 'Eva', send_mail: true });
      assert.equal(made.mailed, true);
      assert.equal(await codeTo(email), made.code);
      assert.match(mailsTo(email)[0]?.text ?? '', /Owner lädt Sie ein, .*https:\/\/shop\.example\/join#/s);
      const again = await client.admin_invitations.resend(made.id, { send_mail: true });
      assert.equal(await codeTo(email, 2), again.code);
      assert.deepEqual(field((await guest('GET', '/sign-in/means')).body, 'sends_links'), true);
      await client.settings.update({ public_url: null, locale: 'en' });
      await refused(client.admin_invitations.create({ email: 'x@shop.example', send_mail: true }), 409, 'public_url_not_set');
      assert.deepEqual((await guest('GET', '/sign-in/means')).body, {
        ...{ shop_name: 'Backroom', sends_links: false, has_passkeys: false },
        passkeys_at: `http://localhost:${new URL(app().url).port}`,
      });
      const { smtp: account } = await client.settings.get();
      await client.settings.update({ smtp: null });
      await refused(client.admin_invitations.resend(made.id, { send_mail: true }), 409, 'mail_not_configured');
      assert.ok(account);
      assert.equal((await ask('owner@localhost')).status, 202);
    });
  },
  { rateClock: hours() },
);
