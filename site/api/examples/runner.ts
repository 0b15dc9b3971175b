import { type ExamplesOf, keyOf, ofRun, ofScript } from './example.ts';
import { END } from './samples.ts';

/** What runners and scripts ask the server; a person seldom does. */

const AT_FIRST = `0/${'0'.repeat(64)}/0`;
const RUNNER = { name: 'runner-1', version: '1', isolation: ['process'] };

export const runner: ExamplesOf<'runner'> = {
  'runner.status': {},
  'runner.claim': async ({ api, got, runnerToken }) => {
    await api.ai_tasks.cancel_runs(got('ai_tasks.create').task_id);
    await api.ai_tasks.start_run(got('ai_tasks.create').task_id, { priority: 1000 });
    return { body: { runner: RUNNER, slots: 1, wait_ms: 0 }, by: { value: runnerToken, shown: 'RUNNER_TOKEN' } };
  },
  'runner.remember': async ({ claimed, runs }) => {
    const run = await claimed({
      name: 'Letters',
      permissions: ['prompt_input', 'file_download', 'file_upload'],
      parameters: [{ name: 'list', kind: 'file' }],
    });
    runs.set('letters', run);
    return {
      params: { run_id: run.runId },
      body: { name: 'chosen', value: [12, 13] },
      by: ofRun(run),
      note: 'The script had called `once("chosen", …)`.',
    };
  },
  'runner.ask_prompt': ({ runOf }) => {
    const run = runOf('letters');
    return {
      params: { run_id: run.runId },
      body: { key: AT_FIRST, label: 'Send them now?', fields: [{ name: 'now', kind: 'boolean' }] },
      by: ofRun(run),
    };
  },
  'runner.write_artifact': ({ runOf }) => {
    const run = runOf('letters');
    return {
      params: { run_id: run.runId },
      body: { file: { filename: 'letters.csv', content: 'customer_id\n12\n13\n', content_type: 'text/csv' } },
      by: ofRun(run),
    };
  },
  'runner.read_file': async ({ claimed, got }) => {
    const run = await claimed(
      { name: 'Reads a list', permissions: ['file_upload'], parameters: [{ name: 'list', kind: 'file' }] },
      { parameters: { list: got('files.create').id } },
    );
    return { params: { run_id: run.runId, name: 'list' }, query: { offset: 0, length: 1024 }, by: ofRun(run) };
  },
  'runner.list_answers': ({ runOf }) => {
    const run = runOf('letters');
    return {
      params: { run_id: run.runId },
      by: ofRun(run),
      note: 'It is the first attempt of the run, so there are no answers from before.',
    };
  },
  'runner.await_run': async ({ claimed, got, as }) => {
    const child = got('ai_tasks.create').task_id;
    const run = await claimed({ name: 'Starts another', permissions: ['tasks_start'], may_start: [child] });
    const { run_id } = await as(run.claim.token).task_runs.start(
      { task: child },
      { headers: keyOf(run, 'POST', '/task-runs', { task: child }) },
    );
    return {
      params: { run_id: run.runId },
      body: { key: `0/${'1'.repeat(64)}/0`, started_run_id: run_id ?? 0 },
      by: ofRun(run),
      note: 'The run had started another, which had not ended.',
    };
  },
  'runner.wait': async ({ claimed }) => {
    const run = await claimed({ name: 'Reminds', permissions: ['admin_api.orders.read'] });
    return {
      params: { run_id: run.runId },
      body: { key: `0/${'2'.repeat(64)}/0`, event: 'order.paid', match: { order_id: 4711 }, timeout_ms: 3 * 86_400_000 },
      by: ofRun(run),
    };
  },
  'runner.end': ({ runOf, runnerToken }) => {
    const run = runOf('letters');
    return { params: { run_id: run.runId }, body: { events: [...END], next: { token: runnerToken, runner: RUNNER } }, by: ofRun(run) };
  },
};

export const taskRuns: ExamplesOf<'task_runs'> = {
  'task_runs.start': async ({ claimed, got, api }) => {
    const child = got('ai_tasks.create').task_id;
    await api.ai_tasks.cancel_runs(child);
    const run = await claimed({ name: 'Monday round', permissions: ['tasks_start'], may_start: [child] });
    const body = { task: 'Catalogue notes' };
    return {
      body,
      by: ofScript(run),
      headers: keyOf(run, 'POST', '/task-runs', body),
      note: 'Only runs start runs by this call; scripts call `tasks.start()`. The version declares the task in `may_start`.',
    };
  },
  'task_runs.signal': async ({ claimed, got }) => {
    const child = got('ai_tasks.create').task_id;
    const run = await claimed({ name: 'Tells the notes', permissions: ['tasks_start'], may_start: [child] });
    const body = { task: child, key: 'order-4711', value: { parcels: 2 } };
    return {
      body,
      by: ofScript(run),
      headers: keyOf(run, 'POST', '/task-runs/signals', body),
      note: 'Only runs send signals by this call; scripts call `signal()`.',
    };
  },
};

const ONLY_RUNS = 'Only runs of tasks may call it; scripts call';

export const http: ExamplesOf<'http'> = {
  'http.fetch': async ({ claimed, runs }) => {
    const run = await claimed({
      name: 'Stock of the warehouse',
      permissions: ['http_request'],
      http_allow: ['GET,POST https://warehouse.example/v1/*'],
      secrets: ['warehouse_key'],
    });
    runs.set('warehouse', run);
    const body = {
      method: 'GET',
      url: 'https://warehouse.example/v1/stock/KQ-009-1',
      headers: { authorization: ['Bearer ', { secret: 'warehouse_key' }] },
    } as const;
    const sent = { ...body, headers: { authorization: ['Bearer ', { secret: 'warehouse_key' }] } };
    return {
      body: sent,
      by: ofScript(run),
      headers: keyOf(run, 'POST', '/http/fetch', sent),
      note: `${ONLY_RUNS} \`http.request()\`. A double on this machine answered in place of the warehouse.`,
    };
  },
  'http.send': ({ runOf }) => {
    const run = runOf('warehouse');
    const body = {
      method: 'POST',
      url: 'https://warehouse.example/v1/picks',
      headers: { 'content-type': 'application/json' },
      body: '{"order":71}',
    };
    return {
      body: { ...body, method: 'POST' },
      by: ofScript(run),
      headers: keyOf(run, 'POST', '/http/send', body),
      note: `${ONLY_RUNS} \`http.request()\`. A double on this machine answered in place of the warehouse.`,
    };
  },
};

export const llm: ExamplesOf<'llm'> = {
  'llm.complete': async ({ api, claimed, doubles }) => {
    await api.settings.update({ llm: { base_url: doubles.llmUrl, model: 'small' } });
    const run = await claimed({ name: 'Sorts inquiries', permissions: ['llm'] });
    const body = {
      messages: [{ role: 'user' as const, content: 'Is this urgent? "My order has not come."' }],
      schema: { type: 'object', properties: { urgent: { type: 'boolean' } }, required: ['urgent'] },
      max_tokens: 50,
    };
    return {
      body,
      by: ofScript(run),
      headers: keyOf(run, 'POST', '/llm/completions', body),
      note: `${ONLY_RUNS} \`llm.complete()\`. A double on this machine answered in place of a model.`,
    };
  },
};
