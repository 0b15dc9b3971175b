import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { type ConnectedAgent, connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const Started = z.object({ id: z.number(), task_id: z.number() }).loose();
const NAME = 'Zsófia Bodrogi';
const EMAIL = 'zsofia.bodrogi@mail.example.com';
const knows = (told: unknown) => /Zsófia|Bodrogi|bodrogi/.test(JSON.stringify(told));

onBothStores('Agents attack: a blind agent learns nothing of people', (app) => {
  let runner: InProcessRunner;
  let blind: ConnectedAgent;
  let customerId: number;
  const permissions = [
    'admin_api.customers.write' as const,
    'admin_api.ai_tasks.write' as const,
    'admin_api.logs.read' as const,
    'admin_api.dashboard.read' as const,
    'admin_api.orders.write' as const,
    'mail_send' as const,
    'tasks_start' as const,
    'file_download' as const,
  ];
  before(async () => {
    runner = openInProcessRunner(app());
    blind = await connectAgent(app(), { permissions });
    customerId = (await makeCustomer(app(), { name: NAME, email: EMAIL })).id;
    await app().client.customers.create_note(customerId, { body: `${NAME} wrote from ${EMAIL}` });
    await app().client.customers.update(customerId, { name: `${NAME} ` });
  });
  after(async () => {
    await blind.client.close();
    await runner.close();
  });

  /** Runs a script dry as the agent, and collects whatever the agent can read about that run. */
  async function toldBy(source_code: string, more: Record<string, unknown> = {}): Promise<unknown[]> {
    const draft = { source_code, permissions: ['admin_api.customers.write'], parameters: [] };
    const run = await blind.data('dry_run', Started, { wait_seconds: 0, ...more, draft: { ...draft, ...Object(more['draft']) } });
    const ended = await runner.finish(run.task_id, run.id);
    assert.ok(ended.finished_at, 'the run goes on');
    const place = { task_id: run.task_id, run_id: run.id };
    const told: unknown[] = [];
    for (const part of [undefined, 'log', 'effects', 'timeline', 'calls'])
      told.push(await blind.tool('run', { ...place, ...(part && { part }) }));
    told.push(await blind.tool('runs', { task_id: run.task_id }));
    told.push(await blind.tool('compare', { run_id: run.id, with_run_id: run.id }));
    return told;
  }

  const SCRIPTS: Record<string, (id: number) => string> = {
    'an error': (id) => `const c = await admin.customers.get(${id}); throw new Error(c.name + c.email);`,
    'its result': (id) => `export default async () => [await admin.customers.get(${id}), await admin.customers.list_notes(${id})];`,
    'a name that it changes': (id) => `await admin.customers.update(${id}, { name: 'Somebody' });`,
    'an e-mail address that it changes': (id) => `await admin.customers.update(${id}, { email: 'else@mail.example.com' });`,
    'a customer that it deletes': (id) => `await admin.customers.delete(${id});`,
    'the answer to its write': (id) => `log(await admin.customers.update(${id}, { name: 'A' }), await admin.customers.get(${id}));`,
    'a customer of the same address': () =>
      `try { log(await admin.customers.create({ name: 'x', email: '${EMAIL.toUpperCase()}' })); } catch (e) { log(JSON.stringify(e), e.message, e.body); }`,
    'a checkpoint': (id) => `const c = await admin.customers.get(${id}); await checkpoint({ name: c.name });`,
    'a name spelt out in letters': (id) =>
      `const c = await admin.customers.get(${id}); log([...c.name].join(' '), btoa(encodeURIComponent(c.name)));`,
  };
  for (const [what, source] of Object.entries(SCRIPTS))
    test(`a dry run tells nothing by ${what}`, async () => {
      for (const told of await toldBy(source(customerId))) assert.ok(!knows(told), JSON.stringify(told));
    });

  test('searches and orders by text, which spell it letter by letter, are refused to it and to its scripts', async () => {
    for (const params of [{ search: 'Zsó' }, { q: 'zso' }, { sort: 'name' }, { sort: '-email' }])
      assert.match((await blind.tool('call', { operation: 'customers.list', params })).text, /^invalid_value: .*would tell texts/);
    assert.match((await blind.tool('call', { operation: 'orders.list_ids', params: { search: 'Zsó' } })).text, /would tell texts/);
    const [run] = await toldBy(`log((await admin.customers.list({ search: 'Zsó' })).total);`);
    assert.match(JSON.stringify(run), /would tell texts/);
    const [changed] = await toldBy(`await admin.customers.list({ sort: '-email' });`);
    assert.match(JSON.stringify(changed), /would tell texts/);
  });

  for (const operation of [
    'logs.list',
    'audit_log.list',
    'mails.list',
    'dashboard.get',
    'dashboard.insights',
    'dashboard.trends',
    'orders.list',
  ])
    test(`${operation} tells nothing`, async () => {
      const answer = await blind.tool('call', { operation, max_bytes: 65_536 });
      assert.equal(answer.isError, false, answer.text);
      assert.ok(!knows(answer), answer.text);
    });

  test('an address in free text is hidden wherever an answer is cut', async () => {
    const draft = { source_code: `log('by ${EMAIL}')`, permissions: [], parameters: [] };
    const made = await app().client.ai_tasks.create({ name: 'Cut', description: '', ...draft });
    const place = { operation: 'ai_tasks.get_version', params: { id: made.task_id, version_id: made.version_id } };
    const whole = JSON.stringify((await blind.tool('call', { ...place, max_bytes: 65_536 })).data);
    for (let from = 0; from < whole.length; from++) {
      if (from > 0 && whole[from - 1] !== '@' && whole[from] !== '@' && from % 16 !== 1) continue;
      assert.ok(!knows(await blind.tool('call', { ...place, from, max_bytes: 1024 })), `cut at ${from}`);
    }
  });

  test('values that a person gave to a schedule, and to a recorded run, are hidden from it', async () => {
    const { ai_tasks } = app().client;
    const { task_id } = await ai_tasks.create({
      name: 'Given',
      description: '',
      source_code: 'export default (given) => given;',
      permissions: [],
      parameters: [{ name: 'who', kind: 'string' }],
    });
    await ai_tasks.create_schedule(task_id, { cron: '0 0 1 1 *', parameters: { who: NAME } });
    const schedules = await blind.tool('call', { operation: 'ai_tasks.list_schedules', params: { id: task_id } });
    assert.equal(schedules.isError, false, schedules.text);
    assert.ok(!knows(schedules), schedules.text);
    const { run_id } = await ai_tasks.start_run(task_id, { record: true, parameters: { who: NAME } });
    await runner.finish(task_id, run_id);
    const replay = await blind.tool('replay', { task_id, run_id, wait_seconds: 0 });
    assert.ok(replay.isError, replay.text);
    assert.match(replay.text, /A person gave parameters/);
  });

  test('the state of a task, which another run wrote, is hidden from its dry runs of that task', async () => {
    const { task_id } = await app().client.ai_tasks.create({
      name: 'Remembers',
      description: '',
      source_code: `await state.set('last', { name: (await admin.customers.get(${customerId})).name });`,
      permissions: ['admin_api.customers.read'],
      parameters: [],
    });
    const { run_id } = await app().client.ai_tasks.start_run(task_id);
    assert.equal((await runner.finish(task_id, run_id)).status, 'success');
    const told = await toldBy(`log(await state.get('last')); log(await state.get('last'));`, { task_id });
    assert.match(JSON.stringify(told[0]), /hidden-[0-9a-f]{10}/);
    for (const one of told) assert.ok(!knows(one), JSON.stringify(one));
    assert.ok(!knows(await blind.tool('call', { operation: 'ai_tasks.get_state', params: { id: task_id, key: 'last' } })));
    assert.ok(!knows(await blind.tool('call', { operation: 'ai_tasks.list_state', params: { id: task_id } })));
  });

  test('a run that a person resumes, who sees people, stays hidden from it and from those who may not read about people', async () => {
    const source_code = `const { name } = await admin.customers.get(${customerId});
      log(name, last_checkpoint);
      if (last_checkpoint === null) await checkpoint({ name });
      const again = await admin.customers.get(${customerId});
      await admin.customers.create_note(${customerId}, { body: 'Dear ' + again.name });
      log(again.name, again.email);
      export default again;`;
    const version = { source_code, permissions: ['admin_api.customers.write'], parameters: [] };
    const Submitted = z.object({ task_id: z.number(), version_id: z.number() }).loose();
    const { task_id, version_id } = await blind.data('submit', Submitted, { ...version, name: 'Resumed', note: '' });
    const { id } = await blind.data('dry_run', Started, { task_id, version_id, wait_seconds: 0 });
    let calls = 0;
    const first = await runner.finish(task_id, id, ({ type }) => type === 'call' && ++calls === 4);
    assert.equal(first.status, 'interrupted');
    const { run_id } = await app().client.ai_tasks.start_run(task_id, { resume_run_id: id });
    const resumed = await runner.finish(task_id, run_id);
    assert.equal(resumed.status, 'success', resumed.error_message ?? '');
    for (const run of [id, run_id])
      for (const part of [undefined, 'log', 'effects', 'timeline', 'calls']) {
        const told = await blind.tool('run', { task_id, run_id: run, ...(part && { part }) });
        assert.ok(!knows(told), told.text);
      }
    assert.ok(!knows(await blind.tool('compare', { run_id: id, with_run_id: run_id })));
    assert.ok(!knows(await app().client.ai_tasks.get_run(task_id, run_id)), 'the person’s run has what was hidden from the agent');
    const { token } = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.products.read'] });
    const theirs = app().clientFor(token).ai_tasks;
    const shown = await theirs.get_run(task_id, run_id);
    assert.ok(shown.withheld.length > 0 && shown.log === '' && shown.result === null, JSON.stringify(shown));
    await refused(theirs.start_run(task_id, { resume_run_id: id }), 409, 'already_resumed');
  });

  test('the content of files and a download link are closed to its scripts', async () => {
    const told = await toldBy(
      `try { log(await admin.customers.get_file_content(${customerId}, 1)); } catch (e) { log(String(e.message)); }`,
    );
    for (const one of told) assert.ok(!knows(one));
  });
});
