import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonObject } from '../../contract/run-events.ts';
import { functionPermissions } from '../../contract/script-library.ts';
import { onBothStores } from '../helpers/app.ts';
import { openInProcessRunner } from '../helpers/in-process-runner.ts';
import { makeTask } from '../helpers/runs.ts';

/** Arguments of each function of the library; those of `admin` and `admin_api` need what their endpoints need. */
const ARGUMENTS: Record<string, unknown[]> = {
  'files.read': ['a.txt'],
  'files.text': ['a.txt'],
  'files.write': ['a.txt', 'a'],
  'llm.complete': [{ messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1 }],
  'http.request': [{ url: 'https://api.example.com/' }],
  'tasks.start': ['Report'],
  'tasks.run': ['Report'],
  prompt: [{ label: 'Which?', fields: [{ name: 'it', kind: 'string' }] }],
  notify: [{ title: 'Done', body: 'Done' }],
  mail: [{ to: 'ann@example.com', subject: 'Done', text: 'Done' }],
  'state.get': ['key'],
  'state.entry': ['key'],
  'state.set': ['key', 1],
  'state.delete': ['key'],
  'state.list': [],
  'variables.get': ['name'],
  log: ['line'],
  progress: [1, 2],
  describe: ['a'],
  details: ['a'],
  result: ['ok', 'item'],
  checkpoint: [{ at: 1 }],
  sleep: [1],
  waitFor: ['signal:key', { timeout: 0 }],
  signal: ['key', 1],
};
/** They take functions, or are none of the shop. */
const OTHERS = ['state.update', 'once', 'secret'];

const SOURCE = `
import * as library from 'backroom';
const others = ['parameters', 'last_checkpoint', 'shop', 'admin', 'admin_api', 'AdminApiError', 'PermissionError', 'RetryAfter'];
const functions = Object.fromEntries(Object.entries(library).filter(([name]) => !others.includes(name)));
const named = Object.entries(functions).flatMap(([name, value]) =>
  typeof value === 'function' ? [name] : Object.keys(value).map((method) => name + '.' + method));
const refused = {};
for (const [name, args] of Object.entries(library.parameters.calls)) {
  const [of, method] = name.split('.');
  try {
    await (method ? functions[of][method](...args) : functions[of](...args));
  } catch (error) {
    if (error instanceof library.PermissionError) refused[name] = error.permission;
  }
}
export default () => ({ named, refused });
`;

onBothStores('the permissions of the library', (app) => {
  test('a script without permissions is refused each function of the table for the permission that the table names, and no other', async () => {
    const runner = openInProcessRunner(app());
    try {
      const taskId = await makeTask(app(), { source_code: SOURCE, permissions: [] });
      const { run_id } = await app().client.ai_tasks.start_run(taskId, { parameters: { calls: JsonObject.parse(ARGUMENTS) } });
      const run = await runner.finish(taskId, run_id);
      assert.equal(run.status, 'success', String(run.error_message));
      const { named, refused } = JsonObject.parse(run.result);
      assert.deepEqual(Array.isArray(named) && named.toSorted(), [...Object.keys(ARGUMENTS), ...OTHERS].sort());
      assert.deepEqual(refused, { ...functionPermissions });
    } finally {
      await runner.close();
    }
  });
});
