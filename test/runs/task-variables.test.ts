import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, claimRun, codeOf, field, lapse, makeTask } from '../helpers/runs.ts';

onBothStores('variables of tasks', (app) => {
  const variables = () => app().client.task_variables;

  test('a variable is created, changed and deleted by who holds task_variables; the audit log shows no value', async () => {
    const made = await variables().create({ name: 'tax_mail', value: { to: 'ops@example.com' }, note: 'who gets it' });
    assert.deepEqual([made.task_id, made.value, made.note], [null, { to: 'ops@example.com' }, 'who gets it']);
    const changed = await variables().update(made.id, { value: [1, null] });
    assert.deepEqual(await variables().list(), [changed]);
    await refused(variables().create({ name: 'tax_mail', value: 1 }), 422, 'duplicate');
    await refused(variables().create({ name: 'Tax', value: 1 }), 422, 'invalid_value');
    await refused(variables().create({ name: 'large', value: 'x'.repeat(64 * 1024 - 1) }), 422, 'too_long');
    await refused(variables().create({ name: 'none' } as never), 422, 'required');
    const others = app().clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.write'] })).token);
    await refused(others.task_variables.list(), 403, 'forbidden');
    const audit = JSON.stringify(await app().client.audit_log.list({ resource_type: 'task_variable' }));
    assert.deepEqual([audit.includes('tax_mail'), audit.includes('ops@')], [true, false]);
    await variables().delete(made.id);
    await refused(variables().get(made.id), 404, 'not_found');
  });

  test('a run reads its task’s own variable, else the shop’s, without a permission, and the same value again when it is resumed', async () => {
    const [taskId, other] = [await makeTask(app(), { permissions: [] }, { on_interrupt: 'resume' }), await makeTask(app())];
    const shops = await variables().create({ name: 'rate', value: 1 });
    const run = await claimedRun(app(), {}, taskId);
    const read = async (name: string, task = taskId, occurrence = 0) =>
      run.call('GET', `/ai-tasks/${task}/variables/${name}`, undefined, { occurrence });
    assert.equal(field((await read('rate')).body, 'value'), 1);
    await variables().create({ name: 'rate', value: 2, task_id: taskId });
    await variables().update(shops.id, { value: 3 });
    assert.equal(field((await read('rate', taskId, 1)).body, 'value'), 2);
    assert.deepEqual(codeOf(await read('unknown')), [404, 'not_found']);
    assert.deepEqual(codeOf(await read('rate', other)), [403, 'forbidden']);
    await lapse(app(), run);
    const again = await claimRun(app(), run);
    assert.equal(field((await again.call('GET', `/ai-tasks/${taskId}/variables/rate`)).body, 'value'), 1);
    assert.equal((await variables().resolve(other, 'rate')).value, 3);
  });

  test('variables.get gives the value, or null; secret gives a placeholder and never a value', async () => {
    const source_code = `export default async () => [
      await variables.get('greeting'), await variables.get('nothing'), secret('stripe_key'),
      ...[() => secret('Stripe'), () => secret(5 as any)].map((make) => { try { return make(); } catch (error: any) { return error.message; } }),
    ];`;
    const taskId = await makeTask(app(), { source_code, permissions: [] });
    await variables().create({ name: 'greeting', value: 'Hello', task_id: taskId });
    const { run_id } = await app().client.ai_tasks.start_run(taskId);
    const runner = openInProcessRunner(app());
    try {
      const rule =
        'the name of a secret must begin with a lower-case letter, followed by lower-case letters, digits and _; at most 64 characters';
      const { result, error_message } = await runner.finish(taskId, run_id);
      assert.deepEqual([result, error_message], [['Hello', null, '{{secret:stripe_key}}', rule, rule], null]);
    } finally {
      await runner.close();
    }
  });
});
