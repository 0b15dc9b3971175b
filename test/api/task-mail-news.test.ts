import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { openRun, otherError } from '../helpers/runs.ts';
import { startSmtp } from '../helpers/smtp.ts';
import { letMailsAge } from '../helpers/stored-rows/outbox.ts';

onBothStores('mails about what happens to tasks', (app) => {
  const tasks = () => app().client.ai_tasks;
  const may: { permissions: Permission[] } = { permissions: ['admin_api.ai_tasks.write'] };

  async function writer() {
    const { token } = await person(app(), may);
    const client = app().clientFor(token);
    return { client, email: (await client.me.get()).email };
  }
  async function taskBy({ client }: { client: ReturnType<ReturnType<typeof app>['clientFor']> }, name: string): Promise<number> {
    return (await client.ai_tasks.create({ name, description: '', source_code: 'log(1)', permissions: [], parameters: [] })).task_id;
  }
  const end = async (taskId: number, status = 'failed'): Promise<number> => {
    const { runId } = await openRun(app(), { executor: 'external' }, taskId);
    await tasks().append_run_events(taskId, runId, { events: [{ kind: 'finalize', status, error_message: otherError() }] });
    return runId;
  };
  const mailsTo = async (email: string) =>
    (await app().client.mails.list({ per_page: 100 })).data.filter(({ to_address }) => to_address === email).reverse();
  const shown = async (email: string) => (await mailsTo(email)).map(({ template, subject }) => [template, subject]);

  test('the author of the version is mailed, and who has chosen to be; nobody else is, and nobody of a success', async () => {
    const [author, curious, other] = [await writer(), await writer(), await writer()];
    await curious.client.preferences.update('task_run_failed', { email_enabled: true });
    const outsider = app().clientFor((await person(app(), { permissions: ['admin_api.orders.read'] })).token);
    const taskId = await taskBy(author, 'Reorder "tea" {shop}');
    await end(taskId, 'success');
    const runId = await end(taskId);
    await end(taskId, 'interrupted');
    const failed = ['task_run_failed', 'Task "Reorder "tea" {shop}" of My Shop failed'];
    const { shop_name } = await app().client.settings.get();
    const subject = failed[1]?.replace('My Shop', shop_name);
    assert.deepEqual(await shown(author.email), [
      ['task_run_failed', subject],
      ['task_run_interrupted', subject?.replace('failed', 'was interrupted')],
    ]);
    assert.deepEqual(await shown(curious.email), [['task_run_failed', subject]]);
    assert.deepEqual(await shown(other.email), []);
    assert.deepEqual(await shown((await outsider.me.get()).email), []);
    assert.ok(runId > 0);
    await author.client.preferences.update('task_run_failed', { email_enabled: false });
    const next = await taskBy(author, 'Another');
    await end(next);
    assert.equal((await mailsTo(author.email)).length, 2);
    assert.deepEqual((await shown(curious.email)).at(-1), ['task_run_failed', `Task "Another" of ${shop_name} failed`]);
  });

  test('what follows joins a mail that waits; after one was sent, the next waits until an hour is over', async () => {
    const author = await writer();
    const taskId = await taskBy(author, 'Nightly');
    const states = async () =>
      (await mailsTo(author.email)).map(({ subject, due_in_seconds }) => [subject.replace(/ of .* failed/, ''), due_in_seconds]);
    await end(taskId);
    assert.deepEqual(await states(), [['Task "Nightly"', 0]]);
    await end(taskId);
    assert.deepEqual(await states(), [['Task "Nightly" (× 2)', 0]]);
    await letMailsAge(app().store, author.email, { minutes: 1, sent: true });
    await end(taskId);
    await Promise.all([end(taskId), end(taskId)]);
    const [, [subject, dueIn] = [], ...others] = await states();
    assert.deepEqual([subject, others], ['Task "Nightly" (× 3)', []]);
    assert.ok(typeof dueIn === 'number' && dueIn > 3400 && dueIn <= 3540, `${dueIn}`);
    await letMailsAge(app().store, author.email, { minutes: 61, sent: true });
    await letMailsAge(app().store, author.email, { minutes: 61, sent: true });
    await end(taskId);
    assert.deepEqual((await states()).at(-1), ['Task "Nightly"', 0]);
  });

  test('a mail that waits is not sent to an admin who was deactivated, demoted or opted out meanwhile, nor one about others to who chose it no more', async () => {
    const names = ['stays', 'opted out', 'deactivated', 'demoted'] as const;
    const [curious, undecided] = [await writer(), await writer()];
    for (const { client } of [curious, undecided]) await client.preferences.update('task_run_failed', { email_enabled: true });
    const authors = await Promise.all(names.map(() => writer()));
    const [stays, optedOut, deactivated, demoted] = authors;
    assert.ok(stays && optedOut && deactivated && demoted);
    for (const author of authors) await end(await taskBy(author, 'Ends badly'));
    const { data: admins } = await app().client.admins.list({ per_page: 100 });
    const idOf = (email: string) => admins.find((admin) => admin.email === email)?.id ?? 0;
    await optedOut.client.preferences.update('task_run_failed', { email_enabled: false });
    await app().client.admins.update(idOf(deactivated.email), { active: false });
    await app().client.admins.update(idOf(demoted.email), { permissions: [] });
    for (const { email } of authors) assert.equal((await mailsTo(email)).length, 1);
    const [own, others] = [await taskBy(undecided, 'By the undecided'), names.length];
    await end(own);
    assert.deepEqual([(await mailsTo(curious.email)).length, (await mailsTo(undecided.email)).length], [others + 1, others + 1]);
    await undecided.client.preferences.reset('task_run_failed');
    const smtp = await startSmtp();
    await app().client.settings.update({ smtp: { host: '127.0.0.1', port: smtp.port, from: 'shop@example.com' } });
    await until('the queue is empty', async () => (await app().client.mails.list({ status: 'queued' })).total === 0);
    const reached = smtp.accepted.flatMap(({ to }) => to);
    assert.deepEqual(
      authors.map(({ email }) => reached.includes(email)),
      [true, false, false, false],
    );
    for (const { email } of [optedOut, deactivated, demoted]) assert.deepEqual(await mailsTo(email), []);
    assert.equal((await mailsTo(curious.email)).length, others + 1, 'who still chooses them gets those about others');
    const { shop_name } = await app().client.settings.get();
    assert.deepEqual(await shown(undecided.email), [['task_run_failed', `Task "By the undecided" of ${shop_name} failed`]]);
    await app().client.settings.update({ smtp: null });
    await smtp.close();
  });

  test('settings of the mail account that are changed send no mail before its time', async () => {
    const author = await writer();
    const taskId = await taskBy(author, 'Hourly');
    await end(taskId);
    await letMailsAge(app().store, author.email, { minutes: 1, sent: true });
    await end(taskId);
    await app().client.settings.update({ smtp: { host: '127.0.0.1', port: 1, from: 'shop@example.com' } });
    const [, waiting] = await mailsTo(author.email);
    assert.ok((waiting?.due_in_seconds ?? 0) > 3000, 'it still waits');
    await app().client.settings.update({ smtp: null });
  });
});
