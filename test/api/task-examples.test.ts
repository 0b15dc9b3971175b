import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exampleTopics } from '../../contract/task-examples.ts';
import { onBothStores } from '../helpers/app.ts';
import { refused } from '../helpers/refused.ts';

const folder = new URL('../../tasks-examples/', import.meta.url);

onBothStores('examples of tasks', (app) => {
  test('TK12: the list has every example with what it may do, by topic, without sources', async () => {
    const list = await app().client.task_examples.list();
    const files = (await readdir(folder)).filter((file) => file.endsWith('.task.json'));
    assert.equal(list.length, 30);
    assert.deepEqual(list.map(({ name }) => `${name}.task.json`).sort(), files.sort());
    const topics = list.map(({ topic }) => exampleTopics.indexOf(topic));
    assert.deepEqual(topics, topics.toSorted());
    assert.deepEqual(new Set(topics).size, exampleTopics.length);
    for (const { title, description, permissions } of list) {
      assert.match(description, /^[A-Z].*\.$/, title);
      assert.ok(permissions.length > 0, title);
    }
    assert.ok(!list.some((row) => 'source_code' in row || 'plan' in row));
  });

  test('TK12: an example has its source, its test and its plan, and makes a task with its settings', async () => {
    const { client } = app();
    const { name, title, topic, plan, test_code, settings, description, source_code, ...declared } =
      await client.task_examples.get('win-back-credit');
    assert.deepEqual([title, topic, test_code], ['Win-back credit', 'marketing', null]);
    assert.equal(source_code, await readFile(new URL(`${name}.ts`, folder), 'utf8'));
    assert.ok(plan.writes > 0 && plan.changes[0]?.type === 'customer');
    const { task_id } = await client.ai_tasks.create({ name: title, description, source_code, ...declared });
    await client.ai_tasks.update(task_id, { settings });
    assert.equal((await client.ai_tasks.get(task_id)).task.settings.limits.host_calls, 100_000);
    assert.match((await client.task_examples.get('welcome-note')).test_code ?? '', /openShop/);
  });

  test('TK12: an unknown name is not found, also one that names a file elsewhere', async () => {
    for (const name of ['nothing', 'plans', '..', '../package', 'tsconfig'])
      await refused(app().client.task_examples.get(name), 404, 'not_found');
  });
});
