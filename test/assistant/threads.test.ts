import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweepOld } from '../../server/background/retention.ts';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf, openRun } from '../helpers/runs.ts';

const MODEL = { provider: 'openai' as const, base_url: 'http://127.0.0.1:9/v1', model: 'small' };

onBothStores('AS1: threads of the assistant', (app) => {
  test('without a model, one sentence says what to set', async () => {
    const { configured, missing } = await app().client.assistant.status();
    assert.deepEqual(
      [configured, missing],
      [false, 'No model is set for the assistant; an owner sets one in the console under Settings, Language model.'],
    );
    assert.deepEqual(codeOf(await app().request({ method: 'POST', path: '/admin/api/assistant/threads', body: {} })), [
      409,
      'assistant_not_configured',
    ]);
  });

  test('a thread is begun, listed, read and deleted', async () => {
    await app().client.settings.update({ assistant: MODEL });
    const made = await app().client.assistant.create_thread({});
    const { data } = await app().client.assistant.list_threads({});
    assert.equal(data[0]?.id, made.id);
    assert.deepEqual((await app().client.assistant.get_thread(made.id)).items, []);
    await app().client.assistant.delete_thread(made.id);
    assert.equal((await app().request({ path: `/admin/api/assistant/threads/${made.id}` })).status, 404);
  });

  test('AS6: a version that was written in a thread waits, whatever the policy; the thread is found at the task, and deleted with it', async () => {
    await app().client.settings.update({ assistant: MODEL, approval_policy: 'author' });
    const thread = await app().client.assistant.create_thread({});
    const source = { source_code: 'export default async () => 1;', permissions: [], parameters: [] };
    const body = { name: 'Made', description: '', ...source, assistant_thread_id: thread.id };
    const made = await app().client.ai_tasks.create(body);
    assert.equal(made.approval, 'pending');
    const { created_via, is_own } = await app().client.ai_tasks.get_version(made.task_id, made.version_id);
    assert.deepEqual([created_via, is_own], ['assistant', false]);
    assert.deepEqual(
      (await app().client.assistant.list_threads({ task_id: made.task_id })).data.map(({ id }) => id),
      [thread.id],
    );
    const again = await app().client.ai_tasks.create(body);
    assert.equal(again.approval, 'pending');
    assert.deepEqual((await app().client.assistant.list_threads({ task_id: again.task_id })).data, []);
    const plain = await app().client.ai_tasks.create_version(made.task_id, source);
    assert.equal(plain.approval, 'approved');
    const about = await app().client.assistant.create_thread({ task_id: made.task_id });
    assert.equal(about.draft?.source_code, source.source_code);
    await app().client.ai_tasks.delete(made.task_id);
    await refused(app().client.assistant.get_thread(thread.id), 404, 'not_found');
    await refused(app().client.assistant.create_thread({ task_id: made.task_id }), 409, 'task_deleted');
  });

  test('AS6: what the assistant wrote waits also when its thread is gone, is another admin’s, or a person goes on with the text', async () => {
    await app().client.settings.update({ assistant: MODEL, approval_policy: 'author' });
    const api = app().client.ai_tasks;
    const source = { source_code: 'export default async () => 1;', permissions: [], parameters: [] };
    const { task_id, version_id: first } = await api.create({ name: 'Plain', description: '', ...source });
    const deleted = await app().client.assistant.create_thread({});
    await app().client.assistant.delete_thread(deleted.id);
    const old = await app().client.assistant.create_thread({ task_id });
    await sweepOld(app().store, Date.now() + 31 * 86_400_000);
    const { token } = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const theirs = await app().clientFor(token).assistant.create_thread({});
    for (const { id } of [deleted, old, theirs]) {
      const { approval, version_id } = await api.create_version(task_id, { ...source, assistant_thread_id: id });
      assert.deepEqual([approval, (await api.get_version(task_id, version_id)).created_via], ['pending', 'assistant']);
    }
    assert.equal((await app().clientFor(token).assistant.get_thread(theirs.id)).task_id, null);
    const thread = await app().client.assistant.create_thread({ task_id });
    const written = await api.create_version(task_id, { ...source, assistant_thread_id: thread.id });
    const touched = { ...source, source_code: 'export default async () => 2;' };
    const next = await api.create_version(task_id, { ...touched, base_version_id: written.version_id });
    assert.deepEqual([next.approval, (await api.get_version(task_id, next.version_id)).created_via], ['pending', 'assistant']);
    assert.equal((await api.get(task_id)).task.current_version_id, first);
    // Once somebody has approved it, whoever goes on with it is its author.
    const { source_sha256 } = await api.get_version(task_id, next.version_id);
    await api.approve_version(task_id, next.version_id, { source_sha256, permissions: [] });
    assert.equal((await api.create_version(task_id, { ...source, base_version_id: next.version_id })).approval, 'approved');
  });

  test('a thread about a run begins with what it ran; a stream tells what happens; threads go when their days are over', async () => {
    const run = await openRun(app(), { executor: 'external' });
    await refused(app().client.assistant.create_thread({ task_id: run.taskId, run_id: run.runId }), 422, 'invalid_value');
    await refused(app().client.assistant.create_thread({ run_id: run.runId }), 422, 'required');
    await app().client.ai_tasks.cancel_run(run.taskId, run.runId);
    const thread = await app().client.assistant.create_thread({ task_id: run.taskId, run_id: run.runId });
    const { version_id } = await app().client.ai_tasks.get_run(run.taskId, run.runId);
    const { source_code } = await app().client.ai_tasks.get_version(run.taskId, version_id);
    assert.equal(thread.draft?.source_code, source_code);
    const gone = new AbortController();
    const answer = await fetch(`${app().url}/admin/api/assistant/threads/${thread.id}/events`, {
      headers: { authorization: `Bearer ${OWNER_TOKEN}` },
      signal: gone.signal,
    });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    await until('the stream tells nothing', async () => {
      text += (await reader?.read())?.value ?? '';
      return text.includes('event: state');
    });
    assert.match(text, /"state":"idle"/);
    await app().client.assistant.delete_thread(thread.id);
    await until('the stream does not end', async () => (await reader?.read())?.done === true);
    gone.abort();
    const old = await app().client.assistant.create_thread({});
    await sweepOld(app().store, Date.now() + 31 * 86_400_000);
    await refused(app().client.assistant.get_thread(old.id), 404, 'not_found');
  });

  test('only owners set the model; its key is never shown, and goes to no other address', async () => {
    const { token } = await person(app(), { permissions: ['admin_api.settings.write'] });
    await refused(
      app()
        .clientFor(token)
        .settings.update({ assistant: { model: 'another' } }),
      403,
      'forbidden',
    );
    const { assistant } = await app().client.settings.update({ assistant: { provider: 'anthropic', api_key: 'sk-secret-of-the-tests' } });
    assert.deepEqual([assistant?.base_url, assistant?.api_key_set], ['https://api.anthropic.com', true]);
    const moved = await app().client.settings.update({ assistant: { base_url: 'http://127.0.0.1:9/v1' } });
    assert.equal(moved.assistant?.api_key_set, false);
    assert.doesNotMatch((await app().request({ path: '/admin/api/audit-log' })).text, /sk-secret-of/);
  });
});
