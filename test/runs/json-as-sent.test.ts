import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { codeOf, emptyQueue, field, makeTask, openRun } from '../helpers/runs.ts';

/** Members whose names every object inherits from its prototype: at the top, in an object and in a list. */
const ODD = '{"__proto__":{"a":1},"constructor":"c","toString":null,"in":{"__proto__":"p","hasOwnProperty":0},"list":[{"__proto__":[2]}]}';

onBothStores('JSON members called __proto__, constructor and the like', (app) => {
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());
  const send = (method: string, path: string, raw: string) => app().request({ method, path: `/admin/api${path}`, raw });
  const get = async (path: string) => (await app().request({ path: `/admin/api${path}` })).body;

  test('an external run keeps log, checkpoint and parameters as they were sent', async () => {
    const taskId = await makeTask(app());
    const opened = await send('POST', `/ai-tasks/${taskId}/runs`, `{"executor":"external","parameters":${ODD}}`);
    const path = `/ai-tasks/${taskId}/runs/${field(opened.body, 'run_id')}`;
    const line = `{"kind":"result","status":"s","item":"i","details":${ODD}}`;
    const told = await send('PATCH', path, `{"events":[${line},{"kind":"checkpoint","state":${ODD}}]}`);
    assert.equal(told.status, 204, told.text);
    const run = await get(path);
    assert.deepEqual([field(run, 'log'), field(run, 'last_checkpoint'), field(run, 'parameters')], [line, ODD, ODD]);
    for (const bad of ['1e999', '{"deep":[1e999]}']) {
      const refused = await send('PATCH', path, `{"events":[{"kind":"checkpoint","state":{"n":${bad}}}]}`);
      assert.deepEqual(codeOf(refused), [422, 'out_of_range'], 'a number that JSON cannot store is refused');
    }
    const list = await send('PATCH', path, '{"events":[{"kind":"checkpoint","state":[]},{"kind":"checkpoint"}]}');
    assert.equal(list.status, 422);
    assert.match(
      list.text,
      /"\/events\/0\/state","parameter":null,"code":"invalid_type".*"\/events\/1\/state","parameter":null,"code":"required"/,
    );
  });

  test('a script gets and stores parameters, checkpoints, once values and prompt answers unchanged', async () => {
    const source = `
      const seen = [JSON.stringify(parameters.odd), JSON.stringify(parameters.__proto__)];
      const odd = JSON.parse(parameters.text);
      if (!last_checkpoint) await checkpoint(odd);
      seen.push(JSON.stringify(await once('odd', () => odd)), JSON.stringify(await once('odd', () => null)));
      seen.push(JSON.stringify((await prompt({ label: 'Odd?', fields: [{ name: '__proto__', kind: 'string' }, { name: 'x', kind: 'string' }] }))));
      seen.push(JSON.stringify(last_checkpoint));
      result('seen', 'odd', odd);
      export default () => ({ seen, odd });`;
    await emptyQueue(app());
    const parameters = [
      { name: 'odd', kind: 'constructor' },
      { name: '__proto__', kind: '__proto__', default: 'by default' },
      { name: 'constructor', kind: 'string' },
      { name: 'text', kind: 'valueof', required: true },
    ];
    const taskId = await makeTask(app(), { source_code: source, permissions: ['prompt_input'], parameters }, { on_interrupt: 'resume' });
    const opened = await send('POST', `/ai-tasks/${taskId}/runs`, `{"parameters":{"odd":${ODD},"text":${JSON.stringify(ODD)}}}`);
    assert.equal(opened.status, 201, opened.text);
    const runId = Number(field(opened.body, 'run_id'));
    const prompts = `/ai-tasks/${taskId}/runs/${runId}/prompts`;
    let killed = false;
    let asked = false;
    const run = await runner.finish(taskId, runId, (message) => {
      if (message.type === 'call' && message.operation === 'prompt') {
        const again = asked;
        asked = true;
        if (again) void answer();
        return !again;
      }
      return false;
    });
    async function answer(): Promise<void> {
      killed = true;
      for (;;) {
        const [first] = await app().client.ai_tasks.list_prompts(taskId, runId);
        const answered = first && (await send('POST', `${prompts}/${first.id}/answer`, '{"answers":{"__proto__":"mine","x":"y"}}'));
        if (answered?.status === 200) return;
      }
    }
    assert.equal(run.status, 'success', `${run.error_message}`);
    assert.ok(killed);
    assert.deepEqual(field(run.result, 'seen'), [ODD, '"by default"', ODD, ODD, '{"__proto__":"mine","x":"y"}', ODD]);
    assert.equal(JSON.stringify(field(run.result, 'odd')), ODD);
    assert.ok(run.log.includes(`"details":${ODD}`));
    assert.match(JSON.stringify(await get(prompts)), /"answers":\{"__proto__":"mine","x":"y"\}/);
    const undeclared = await send('POST', `/ai-tasks/${taskId}/runs`, '{"parameters":{"constructor":5,"text":""}}');
    assert.deepEqual(codeOf(undeclared), [422, 'invalid_type']);
  });

  test('schedules and triggers keep such parameters; a filter on such a name is refused', async () => {
    const taskId = await makeTask(
      app(),
      { parameters: [{ name: 'constructor', kind: 'constructor' }] },
      {
        concurrency: { limit: 1, key: '__proto__', overflow: 'queue' },
      },
    );
    for (const [kind, body] of [
      ['schedules', '"cron":"0 4 1 1 *","timezone":"UTC"'],
      ['triggers', '"event":"order.created"'],
    ]) {
      const made = await send('POST', `/ai-tasks/${taskId}/${kind}`, `{${body},"parameters":${ODD}}`);
      assert.equal(made.status, 201, made.text);
      const path = `/ai-tasks/${taskId}/${kind}/${field(made.body, 'id')}`;
      assert.equal(JSON.stringify(field(made.body, 'parameters')), ODD);
      const changed = await send('PATCH', path, `{"parameters":{"__proto__":2,"x":${ODD}}}`);
      assert.equal(JSON.stringify(field(changed.body, 'parameters')), `{"__proto__":2,"x":${ODD}}`);
    }
    const filter = await send('POST', `/ai-tasks/${taskId}/triggers`, '{"event":"order.created","filter":{"__proto__":"x"}}');
    assert.deepEqual(codeOf(filter), [422, 'invalid_value']);
    const other = await send('POST', `/ai-tasks/${taskId}/triggers`, '{"event":"order.created","filter":{"constructor":"x"}}');
    assert.deepEqual(codeOf(other), [422, 'invalid_value']);
    await openRun(app(), {}, taskId);
  });
});
