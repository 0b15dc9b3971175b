import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { storeEvents } from '../../server/resources/audit/domain.ts';
import { queueMail } from '../../server/resources/mail/domain.ts';
import { readSettings } from '../../server/resources/settings/domain.ts';
import { OWNER_TOKEN, onBothStores, type RawAnswer } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { rawHttp } from '../helpers/raw-http.ts';
import { type Received, type Receiver, startReceiver } from '../helpers/receiver.ts';
import { claimedRun, field, makeTask } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';
import { type ReceivedMail, type Smtp, startSmtp } from '../helpers/smtp.ts';

const Line = z.looseObject({ msg: z.string(), request_id: z.string().optional() });
const GENERATED = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const PATH = '/admin/api/inquiries';

let lines: string[] = [];
let asked = 0;

onBothStores(
  'the request id of webhooks and mails',
  (app) => {
    let receiver: Receiver;
    let smtp: Smtp;
    let refuseMails = false;

    before(async () => {
      lines = [];
      receiver = await startReceiver();
      smtp = await startSmtp({ atEnd: () => (refuseMails ? { code: 451, words: 'later' } : undefined) });
      await person(app(), { permissions: ['admin_api.inquiries.read'] });
      await app().client.webhooks.create({ url: receiver.url, events: ['*'] });
      await app().client.settings.update({ smtp: { host: '127.0.0.1', port: smtp.port, from: 'shop@example.com' } });
    });
    after(async () => {
      await receiver.close();
      await smtp.close();
    });

    /** Makes the body of an inquiry, which causes one webhook and one mail; its unique subject finds them. */
    function inquiry() {
      asked += 1;
      const subject = `Question ${asked}.`;
      return { subject, body: { name: 'Ann', email: 'ann@example.com', subject, body: 'Hello' } };
    }

    async function ask(headers: Record<string, string> = {}): Promise<{ subject: string; answer: RawAnswer }> {
      const { subject, body } = inquiry();
      const answer = await app().request({ method: 'POST', path: PATH, body, headers });
      assert.equal(answer.status, 201, answer.text);
      return { subject, answer };
    }

    const mailsAbout = (subject: string): ReceivedMail[] => smtp.received.filter(({ text }) => text.includes(subject));
    const webhooksAbout = (inquiryId: unknown): Received[] =>
      receiver.received.filter(({ body }) => JSON.parse(body).data.inquiry_id === inquiryId);

    /** Waits for so many webhooks and mails about an inquiry, and answers the request ids that they carry. */
    async function idsOf(subject: string, inquiryId: unknown, attempts = 1): Promise<{ webhooks: unknown[]; mails: unknown[] }> {
      await until(`${attempts} webhooks and mails about ${subject}`, () =>
        Promise.resolve(webhooksAbout(inquiryId).length >= attempts && mailsAbout(subject).length >= attempts),
      );
      return {
        webhooks: webhooksAbout(inquiryId).map(({ headers }) => headers['x-request-id']),
        mails: mailsAbout(subject).map(({ headers }) => headers.get('x-request-id')),
      };
    }

    const linesSaying = (text: string, from = 0) =>
      lines
        .slice(from)
        .map((line) => Line.parse(JSON.parse(line)))
        .filter(({ msg }) => msg.startsWith(text));

    test('webhooks, mails and their log lines carry the id of the first request at every attempt, also after a retry by hand', async () => {
      refuseMails = true;
      receiver.answers.push({ status: 500 });
      const { subject, answer } = await ask({ 'x-request-id': 'the-cause.1' });
      assert.equal(answer.headers['x-request-id'], 'the-cause.1');
      const id = field(answer.body, 'id');
      await idsOf(subject, id);
      refuseMails = false;
      const { reader } = app().store;
      const [mail, delivery] = await until('both wait for another attempt', async () => {
        const mails = await reader.selectFrom('mails').selectAll().where('request_id', '=', 'the-cause.1').execute();
        const deliveries = await reader.selectFrom('webhook_deliveries').selectAll().where('request_id', '=', 'the-cause.1').execute();
        const both = [mails[0], deliveries[0]] as const;
        return both.every((one) => one?.lease === null && one.attempts === 1) && both;
      });
      const headers = { 'x-request-id': 'another-request' };
      await app().client.mails.retry(mail?.id ?? 0, { headers });
      await app().client.webhooks.retry_delivery(delivery?.endpoint_id ?? 0, delivery?.id ?? 0, { headers });
      assert.deepEqual(await idsOf(subject, id, 2), { webhooks: ['the-cause.1', 'the-cause.1'], mails: ['the-cause.1', 'the-cause.1'] });
      const told = ['mail not sent', 'mail sent', 'webhook not delivered', 'webhook delivered', 'request'];
      await until('all is logged', () =>
        Promise.resolve(told.every((text) => linesSaying(text).some(({ request_id }) => request_id === 'the-cause.1'))),
      );
    });

    test('a malformed X-Request-Id is replaced, so a client cannot add headers to mails and webhooks', async () => {
      const longest = 'a.b_c-D9'.repeat(16);
      const hostile = [
        `${longest}x`,
        'a b',
        'a: b',
        'a, b',
        'Ärger',
        'a%0d%0aBcc: evil@example.com',
        'a\\r\\nBcc: evil@example.com',
        '=?utf-8?q?a=0D=0ABcc=3A_evil=40example.com?=',
        'a\tBcc: evil@example.com',
        '<a@example.com>',
        'a\r\nX-Request-Id: b',
        'a\r\n Bcc: evil@example.com',
        'a\rBcc: evil@example.com',
        'a\nBcc: evil@example.com',
        'a\0b',
      ];
      const before = smtp.received.length;
      const post = async (value: string): Promise<boolean> => {
        const { subject, body } = inquiry();
        const json = JSON.stringify(body);
        const { text } = await rawHttp(
          app().url,
          `POST ${PATH} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\nAuthorization: Bearer ${OWNER_TOKEN}\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${json.length}\r\nX-Request-Id: ${value}\r\n\r\n${json}`,
        );
        const [row] = (await app().client.inquiries.list({ search: subject })).data;
        if (!row) {
          assert.match(text, /^HTTP\/1\.1 400 /, value);
          return false;
        }
        const [, answered = ''] = /^x-request-id: (.*)\r$/im.exec(text) ?? [];
        if (value === longest) assert.equal(answered, longest);
        else assert.match(answered, GENERATED, value);
        assert.deepEqual(await idsOf(subject, row.id), { webhooks: [answered], mails: [answered] }, value);
        return true;
      };
      const taken = await Promise.all([longest, ...hostile].map(post));
      assert.ok(taken.filter(Boolean).length > 8, String(taken));
      for (const { to, headers } of smtp.received.slice(before)) {
        assert.equal(to.length, 1);
        assert.deepEqual([headers.has('bcc'), to.includes('evil@example.com')], [false, false]);
      }
      for (const { headers } of receiver.received) assert.equal(headers['bcc'], undefined);
    });

    test('a repeated request makes no further webhook and mail; those of the first carry its id', async () => {
      const headers = { 'idempotency-key': '"once"' };
      const { subject, body } = inquiry();
      const post = (id: string) => app().request({ method: 'POST', path: PATH, body, headers: { ...headers, 'x-request-id': id } });
      const first = await post('first');
      const again = await post('again');
      assert.deepEqual([again.status, again.headers['idempotency-replayed'], again.headers['x-request-id']], [201, 'true', 'again']);
      const next = await ask({ 'x-request-id': 'next' });
      await idsOf(next.subject, field(next.answer.body, 'id'));
      assert.deepEqual(await idsOf(subject, field(first.body, 'id')), { webhooks: ['first'], mails: ['first'] });
    });

    test('webhooks and mails of a run carry the id of its call, those of an applied plan that of the apply request', async () => {
      const task = await makeTask(app(), { permissions: ['admin_api.inquiries.write'] });
      const { subject, body } = inquiry();
      const run = await claimedRun(app(), {}, task);
      const answer = await run.call('POST', '/inquiries', body);
      const id = answer.headers['x-request-id'];
      assert.match(id ?? '', GENERATED);
      assert.deepEqual(await idsOf(subject, field(answer.body, 'id')), { webhooks: [id], mails: [id] });
      assert.equal((await run.call('POST', '/inquiries', body)).headers['idempotency-replayed'], 'true');

      const planned = inquiry();
      const dry = await claimedRun(app(), { dry_run: true }, task);
      assert.equal((await dry.call('POST', '/inquiries', planned.body)).status, 201);
      await dry.report([{ kind: 'finalize', status: 'success', result: null }]);
      const headers = { 'x-request-id': 'applied' };
      const applied = await app().request({ method: 'POST', path: `${dry.path}/apply`, headers });
      assert.equal(applied.status, 201, applied.text);
      const [made] = (await app().client.inquiries.list({ search: planned.subject })).data;
      assert.ok(made);
      assert.deepEqual(await idsOf(planned.subject, made.id), { webhooks: ['applied'], mails: ['applied'] });
      assert.equal(mailsAbout(subject).length, 1, 'the repeated call sent no mail');
    });

    test('webhooks and mails that no request caused carry no request id, nor do their log lines', async () => {
      const { store } = app();
      const { subject } = inquiry();
      const settings = await readSettings(store.reader);
      const services = await servicesOf(store);
      await store.write(async (db) => {
        const ctx = { db, now: new Date().toISOString(), settings, requestId: '', after: () => undefined, services };
        await storeEvents(ctx, [{ type: 'inquiry.received', data: { inquiry_id: 987_654, customer_id: null } }], null);
        await queueMail(ctx, { template: 'set_password', to: { name: subject, email: 'ann@example.com' }, data: { customer_id: 1 } });
      });
      assert.deepEqual(await idsOf(subject, 987_654), { webhooks: [undefined], mails: [undefined] });
      const [webhook] = webhooksAbout(987_654);
      const { id: delivery } = await store.reader
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('message_id', '=', String(webhook?.headers['webhook-id']))
        .executeTakeFirstOrThrow();
      const mail = (await app().client.mails.list()).data.find(({ to_name }) => to_name === subject)?.id;
      const sent = await until('the mail is logged', async () => linesSaying('mail sent').find((line) => line['mail'] === mail));
      const delivered = await until('the webhook is logged', async () =>
        linesSaying('webhook delivered').find((line) => line['delivery'] === delivery),
      );
      assert.deepEqual([sent.request_id, delivered.request_id], [undefined, undefined]);
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true' }, log: (line) => void lines.push(line) },
);
