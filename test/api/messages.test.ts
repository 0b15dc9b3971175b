import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notification } from '../../contract/notifications.ts';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, field, lapse, makeTask, openRun } from '../helpers/runs.ts';

const WRITE = 'admin_api.notifications.write';
const message = { title: 'Stock is low', body: 'Tea: 2 left' };

onBothStores('notifications that tasks and admins write', (app) => {
  const newest = async (token?: string): Promise<Notification | undefined> => {
    const client = token === undefined ? app().client : app().clientFor(token);
    return (await client.notifications.list({ limit: 1 })).notifications[0];
  };
  const runOf = async (permissions: string[] = [WRITE], body = {}): Promise<ClaimedRun> =>
    claimedRun(app(), body, await makeTask(app(), { permissions }, { on_interrupt: 'hold' }));
  const effectsOf = (run: ClaimedRun) => app().client.ai_tasks.list_effects(run.taskId, run.runId);

  test('an admin with the permission writes one to all admins, with a link and a severity', async () => {
    const { token, adminId } = await person(app(), { permissions: [WRITE] });
    const other = await person(app());
    const { id } = await app()
      .clientFor(token)
      .notifications.create({ ...message, link: '/products?stock=low', severity: 'warning' });
    for (const who of [undefined, token, other.token]) {
      const seen = await newest(who);
      assert.deepEqual(
        { ...seen, created_at: '' },
        {
          ...{ id, type: 'admin_message', severity: 'warning', title: 'Stock is low', message: 'Tea: 2 left' },
          ...{ link: '/products?stock=low', metadata: { admin_id: adminId }, read: false, count: 1, created_at: '' },
        },
      );
    }
    await refused(app().clientFor(other.token).notifications.create(message), 403, 'forbidden');
  });

  test('one for some admins is seen, counted and marked as read by those alone', async () => {
    const [ann, bob, eve] = [await person(app()), await person(app()), await person(app())];
    const clients = [ann, bob, eve].map(({ token }) => app().clientFor(token));
    for (const client of clients) await client.notifications.mark_all_read();
    const { id } = await app().client.notifications.create({ ...message, admins: [ann.adminId, bob.adminId, ann.adminId] });
    const counts = () => Promise.all(clients.map(async ({ notifications }) => (await notifications.list()).unread_count));
    assert.deepEqual(await counts(), [1, 1, 0]);
    assert.equal((await newest(ann.token))?.id, id);
    assert.notEqual((await newest(eve.token))?.id, id);
    assert.notEqual((await newest())?.id, id, 'its sender is not one of those who see it');
    const hidden = await refused(app().clientFor(eve.token).notifications.mark_read(id), 404, 'not_found');
    const missing = await refused(app().clientFor(eve.token).notifications.mark_read(999_999), 404, 'not_found');
    assert.equal(hidden.message.replace(String(id), 'ID'), missing.message.replace('999999', 'ID'));
    const marked = await Promise.all(clients.map(async ({ notifications }) => (await notifications.mark_all_read()).marked));
    assert.deepEqual(
      [marked, await counts()],
      [
        [1, 1, 0],
        [0, 0, 0],
      ],
    );
    await app().client.notifications.create(message);
    assert.deepEqual(await counts(), [1, 1, 1]);
    await app()
      .client.admins.delete(bob.adminId)
      .catch(() => undefined);
    assert.deepEqual((await app().clientFor(ann.token).notifications.list()).notifications[1]?.id, id);
  });

  test('what is wrong with a message is named', async () => {
    const wrong: [body: object, code: string, pointer: string][] = [
      [{ body: 'x' }, 'required', '/title'],
      [{ ...message, title: '  ' }, 'blank', '/title'],
      [{ ...message, title: 'x'.repeat(201) }, 'too_long', '/title'],
      ...['\n', '\u2028', '\u2029'].map((end): [object, string, string] => [
        { ...message, title: `two${end}lines` },
        'invalid_value',
        '/title',
      ]),
      [{ ...message, body: 'x'.repeat(5001) }, 'too_long', '/body'],
      [{ ...message, severity: 'fatal' }, 'invalid_enum', '/severity'],
      [{ ...message, admins: [] }, 'blank', '/admins'],
      [{ ...message, admins: [999_999] }, 'admin_not_found', '/admins/0'],
      ...[
        ...['orders', '//evil.example', '/\\evil.example', '/a b', 'http://example.com', 'javascript:alert(1)', 'https://', ' /orders'],
        ...[
          'https://user:pass@example.com/',
          'https:/\\evil.example',
          'https:evil.example',
          'https:/evil.example',
          'https:///evil.example',
          `/${'x'.repeat(2000)}`,
        ],
      ].map((link): [object, string, string] => [{ ...message, link }, link.length > 2000 ? 'too_long' : 'invalid_value', '/link']),
    ];
    const before = (await newest())?.id;
    for (const [body, code, pointer] of wrong) {
      const answer = await app().request({ method: 'POST', path: '/admin/api/notifications', body });
      const errors = field(answer.body, 'errors');
      const [first] = Array.isArray(errors) ? errors : [];
      assert.deepEqual([answer.status, field(first, 'code'), field(first, 'pointer')], [422, code, pointer], answer.text);
    }
    assert.equal((await newest())?.id, before);
    for (const link of ['/', '/orders?open=12#notes', 'https://example.com/a?b=c'])
      await app().client.notifications.create({ ...message, link });
    await app().client.notifications.create({ ...message, title: 'x'.repeat(200), body: 'x'.repeat(5000) });
  });

  test('a run writes one for each call, whatever is repeated; its effects show the text, the audit log does not', async () => {
    const run = await runOf();
    const link = 'https://example.com/stock';
    const first = await run.call('POST', '/notifications', { ...message, link });
    assert.equal(first.status, 201, first.text);
    assert.deepEqual((await run.call('POST', '/notifications', { ...message, link })).body, first.body);
    const seen = await newest();
    assert.deepEqual(
      [seen?.id, seen?.type, seen?.link, seen?.metadata],
      [field(first.body, 'id'), 'task_message', link, { task_id: run.taskId, run_id: run.runId }],
    );
    const effects = await effectsOf(run);
    assert.deepEqual(
      effects.map(({ path, resource, changes }) => [path, resource, changes]),
      [
        [
          '/notifications',
          { type: 'notification', id: seen?.id },
          {
            ...{ title: [null, message.title], body: [null, message.body], link: [null, link] },
            ...{ severity: [null, 'info'], admins: [null, null] },
          },
        ],
      ],
    );
    const audit = await app().client.audit_log.list({ resource_type: 'notification', resource_id: seen?.id ?? 0 });
    assert.deepEqual([audit.data.length, audit.data[0]?.changes], [1, { severity: [null, 'info'], admins: [null, null] }]);
    const log = await app().client.logs.list({ source: 'ai_task' });
    assert.doesNotMatch(JSON.stringify(log), /Tea: 2 left/);
  });

  test('a run needs the permission, and sees only what all admins see', async () => {
    assert.deepEqual(codeOf(await (await runOf(['admin_api.notifications.read'])).call('POST', '/notifications', message)), [
      403,
      'forbidden',
    ]);
    const run = await runOf();
    const before = field((await run.call('GET', '/notifications?limit=1')).body, 'unread_count');
    const me = await app().client.me.get();
    const { id } = await app().client.notifications.create({ ...message, title: 'For me alone', admins: [me.id] });
    assert.equal((await newest())?.id, id);
    const listed = await run.call('GET', '/notifications?limit=100');
    assert.doesNotMatch(listed.text, /For me alone/);
    assert.equal(field(listed.body, 'unread_count'), before);
    assert.deepEqual(codeOf(await run.call('PATCH', `/notifications/${id}/read`)), [404, 'not_found']);
    await run.call('POST', '/notifications/read-all');
    assert.equal((await newest())?.read, false);
    assert.equal((await app().client.notifications.list()).unread_count, 1);
    await app().client.notifications.mark_read(id);
    assert.equal(field((await run.call('GET', '/notifications?limit=2')).body, 'unread_count'), 0);
  });

  test('a run and the runs that resume it write at most 100', async () => {
    const run = await runOf();
    for (let n = 0; n < 99; n++) assert.equal((await run.call('POST', '/notifications', { ...message, body: `${n}` })).status, 201);
    await lapse(app(), run);
    const resumed = await openRun(app(), { resume_run_id: run.runId, priority: 1000 }, run.taskId);
    const side = await claimRun(app(), resumed);
    for (let n = 0; n < 99; n++) assert.equal((await side.call('POST', '/notifications', { ...message, body: `${n}` })).status, 201);
    assert.equal((await side.call('POST', '/notifications', { ...message, body: 'the last one' })).status, 201);
    const refusal = await side.call('POST', '/notifications', { ...message, body: 'one too many' });
    assert.deepEqual([...codeOf(refusal), field(refusal.body, 'limit')], [409, 'notification_limit_reached', 100]);
    assert.equal((await newest())?.message, 'the last one');
  });

  test('a dry run tells nobody; its plan shows the notification, and applying the plan writes it once', async () => {
    const before = (await app().client.notifications.list()).unread_count;
    const run = await runOf([WRITE], { dry_run: true });
    const planned = await run.call('POST', '/notifications', { ...message, severity: 'error' });
    assert.equal(planned.status, 201);
    const [effect] = await effectsOf(run);
    assert.deepEqual(
      [effect?.changes['title'], effect?.changes['severity']],
      [
        [null, message.title],
        [null, 'error'],
      ],
    );
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: null }]);
    assert.equal((await app().client.notifications.list()).unread_count, before);
    const applied = await app().client.ai_tasks.apply_run(run.taskId, run.runId);
    const seen = await newest();
    assert.deepEqual([seen?.severity, seen?.metadata?.['run_id']], ['error', applied.run_id]);
    assert.equal((await app().client.notifications.list()).unread_count, before + 1);
  });
});
