import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { afterEach, before, beforeEach, test } from 'node:test';
import pino from 'pino';
import { repeatApart } from '../../server/background/loop.ts';
import { mailSender } from '../../server/resources/mail/sending.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeVariant } from '../helpers/builders.ts';
import { until } from '../helpers/machines.ts';
import { newsOf } from '../helpers/news.ts';
import { person } from '../helpers/people.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { freePort } from '../helpers/ports.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';
import { type Smtp, startSmtp } from '../helpers/smtp.ts';
import { ageNotifications, clearOutbox, leaveToTheDead, makeMailDue, storeAttempts } from '../helpers/stored-rows/outbox.ts';

let made = 0;

onBothStores('mail', (app) => {
  const open: Smtp[] = [];
  let logged: string[] = [];
  let stop = async (): Promise<void> => undefined;
  let sold = 0;
  before(async () => {
    sold = (await makeVariant(app(), { track_stock: false })).id;
  });

  /** Two more senders, as other servers would have them; they look for mails more often than the app's own sender. */
  beforeEach(() => {
    logged = [];
    const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
    const stopping = new AbortController();
    const sender = () => mailSender({ store: app().store, log, stopping: stopping.signal });
    const senders = repeatApart(
      [
        ['a sender', 20, sender()],
        ['another sender', 20, sender()],
      ],
      { log, tracing: null, stopping: stopping.signal },
    );
    stop = async () => {
      stopping.abort();
      await senders.ended;
    };
  });
  afterEach(async () => {
    await stop();
    await app().client.settings.update({ smtp: null });
    await clearOutbox(app().store);
    for (const smtp of open.splice(0)) await smtp.close();
  });

  async function smtp(...how: Parameters<typeof startSmtp>): Promise<Smtp> {
    const server = await startSmtp(...how);
    open.push(server);
    return server;
  }

  const use = ({ port }: { port: number }, more: object = {}) =>
    app().client.settings.update({ smtp: { host: '127.0.0.1', port, from: 'Paper & Co <shop@example.com>', ...more } });

  /** Puts a mail into the outbox, by an order that registers its customer. */
  async function queue(name = 'Ann'): Promise<{ id: number; address: string }> {
    made += 1;
    const { client } = app();
    const address = `ann-${made}@example.com`;
    await client.orders.create(
      phoneOrder([{ variant_id: sold, quantity: 1 }], { customer: { name, email: address, phone: '' }, register_customer: true }),
    );
    const { data } = await client.mails.list({ per_page: 100 });
    const mail = data.find(({ to_address }) => to_address === address) ?? assert.fail(`there is no mail to ${address}`);
    return { id: mail.id, address };
  }

  async function mail(id: number) {
    const { data } = await app().client.mails.list({ per_page: 100 });
    return data.find((one) => one.id === id) ?? assert.fail(`there is no mail ${id}`);
  }
  /** Waits until the mail has had so many attempts and none is under way. */
  const tried = (id: number, attempts: number) =>
    until(`attempt ${attempts} of mail ${id}`, async () => {
      const row = await app().store.reader.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      return row.attempts >= attempts && row.lease === null && row;
    });
  const sent = (id: number) => until(`mail ${id} is sent`, async () => (await mail(id)).status === 'sent' && mail(id));
  const makeDue = (id: number) => makeMailDue(app().store, id);
  const notifications = () => newsOf(app(), 'smtp_error');
  const told = (count: number) =>
    until(`${count} notifications`, async () => {
      const all = await notifications();
      return all.length >= count && all;
    });

  test('without an SMTP account a mail waits in the list without an error; with one it is sent', async () => {
    const { id, address } = await queue('Ágnes Kiss');
    assert.deepEqual([(await mail(id)).status, (await mail(id)).attempts, (await mail(id)).due_in_seconds], ['queued', 0, 0]);
    const server = await smtp();
    await use(server);
    await sent(id);
    const [received] = server.accepted;
    assert.ok(received);
    assert.deepEqual([received.from, received.to], ['shop@example.com', [address]]);
    assert.match(received.headers.get('from') ?? '', /Paper & Co.*<shop@example\.com>/);
    assert.match(received.headers.get('message-id') ?? '', /^<[^\s<>]+@example\.com>$/);
    assert.equal(received.headers.get('auto-submitted'), 'auto-generated');
    assert.match(received.text, /^Hello Ágnes Kiss,\r\n/);
    assert.match(received.html, /<p>Hello Ágnes Kiss,<\/p>/);
    assert.deepEqual([(await mail(id)).last_error, await notifications()], [null, []]);
  });

  test('PH10: a mail that is refused for now is tried again with the same Message-ID until it is accepted', async () => {
    let refusals = 2;
    const server = await smtp({ atEnd: () => (refusals-- > 0 ? { code: 451, words: 'greylisted' } : undefined) });
    await use(server);
    const { id } = await queue();
    for (const attempt of [1, 2]) {
      const row = await tried(id, attempt);
      assert.deepEqual([row.status, row.ended_at], ['queued', null]);
      assert.match(row.last_error ?? '', /451 greylisted/);
      assert.ok(((await mail(id)).due_in_seconds ?? 0) > 20 * attempt, 'each wait is longer');
      await makeDue(id);
    }
    assert.equal((await sent(id)).attempts, 3);
    assert.equal(server.accepted.length, 1);
    assert.equal(new Set(server.received.map(({ headers }) => headers.get('message-id'))).size, 1);
    assert.equal(server.received.length, 3);
  });

  test('PH10: while the SMTP server is down mails wait and the admins are notified; a corrected account sends them at once', async () => {
    const port = await freePort();
    await use({ port });
    const first = await queue();
    await tried(first.id, 1);
    const [notification] = await told(1);
    assert.equal(notification?.severity, 'error');
    assert.match(notification?.message ?? '', /1 tried again\. Last error: .*ECONNREFUSED/);
    assert.deepEqual([notification?.metadata?.['waiting'], notification?.metadata?.['given_up']], [1, 0]);
    const second = await queue();
    const server = await smtp({}, { port });
    await use(server, { from: 'new@example.com' });
    await sent(first.id);
    await sent(second.id);
    assert.deepEqual(server.accepted.flatMap(({ to }) => to).sort(), [first.address, second.address].sort());
    assert.equal((await notifications()).length, 1);
  });

  test('PH10: a mail whose attempt fails after the account was corrected is sent with the new account at once', async () => {
    const [reached, corrected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const wrong = await smtp({
      atEnd: async () => {
        reached.resolve();
        await corrected.promise;
        return { code: 451, words: 'not from this account' };
      },
    });
    await use(wrong);
    const { id, address } = await queue();
    await reached.promise;
    const server = await smtp();
    await use(server);
    corrected.resolve();
    const row = await tried(id, 1);
    assert.ok(row.status === 'sent' || row.due_ms <= Date.now(), `due in ${row.due_ms - Date.now()} ms`);
    await sent(id);
    assert.deepEqual(
      server.accepted.flatMap(({ to }) => to),
      [address],
    );
  });

  test('PH10: a mail that the server refuses for good fails at once, notifies the admins, and can be retried by hand', async () => {
    let known = false;
    const server = await smtp({ atRecipient: () => (known ? undefined : { code: 550, words: 'no such mailbox <ann@example.com>' }) });
    await use(server);
    const { id } = await queue();
    const row = await tried(id, 1);
    assert.equal(row.status, 'failed');
    const [notification] = await told(1);
    assert.match(notification?.message ?? '', /1 given up\. Last error: .*no such mailbox <…>/, 'the notification leaves the address out');
    assert.match(String(notification?.metadata?.['last_error']), /no such mailbox <…>/);
    const failed = await app().client.mails.list({ status: 'failed' });
    assert.deepEqual(
      failed.data.map((one) => one.id),
      [id],
    );
    assert.match(failed.data[0]?.last_error ?? '', /550 no such mailbox <ann@example.com>/);
    known = true;
    assert.equal((await app().client.mails.retry(id)).status, 'queued');
    await sent(id);
    assert.equal((await app().client.mails.retry(id)).status, 'sent', 'a sent mail is not sent twice');
  });

  test('PH10: a mail fails after its 15th refused attempt', async () => {
    const server = await smtp({ atRecipient: () => ({ code: 450, words: 'mailbox full' }) });
    const { id } = await queue();
    await storeAttempts(app().store, id, 14);
    await use(server);
    assert.equal((await tried(id, 15)).status, 'failed');
    assert.match((await told(1))[0]?.message ?? '', /1 given up/);
  });

  test('NT3: the admins are notified at most once an hour, then of all failures in between', async () => {
    const server = await smtp({ atRecipient: () => ({ code: 550, words: 'no' }) });
    await use(server);
    await tried((await queue()).id, 1);
    await told(1);
    const more = [await queue(), await queue(), await queue()];
    for (const { id } of more) await tried(id, 1);
    // This attempt shows that the senders looked again after the failures above.
    await tried((await queue()).id, 1);
    assert.equal((await notifications()).length, 1);
    await ageNotifications(app().store);
    const [, second] = await told(2);
    assert.deepEqual([second?.metadata?.['mails'], second?.metadata?.['given_up']], [4, 4]);
  });

  test('a mail of a sender that died is sent by another one with the same Message-ID', async () => {
    const { id } = await queue();
    await leaveToTheDead(app().store, id, '<kept@example.com>');
    const server = await smtp();
    await use(server);
    assert.equal((await sent(id)).attempts, 2);
    assert.equal(server.accepted[0]?.headers.get('message-id'), '<kept@example.com>');
  });

  /** Makes a run that queues a mail; `maybeTwice` reads the mark of its effect. */
  async function ofRun() {
    const run = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['admin_api.inquiries.write'] }));
    const { id: inquiry } = await app().client.inquiries.create({ name: 'Ann', email: 'ann@example.com', subject: 'Hi', body: 'Hello' });
    assert.equal((await run.call('POST', `/inquiries/${inquiry}/answer`, { body: 'Yes.' })).status, 200);
    const effect = async () =>
      (await app().client.ai_tasks.list_effects(run.taskId, run.runId)).find(({ resource }) => resource.type === 'mail');
    const id = (await effect())?.resource.id ?? assert.fail('the mail is no effect');
    return { id, maybeTwice: async () => (await effect())?.maybe_twice };
  }

  test('JO9: a mail of a run is an effect, marked maybe_twice if its sender died or the SMTP server gave no answer', async () => {
    const cut = await ofRun();
    const silent = createServer((socket) => {
      let isLetter = false;
      socket.on('error', () => undefined).write('220 here\r\n');
      socket.on('data', (chunk) => {
        const text = chunk.toString();
        if (isLetter && text.endsWith('\r\n.\r\n')) socket.destroy();
        else if (!isLetter) socket.write(text.startsWith('DATA') ? '354 go on\r\n' : '250 yes\r\n');
        isLetter ||= text.startsWith('DATA');
      });
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    assert.ok(typeof address === 'object' && address);
    await use(address);
    await tried(cut.id, 1);
    await app().client.settings.update({ smtp: null });
    silent.close();

    const [plain, left] = [await ofRun(), await ofRun()];
    await leaveToTheDead(app().store, left.id);
    await use(await smtp());
    for (const { id } of [plain, left, cut]) await sent(id);
    assert.deepEqual([await plain.maybeTwice(), await left.maybeTwice(), await cut.maybeTwice()], [false, true, true]);
  });

  test('several senders send each mail once', async () => {
    const MAILS = 60;
    const server = await smtp();
    const queued = [];
    for (let n = 0; n < MAILS; n++) queued.push((await queue()).address);
    await use(server);
    await until('all are sent', async () => (await app().client.mails.list({ status: 'sent' })).total === MAILS);
    assert.deepEqual(server.received.flatMap(({ to }) => to).sort(), queued.sort());
  });

  test('a wrong SMTP password leaves mails waiting and appears in no error, log or answer', async () => {
    const password = 'wr0ng-and-very-secret';
    const server = await smtp();
    const { id } = await queue();
    const settings = await use(server, { user: 'shop', password });
    const row = await tried(id, 1);
    assert.match(row.last_error ?? '', /535 no entry for shop with \*\*\* \(\*\*\*=*\)/);
    assert.equal(row.status, 'queued', 'the account is at fault, not the mail');
    assert.ok(server.users.length > 0 && server.received.length === 0);
    const seen = [logged.join(''), row.last_error, JSON.stringify(await notifications()), JSON.stringify(settings)].join('');
    assert.doesNotMatch(seen, new RegExp(password));
    await use(server, { user: 'shop', password: 'right' });
    await sent(id);
  });

  test('a password is never sent in clear text to another machine', async () => {
    const server = await smtp();
    const { id } = await queue();
    // 0.0.0.0 reaches this machine, but does not count as its own address.
    await app().client.settings.update({
      smtp: { host: '0.0.0.0', port: server.port, from: 'shop@example.com', user: 'shop', password: 'right' },
    });
    assert.match((await tried(id, 1)).last_error ?? '', /STARTTLS/);
    assert.deepEqual(server.users, []);
  });

  test('a refused order queues no mail, and an order without an email notifies nobody', async () => {
    const { client } = app();
    const customer = { name: 'Ann', email: 'nobody-tells@example.com', phone: '' };
    const order = phoneOrder([{ variant_id: sold, quantity: 1 }], { customer, register_customer: true, expected_total_cents: 1 });
    await refused(client.orders.create(order), 409, 'total_changed');
    const { id } = await makeOrder(app(), { customer_email: '' });
    const { edit } = await client.orders.edit(id, { internal_notes: 'seen', notify_customer: true });
    assert.equal(edit.customer_notified, false);
    assert.equal((await client.mails.list()).total, 0);
  });

  test('a mail about an order uses the language and money format of the shop', async () => {
    const { client } = app();
    const variant = await makeVariant(app(), { price_cents: 1999 });
    const { locale } = await client.settings.update({ locale: 'de-DE' });
    assert.equal(locale, 'de-DE');
    const customer = { name: 'Jörg', email: 'j@example.com', phone: '' };
    await client.orders.create(phoneOrder([{ variant_id: variant.id, quantity: 2 }], { customer, send_confirmation_email: true }));
    await client.settings.update({ locale: 'en-US' });
    const server = await smtp();
    await use(server);
    const received = await until('the mail is there', () => server.accepted[0]);
    assert.match(received.text, /Guten Tag Jörg/);
    assert.match(received.text, /2 × Product \d+: 39,98 €/);
  });

  test('mails are listed by status, page by page; retrying needs its permission, an unknown mail is 404', async () => {
    await queue();
    await queue();
    const reader = await person(app(), { permissions: ['admin_api.logs.read'] });
    const page = await app().clientFor(reader.token).mails.list({ status: 'queued', per_page: 1 });
    assert.deepEqual([page.total, page.data.length], [2, 1]);
    const next = await app()
      .clientFor(reader.token)
      .mails.list({ status: 'queued', per_page: 1, cursor: page.next_cursor ?? '' });
    assert.ok((next.data[0]?.id ?? 0) < (page.data[0]?.id ?? 0));
    await refused(
      app()
        .clientFor(reader.token)
        .mails.retry(page.data[0]?.id ?? 0),
      403,
      'forbidden',
    );
    await refused(app().client.mails.retry(999_999), 404, 'not_found');
  });
});
