import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json, JsonObject } from '../../contract/run-events.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, field, lapse, makeTask, openRun } from '../helpers/runs.ts';
import { type Smtp, startSmtp } from '../helpers/smtp.ts';

const plain = { subject: 'Your basket', text: 'You have left a teapot.' };

onBothStores('mails that tasks write', (app) => {
  let smtp: Smtp;
  before(async () => {
    smtp = await startSmtp();
    await app().client.settings.update({ public_url: app().url });
  });
  after(() => smtp.close());

  const runOf = async (mail_to: string[], body = {}): Promise<ClaimedRun> =>
    claimedRun(app(), body, await makeTask(app(), { permissions: ['mail_send'], mail_to }, { on_interrupt: 'hold' }));
  const send = (run: Pick<ClaimedRun, 'call'>, mail: JsonObject, occurrence = 0) =>
    run.call('POST', '/mails', { ...plain, ...mail }, { occurrence });
  const mails = async () => (await app().client.mails.list({ per_page: 100 })).data;
  const effectsOf = (run: ClaimedRun) => app().client.ai_tasks.list_effects(run.taskId, run.runId);
  const madeIn = (changes: Record<string, [Json, Json]>) =>
    Object.fromEntries(Object.entries(changes).map(([name, [, value]]) => [name, value]));

  test('an address must be covered by mail_to of the version; one that is not, and nobody gets a mail', async () => {
    const ann = await makeCustomer(app(), { email: 'Ann.Lee@shop.test' });
    const clerk = await person(app());
    const gone = await person(app());
    await app().client.admins.update(gone.adminId, { active: false });
    const emailOf = async (id: number) => (await app().client.admins.get(id)).email;
    const cases: [mailTo: string[], to: string, goesTo: string | null][] = [
      [['customers'], 'ann.lee@SHOP.test', ann.email],
      [['customers'], 'nobody@shop.test', null],
      [['customers'], await emailOf(clerk.adminId), null],
      [['admins'], (await emailOf(clerk.adminId)).toUpperCase(), await emailOf(clerk.adminId)],
      [['admins'], await emailOf(gone.adminId), null],
      [['admins'], ann.email, null],
      [['@example.com'], 'any@EXAMPLE.com', 'any@EXAMPLE.com'],
      [['@example.com'], 'any@sub.example.com', null],
      [['@example.com'], 'any@example.com.evil.test', null],
      [['@example.com'], 'any@notexample.com', null],
      [['@bücher.example'], 'any@xn--bcher-kva.example', 'any@xn--bcher-kva.example'],
      [['ops@example.org'], 'Ops@example.org', 'Ops@example.org'],
      [['ops@example.org'], 'ops2@example.org', null],
      [['ops@example.org', '@example.com'], 'a@example.com', 'a@example.com'],
      [[], 'a@example.com', null],
    ];
    for (const [mailTo, to, goesTo] of cases) {
      const run = await runOf(mailTo);
      const answer = await send(run, { to });
      if (goesTo === null) {
        assert.deepEqual(codeOf(answer), [403, 'mail_recipient_not_allowed'], `${mailTo} ${to}`);
        assert.ok(String(field(answer.body, 'detail')).includes(to), answer.text);
        assert.deepEqual(
          [field(answer.body, 'addresses'), field(answer.body, 'mail_to')],
          [[to], mailTo.map((one) => one.replace('bücher', 'xn--bcher-kva'))],
        );
      } else {
        assert.equal(answer.status, 201, answer.text);
        assert.equal((await mails())[0]?.to_address, goesTo);
      }
    }
    const before = await mails();
    const run = await runOf(['customers', '@example.com']);
    assert.deepEqual(codeOf(await send(run, { to: [ann.email, 'a@example.com', 'stranger@other.test'] })), [
      403,
      'mail_recipient_not_allowed',
    ]);
    assert.deepEqual((await mails()).length, before.length);
    assert.deepEqual(await effectsOf(run), []);
  });

  test('only a run with the permission writes mails', async () => {
    await refused(app().client.mails.send({ ...plain, to: 'a@example.com' }), 403, 'forbidden');
    const run = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['admin_api.customers.write'] }));
    const answer = await send(run, { to: 'a@example.com' });
    assert.deepEqual([...codeOf(answer), field(answer.body, 'required_permission')], [403, 'forbidden', 'mail_send']);
  });

  test('what is wrong with a mail is named, and no header can be begun in it', async () => {
    const run = await runOf(['@example.com']);
    const many = Array.from({ length: 51 }, (_, n) => `a${n}@example.com`);
    const wrong: [mail: JsonObject, code: string, pointer: string][] = [
      [{ to: 'a@example.com', subject: 'Hello\r\nBcc: x@evil.test' }, 'invalid_value', '/subject'],
      [{ to: 'a@example.com', subject: 'Hello\u2028World' }, 'invalid_value', '/subject'],
      [{ to: 'a@example.com', subject: 'x'.repeat(201) }, 'too_long', '/subject'],
      [{ to: 'a@example.com', subject: ' ' }, 'blank', '/subject'],
      [{ to: 'a@example.com', text: '' }, 'blank', '/text'],
      [{ to: 'a@example.com', text: 'é'.repeat(51_201) }, 'too_long', '/text'],
      [{ to: 'a@example.com', html: 'x'.repeat(512_001) }, 'too_long', '/html'],
      [{ to: 'a@example.com', reply_to: 'b@example.com\nBcc: x@evil.test' }, 'invalid_value', '/reply_to'],
      [{ to: 'a@example.com', kind: 'news' }, 'invalid_enum', '/kind'],
      [{ to: 'a@example.com', text: 'Go: {{unsubscribe_url}}' }, 'invalid_value', '/text'],
    ];
    for (const [mail, code, pointer] of wrong) {
      const answer = await send(run, mail);
      const errors = field(answer.body, 'errors');
      const [first] = Array.isArray(errors) ? errors : [];
      assert.deepEqual([answer.status, field(first, 'code'), field(first, 'pointer')], [422, code, pointer], answer.text);
    }
    for (const to of [
      '',
      [],
      'a',
      'a@example.com,b@example.com',
      'Ann <a@example.com>',
      '"a b"@example.com',
      'a@example.com\nb',
      many,
      7,
    ]) {
      assert.equal((await send(run, { to })).status, 422, JSON.stringify(to));
    }
    assert.deepEqual(codeOf(await send(run, { to: ['a@example.com', 'A@example.com'] })), [422, 'duplicate']);
    assert.equal((await send(run, { to: many.slice(0, 50), text: 'é'.repeat(51_200), html: 'x'.repeat(512_000) })).status, 201);
  });

  test('each address gets a mail of its own, with the content as given; the list of mails names the run', async () => {
    const ann = await makeCustomer(app(), { name: 'Ann Lee' });
    const run = await runOf(['customers', 'ops@example.org']);
    const html = '<p>You have left a <b>teapot</b>.</p>';
    const mail = { to: [ann.email, 'ops@example.org'], html, reply_to: 'help@example.org' };
    const first = await send(run, mail);
    assert.equal(first.status, 201, first.text);
    assert.deepEqual((await send(run, mail)).body, first.body, 'the same call again is the same mail');
    const made = (await mails()).filter(({ run_id }) => run_id === run.runId);
    assert.deepEqual(made.map(({ template, to_name, to_address, task_id }) => [template, to_name, to_address, task_id]).sort(), [
      ['task', '', 'ops@example.org', run.taskId],
      ['task', 'Ann Lee', ann.email, run.taskId],
    ]);
    await app().client.settings.update({ smtp: { host: '127.0.0.1', port: smtp.port, from: 'shop@example.com' } });
    const got = await until('both mails', () => {
      const both = smtp.accepted.filter(({ to }) => to[0] === ann.email || to[0] === 'ops@example.org');
      return both.length >= 2 && both.find(({ to }) => to[0] === ann.email);
    });
    await app().client.settings.update({ smtp: null });
    assert.deepEqual([got.to, got.headers.get('subject'), got.headers.get('reply-to')], [[ann.email], plain.subject, 'help@example.org']);
    assert.match(got.headers.get('to') ?? '', /Ann Lee/);
    assert.deepEqual([got.text, got.html], [plain.text, html]);
    assert.equal(got.headers.has('list-unsubscribe'), false);
    assert.equal(smtp.accepted.filter(({ to }) => to[0] === ann.email).length, 1);
  });

  test('the effects of a run show each mail; audit log and log show neither address nor text', async () => {
    const ann = await makeCustomer(app());
    const run = await runOf(['customers']);
    const id = field(field((await send(run, { to: ann.email, text: 'A secret offer' })).body, 'mails'), '0');
    const mailId = Number(field(id, 'id'));
    const [effect] = await effectsOf(run);
    assert.deepEqual(effect?.resource, { type: 'mail', id: mailId });
    assert.deepEqual(madeIn(effect?.changes ?? {}), {
      ...{ status: 'queued', to: ann.email, subject: plain.subject, text: 'A secret offer' },
      ...{ html: null, reply_to: null, kind: 'transactional' },
    });
    const audit = await app().client.audit_log.list({ resource_type: 'mail', resource_id: mailId });
    const logs = await app().client.logs.list({ source: 'ai_task' });
    assert.deepEqual(audit.data[0]?.changes, { status: [null, 'queued'] });
    assert.doesNotMatch(JSON.stringify([audit, logs]), new RegExp(`A secret offer|${ann.email}`));
  });

  test('a run and the runs that resume it write at most 100 mails', async () => {
    const run = await runOf(['@example.com']);
    const to = (from: number, count: number) => Array.from({ length: count }, (_, n) => `r${from + n}@example.com`);
    for (const from of [0, 40]) assert.equal((await send(run, { to: to(from, 40) })).status, 201);
    await lapse(app(), run);
    const side = await claimRun(app(), await openRun(app(), { resume_run_id: run.runId, priority: 1000 }, run.taskId));
    for (const from of [0, 40]) assert.equal((await send(side, { to: to(from, 40) })).status, 201, 'these are answered from the journal');
    const count = (await app().client.mails.list()).total;
    const refusal = await send(side, { to: to(80, 21) });
    assert.deepEqual([...codeOf(refusal), field(refusal.body, 'limit')], [409, 'mail_limit_reached', 100]);
    assert.equal((await app().client.mails.list()).total, count, 'nothing of a refused call is queued');
    assert.equal((await send(side, { to: to(80, 20) })).status, 201);
    assert.deepEqual(codeOf(await send(side, { to: 'last@example.com' })), [409, 'mail_limit_reached']);
  });

  test('all tasks together write so many mails a day as the setting says; a refusal is forgotten, dry runs do not count', async () => {
    const used = Number((await app().store.reader.selectFrom('task_mail_days').select('mails').executeTakeFirstOrThrow()).mails);
    await app().client.settings.update({ task_mails_per_day: used + 2 });
    const dry = await runOf(['@example.com'], { dry_run: true });
    assert.equal((await send(dry, { to: ['a@example.com', 'b@example.com'] })).status, 201);
    const run = await runOf(['@example.com']);
    const three = { to: ['a@example.com', 'b@example.com', 'c@example.com'] };
    const refusal = await send(run, three);
    assert.deepEqual([...codeOf(refusal), field(refusal.body, 'limit')], [409, 'daily_mail_limit_reached', used + 2]);
    assert.equal((await send(run, { to: ['a@example.com', 'b@example.com'] })).status, 201);
    assert.deepEqual(codeOf(await send(await runOf(['@example.com']), { to: 'c@example.com' })), [409, 'daily_mail_limit_reached']);
    await app().client.settings.update({ task_mails_per_day: 1000 });
    assert.deepEqual(codeOf(await send(run, three)), [409, 'daily_mail_limit_reached'], 'a request that is repeated gets its answer again');
    assert.equal((await send(run, three, 1)).status, 201, 'the same call is carried out when there is room');
  });

  test('a dry run sends nothing; its plan shows the mail as it would be sent, and applying the plan sends it once', async () => {
    const ann = await makeCustomer(app());
    const run = await runOf(['customers'], { dry_run: true });
    const count = (await app().client.mails.list()).total;
    const mail = { to: ann.email, kind: 'marketing', text: 'Go away: {{unsubscribe_url}}', html: '<body><p>Hi</p></BODY>' };
    assert.equal((await send(run, mail)).status, 201);
    assert.equal((await send(run, { to: ann.email, text: 'Second' })).status, 201);
    const [effect] = await effectsOf(run);
    const shown = madeIn(effect?.changes ?? {});
    assert.equal(shown['text'], `Go away: ${app().url}/unsubscribe/…`);
    assert.match(String(shown['html']), /^<body><p>Hi<\/p><p>.*<a href="http:[^"]*\/unsubscribe\/…">.*<\/p>\n<\/BODY>$/);
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: null }]);
    assert.equal((await app().client.mails.list()).total, count);
    await app().client.ai_tasks.apply_run(run.taskId, run.runId);
    assert.equal((await app().client.mails.list()).total, count + 2);
  });

  test('a marketing mail has a link to opt out and its headers; whoever opts out gets none of them any more', async () => {
    const ann = await makeCustomer(app());
    const run = await runOf(['customers', '@example.com']);
    const offer = { to: ann.email, kind: 'marketing', text: 'An offer.' };
    assert.deepEqual(codeOf(await send(run, { ...offer, to: 'any@example.com' })), [422, 'customer_not_found']);
    await app().client.settings.update({ public_url: null });
    assert.deepEqual(codeOf(await send(run, offer)), [409, 'public_url_not_set']);
    await app().client.settings.update({ public_url: `${app().url}/` });
    const other = await runOf(['customers']);
    assert.equal((await send(other, offer)).status, 201);
    await app().client.settings.update({ smtp: { host: '127.0.0.1', port: smtp.port, from: 'shop@example.com' } });
    const got = await until('the offer', () => smtp.accepted.find(({ to }) => to[0] === ann.email));
    await app().client.settings.update({ smtp: null });
    const [, url = ''] = /^<(.*)>$/.exec(got.headers.get('list-unsubscribe') ?? '') ?? [];
    assert.ok(url.startsWith(`${app().url}/unsubscribe/`), url);
    assert.equal(got.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    // A mail program of the recipient, or a test, reads the text part whether or not there is an HTML part.
    const path = url.slice(app().url.length);

    const page = await app().request({ path, token: null });
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
    assert.match(page.text, /<form method="post"><button>Unsubscribe<\/button><\/form>/);
    assert.doesNotMatch(page.text, new RegExp(ann.email));
    assert.equal((await app().client.customers.get(ann.id)).marketing_opt_out, false, 'to look changes nothing');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const etags: unknown[] = [];
    for (let n = 0; n < 2; n++) {
      const done = await app().request({ method: 'POST', path, raw: 'List-Unsubscribe=One-Click', headers, token: null });
      assert.deepEqual([done.status, /You get no more news/.test(done.text)], [200, true]);
      etags.push((await app().request({ path: `/admin/api/customers/${ann.id}` })).headers['etag']);
    }
    assert.equal(etags[1], etags[0], 'the second time changes nothing');
    assert.equal((await app().client.customers.get(ann.id)).marketing_opt_out, true);
    const [entry] = (await app().client.audit_log.list({ resource_type: 'customer', resource_id: ann.id })).data;
    assert.deepEqual([entry?.actor.type, entry?.action], ['system', 'customers.unsubscribe']);
    for (const [method, wrong] of [
      ['GET', `${path}x`],
      ['POST', '/unsubscribe/no-such-link'],
    ] as const) {
      assert.equal((await app().request({ method, path: wrong, token: null })).status, 404);
    }

    const left = await send(await runOf(['customers']), offer);
    assert.deepEqual([left.status, left.body], [201, { mails: [], left_out: [{ to: ann.email, reason: 'opted_out' }] }]);
    const bob = await makeCustomer(app());
    const both = await send(await runOf(['customers']), { ...offer, to: [ann.email, bob.email] });
    assert.deepEqual(
      [field(field(field(both.body, 'mails'), '0'), 'to'), field(both.body, 'left_out')],
      [bob.email, [{ to: ann.email, reason: 'opted_out' }]],
    );
    assert.equal((await send(await runOf(['customers']), { to: ann.email })).status, 201, 'what concerns an order still arrives');
    const back = await app().client.customers.update(ann.id, { marketing_opt_out: false });
    assert.equal(back.marketing_opt_out, false);
    assert.equal(field(field(field((await send(await runOf(['customers']), offer)).body, 'mails'), '0'), 'to'), ann.email);
  });

  test('when a customer is forgotten, so are mails to them, what effects show of these, and their links', async () => {
    const ann = await makeCustomer(app(), { email: 'forget-me@shop.test' });
    const run = await runOf(['@shop.test', 'customers']);
    assert.equal((await send(run, { to: 'Forget-Me@shop.test', kind: 'marketing', text: 'Dear Forgetful' })).status, 201);
    const link = await app().store.reader.selectFrom('mails').select('unsubscribe_url').orderBy('id', 'desc').executeTakeFirstOrThrow();
    const path = (link.unsubscribe_url ?? '').slice(app().url.length);
    assert.equal((await app().request({ path, token: null })).status, 200);
    await app().client.customers.delete(ann.id);
    assert.equal(
      (await mails()).some(({ run_id }) => run_id === run.runId),
      false,
    );
    assert.doesNotMatch(JSON.stringify(await effectsOf(run)), /forget-me|Dear Forgetful/i);
    assert.equal((await app().request({ path, token: null })).status, 404);
  });
});
