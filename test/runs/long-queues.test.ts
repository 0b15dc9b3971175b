import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { claim, emptyQueue, openRun } from '../helpers/runs.ts';
import { chooseSeed, seeded } from '../helpers/seeded.ts';
import { storeWaitingRuns } from '../helpers/stored-rows/runs.ts';

/** Which runs start is the same in a long queue, of which a claim reads only some, as in a short one. */

type Waiting = { id: number; task: number; key: string | null; limit: number | null; priority: number };

/** Those that a claim hands out if it reads the whole queue: by priority, then by age, as far as the limits of their queues allow. */
function startable(queue: readonly Waiting[], running: readonly Waiting[], slots: number): number[] {
  const queueOf = ({ task, key }: Waiting): string => `${task} ${key ?? ''}`;
  const taken = new Map<string, number>();
  for (const run of running) taken.set(queueOf(run), (taken.get(queueOf(run)) ?? 0) + 1);
  const inOrder = queue.toSorted((a, b) => b.priority - a.priority || a.id - b.id);
  return inOrder
    .filter((run) => {
      const place = (taken.get(queueOf(run)) ?? 0) + 1;
      taken.set(queueOf(run), place);
      return run.limit === null || place <= run.limit;
    })
    .slice(0, slots)
    .map(({ id }) => id);
}

onBothStores('long queues', (app) => {
  test('runs start by priority and age, as far as the limits of their queues allow', async (t) => {
    const seed = chooseSeed();
    t.diagnostic(`SEED=${seed}`);
    const random = seeded(seed);
    await emptyQueue(app());
    const first = await Promise.all([1, 2, 3].map(() => openRun(app())));
    await emptyQueue(app());
    const limits = new Map(first.map(({ taskId }) => [taskId, random.pick([null, 1, 2, 3])]));
    for (let n = 0; n < 40; n++) {
      const { taskId, runId } = random.pick(first);
      const limit = limits.get(taskId) ?? null;
      await storeWaitingRuns(app().store, runId, 1, { limit, key: random.pick([null, '"a"', '"b"']), priority: random.below(3) });
    }
    const rows = await app()
      .store.reader.selectFrom('runs')
      .selectAll()
      .where('status', '=', 'running')
      .where('claim_id', 'is', null)
      .where(
        'task_id',
        'in',
        first.map(({ taskId }) => taskId),
      )
      .execute();
    let queue = rows.map(({ id, task_id, concurrency_key, concurrency_limit, priority }): Waiting => {
      return { id, task: task_id, key: concurrency_key, limit: concurrency_limit, priority };
    });
    assert.equal(queue.length, 40);
    const running: Waiting[] = [];
    for (let n = 0; n < 8; n++) {
      const slots = 1 + random.below(6);
      const expected = startable(queue, running, slots);
      const claimed = (await claim(app(), { slots })).map(({ run }) => run.id);
      assert.deepEqual(claimed, expected);
      running.push(...queue.filter(({ id }) => claimed.includes(id)));
      queue = queue.filter(({ id }) => !claimed.includes(id));
    }
  });

  test('more runs with one key than a claim looks at hold up neither other keys nor other tasks', async () => {
    await emptyQueue(app());
    const [limited, other] = [await openRun(app()), await openRun(app())];
    await emptyQueue(app());
    await storeWaitingRuns(app().store, limited.runId, 250, { limit: 1, key: '"a"' });
    await storeWaitingRuns(app().store, limited.runId, 1, { limit: 1, key: '"b"' });
    await storeWaitingRuns(app().store, limited.runId, 250, { limit: 1, key: null });
    await storeWaitingRuns(app().store, other.runId, 1, { limit: null, key: null });
    const keys: (string | null)[] = [];
    for (let n = 0; n < 4; n++)
      for (const { run } of await claim(app(), { slots: 1 })) {
        const row = await app().store.reader.selectFrom('runs').selectAll().where('id', '=', run.id).executeTakeFirstOrThrow();
        keys.push(row.task_id === other.taskId ? 'other task' : row.concurrency_key);
      }
    assert.deepEqual(keys, ['"a"', '"b"', null, 'other task']);
    assert.deepEqual(await claim(app(), { slots: 8 }), []);
    await emptyQueue(app());
  });
});
