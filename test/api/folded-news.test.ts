import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { makeTask, openRun, otherError } from '../helpers/runs.ts';
import { letNewsAge } from '../helpers/stored-rows/outbox.ts';

onBothStores('notifications that repeat', (app) => {
  const tasks = () => app().client.ai_tasks;
  const end = async (taskId: number, status = 'failed'): Promise<number> => {
    const { runId } = await openRun(app(), { executor: 'external' }, taskId);
    await tasks().append_run_events(taskId, runId, { events: [{ kind: 'finalize', status, error_message: otherError() }] });
    return runId;
  };
  const newsOf = async (taskId: number) => {
    const { notifications } = await app().client.notifications.list({ limit: 100 });
    return notifications.filter(({ metadata }) => metadata?.['task_id'] === taskId);
  };
  const shown = async (taskId: number) => (await newsOf(taskId)).map(({ type, count, metadata }) => [type, count, metadata?.['run_id']]);

  test('the bad ends of one task are one notification with their number, which shows the latest', async () => {
    const taskId = await makeTask(app());
    await end(taskId);
    const [first] = await newsOf(taskId);
    assert.equal(first?.count, 1);
    const before = (await app().client.notifications.list()).unread_count;
    await end(taskId, 'timed_out');
    const latest = await end(taskId);
    const [one, ...others] = await newsOf(taskId);
    assert.deepEqual([one?.id, one?.count, one?.metadata?.['run_id'], others], [first?.id, 3, latest, []]);
    assert.match(one?.message ?? '', new RegExp(`^Run ${latest} of`));
    assert.ok((one?.created_at ?? '') >= (first?.created_at ?? ''));
    assert.equal((await app().client.notifications.list()).unread_count, before);
  });

  test('other kinds of ends and other tasks have notifications of their own', async () => {
    const [taskId, other] = [await makeTask(app()), await makeTask(app())];
    const failed = await end(taskId);
    const interrupted = await end(taskId, 'interrupted');
    const elsewhere = await end(other);
    assert.deepEqual(await shown(taskId), [
      ['ai_task_run_interrupted', 1, interrupted],
      ['ai_task_run_failed', 1, failed],
    ]);
    assert.deepEqual(await shown(other), [['ai_task_run_failed', 1, elsewhere]]);
  });

  test('what somebody has read does not grow: the next one is new for everybody', async () => {
    const colleague = app().clientFor((await person(app(), { role: 'owner' })).token);
    const taskId = await makeTask(app());
    const first = await end(taskId);
    const [{ id } = { id: 0 }] = await newsOf(taskId);
    await colleague.notifications.mark_read(id);
    const second = await end(taskId);
    assert.deepEqual(await shown(taskId), [
      ['ai_task_run_failed', 1, second],
      ['ai_task_run_failed', 1, first],
    ]);
    await end(taskId);
    await app().client.notifications.mark_all_read();
    const last = await end(taskId);
    assert.deepEqual(
      (await newsOf(taskId)).map(({ count, read, metadata }) => [count, read, metadata?.['run_id'] === last]),
      [
        [1, false, true],
        [2, true, false],
        [1, true, false],
      ],
    );
  });

  test('one that grew after it was read stays unread until it is read again', async () => {
    const taskId = await makeTask(app());
    await end(taskId);
    const [{ id } = { id: 0 }] = await newsOf(taskId);
    await end(taskId);
    await refused(app().client.notifications.mark_read(id, { count: 1 }), 409, 'notification_grew');
    const third = await end(taskId);
    assert.deepEqual(await shown(taskId), [['ai_task_run_failed', 3, third]]);
    await app().client.notifications.mark_read(id, { count: 3 });
    const fourth = await end(taskId);
    assert.deepEqual(
      (await newsOf(taskId)).map(({ count, read, metadata }) => [count, read, metadata?.['run_id']]),
      [
        [1, false, fourth],
        [3, true, third],
      ],
    );
  });

  test('one whose latest is more than an hour old does not grow', async () => {
    const taskId = await makeTask(app());
    const first = await end(taskId);
    await letNewsAge(app().store, taskId, 59);
    const second = await end(taskId);
    assert.deepEqual(await shown(taskId), [['ai_task_run_failed', 2, second]]);
    await letNewsAge(app().store, taskId, 61);
    const third = await end(taskId);
    assert.deepEqual(await shown(taskId), [
      ['ai_task_run_failed', 1, third],
      ['ai_task_run_failed', 2, second],
    ]);
    assert.ok(first < second);
  });

  test('ends at the same time are all counted, in one notification', async () => {
    const taskId = await makeTask(app());
    const runs = await Promise.all(Array.from({ length: 8 }, () => openRun(app(), { executor: 'external' }, taskId)));
    await Promise.all(
      runs.map(({ runId }) =>
        tasks().append_run_events(taskId, runId, { events: [{ kind: 'finalize', status: 'failed', error_message: otherError() }] }),
      ),
    );
    assert.deepEqual(
      (await newsOf(taskId)).map(({ count }) => count),
      [8],
    );
  });
});
