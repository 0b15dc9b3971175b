import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFoldedTexts } from '../../server/db/checks/texts.ts';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type Call, ran as ranWith, takenBack } from '../helpers/done-runs.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { makeTask } from '../helpers/runs.ts';
import { shareEmail } from '../helpers/stored-rows/taken-ids.ts';

const RESOURCES = ['discount_groups', 'products', 'customers', 'inquiries', 'pages', 'files'] as const;
const PERMISSIONS = RESOURCES.map((resource) => `admin_api.${resource}.write` as const);

/** A run of these calls, and the ids that their answers have. */
const ran = (app: TestApp, calls: readonly Call[], options: { dry_run?: boolean; taskId?: number } = {}) =>
  ranWith(app, calls, { permissions: PERMISSIONS, ...options });

onBothStores('taking back what a run did', (app) => {
  const tasks = () => app().client.ai_tasks;

  const undo = (taskId: number, runId: number) => takenBack(app(), taskId, runId);

  test('UN3: a changed field goes back, a created record goes, a deleted one is made again under its id, and all of it once more', async () => {
    const { client } = app();
    const [kept, gone] = [
      await client.discount_groups.create({ name: 'Kept', percent_bps: 500 }),
      await client.discount_groups.create({ name: 'Gone', percent_bps: 700 }),
    ];
    const { taskId, runId, made } = await ran(app(), [
      ['PATCH', `/discount-groups/${kept.id}`, { percent_bps: 900 }],
      ['DELETE', `/discount-groups/${gone.id}`],
      ['POST', '/discount-groups', { name: 'New', percent_bps: 100 }],
    ]);
    const plan = await tasks().undo_run(taskId, runId, {});
    assert.deepEqual(plan.rows, { ready: 3, conflict: 0, irreversible: 0, already_as_before: 0 });
    const rows = await tasks().list_undo(taskId, plan.run_id);
    assert.deepEqual(
      rows.map(({ position, endpoint, state, run_id }) => [position, endpoint, state, run_id]),
      [
        [1, 'discount_groups.create', 'ready', runId],
        [2, 'discount_groups.delete', 'ready', runId],
        [3, 'discount_groups.update', 'ready', runId],
      ],
    );
    assert.deepEqual(rows[2]?.changes[0]?.changes['percent_bps'], [900, 500]);
    const planned = await tasks().get_run(taskId, plan.run_id);
    assert.deepEqual([planned.dry_run, planned.status, planned.undo_of_run_id], [true, 'success', runId]);
    assert.equal((await client.discount_groups.get(kept.id)).percent_bps, 900, 'the plan changes nothing');

    const undone = (await tasks().apply_run(taskId, plan.run_id)).run_id;
    const list = async () =>
      (await client.discount_groups.list({ per_page: 100 })).data.filter(({ name }) => ['Kept', 'Gone', 'New'].includes(name));
    assert.deepEqual(await list(), [
      { ...(await client.discount_groups.get(gone.id)), name: 'Gone', percent_bps: 700 },
      { ...(await client.discount_groups.get(kept.id)), percent_bps: 500 },
    ]);
    const run = await tasks().get_run(taskId, undone);
    assert.deepEqual([run.dry_run, run.undo_of_run_id], [false, runId]);
    assert.deepEqual(
      (await tasks().list_runs(taskId)).map(({ id, undone_by_run_id }) => [id, undone_by_run_id]),
      [
        [undone, null],
        [plan.run_id, null],
        [runId, undone],
      ],
    );
    assert.equal((await tasks().list_effects(taskId, undone)).length, 3);
    await refused(tasks().apply_run(taskId, plan.run_id), 409, 'not_applicable');

    await undo(taskId, undone);
    assert.deepEqual((await list()).map(({ id, name, percent_bps }) => [id, name, percent_bps]).sort(), [
      [kept.id, 'Kept', 900],
      [made[2], 'New', 100],
    ]);
  });

  test('UN4: stock is taken back by a counter-entry, beside what others have moved', async () => {
    const { client } = app();
    const product = await client.products.create({ name: 'Tea', slug: `tea-${Date.now()}`, status: 'active' });
    const variant = await client.products.create_variant(product.id, { sku: `T-${Date.now()}`, price_cents: 100, stock: 10 });
    const { taskId, runId } = await ran(app(), [['POST', `/variants/${variant.id}/stock`, { delta: 5, reason: 'found' }]]);
    await client.products.change_stock(variant.id, { delta: -2, reason: 'broken' });
    await undo(taskId, runId);
    assert.equal((await client.products.get_variant(variant.id)).stock, 8);
    const data = await client.products.list_stock_movements(variant.id);
    assert.deepEqual(data.map(({ delta, reason }) => [delta, reason]).slice(0, 3), [
      [-5, `Undo of run ${runId}`],
      [-2, 'broken'],
      [5, 'found'],
    ]);
    await client.products.change_stock(variant.id, { delta: -7, reason: 'sold' });
    const again = await ran(app(), [['POST', `/variants/${variant.id}/stock`, { delta: 3, reason: 'more' }]]);
    await client.products.change_stock(variant.id, { delta: -4, reason: 'sold' });
    const plan = await tasks().undo_run(again.taskId, again.runId, {});
    const [row] = await tasks().list_undo(again.taskId, plan.run_id);
    assert.deepEqual([row?.state, row?.choosable, row?.conflicts[0]?.now], ['conflict', false, 0]);
  });

  test('UN6: what was changed since is shown with three values and left alone unless it is chosen', async () => {
    const { client } = app();
    const group = await client.discount_groups.create({ name: 'Three', percent_bps: 100 });
    const { taskId, runId } = await ran(app(), [['PATCH', `/discount-groups/${group.id}`, { percent_bps: 200 }]]);
    await client.discount_groups.update(group.id, { percent_bps: 300 });
    const plan = await tasks().undo_run(taskId, runId, {});
    const [row] = await tasks().list_undo(taskId, plan.run_id);
    assert.equal(row?.state, 'conflict');
    assert.deepEqual(row?.conflicts, [{ record: `discount_groups ${group.id}`, field: 'percent_bps', before: 100, run: 200, now: 300 }]);
    await refused(tasks().apply_run(taskId, plan.run_id), 409, 'not_applicable');
    await client.discount_groups.update(group.id, { percent_bps: 400 });
    const outdated = await refused(tasks().apply_run(taskId, plan.run_id, { rows: [1] }), 409, 'plan_outdated');
    assert.match(outdated.message, /percent_bps, has 400 now/);
    await client.discount_groups.update(group.id, { percent_bps: 300 });
    await tasks().apply_run(taskId, plan.run_id, { rows: [1] });
    assert.equal((await client.discount_groups.get(group.id)).percent_bps, 100);
  });

  test('UN6: a field that was emptied since is shown as empty now', async () => {
    const { id } = await makeCustomer(app(), { phone: '+43 1 1' });
    const run = await ran(app(), [['PATCH', `/customers/${id}`, { phone: '+43 1 2' }]]);
    await app().client.customers.update(id, { phone: null });
    const plan = await app().client.ai_tasks.undo_run(run.taskId, run.runId, {});
    const [row] = await app().client.ai_tasks.list_undo(run.taskId, plan.run_id);
    assert.deepEqual(row?.conflicts, [{ record: `customers ${id}`, field: 'phone', before: '+43 1 1', run: '+43 1 2', now: null }]);
    assert.deepEqual(row?.changes[0]?.changes, { phone: [null, '+43 1 1'] });
  });

  test('UN6: what is computed from other fields is no conflict of its own, and is right again once those are taken back', async () => {
    const { client } = app();
    const n = Date.now();
    const [first, byRun, since] = ['zoë', 'zoé', 'zöe'].map((name) => `${name}-${n}@köln.example`);
    const customer = await client.customers.create({ name: `Ärger ${n}`, email: first ?? '', phone: '+49 1' });
    const taskId = await makeTask(app(), { permissions: PERMISSIONS });
    await tasks().set_state(taskId, 'key', { value: 'a' });
    const { runId } = await ran(
      app(),
      [
        ['PATCH', `/customers/${customer.id}`, { name: 'By the run', email: byRun ?? '', phone: '+49 22' }],
        ['PUT', `/ai-tasks/${taskId}/state/key`, { value: 'longer' }],
      ],
      { taskId },
    );
    await client.customers.update(customer.id, { name: 'Since', email: since ?? '', phone: '+49 333' });
    await tasks().set_state(taskId, 'key', { value: 'the longest' });
    const plan = await tasks().undo_run(taskId, runId, {});
    const rows = await tasks().list_undo(taskId, plan.run_id);
    assert.deepEqual(
      rows.map(({ state, choosable, conflicts }) => [state, choosable, conflicts.map(({ field }) => field).sort()]),
      [
        ['conflict', true, ['value']],
        ['conflict', true, ['email', 'name', 'phone']],
      ],
    );
    await tasks().apply_run(taskId, plan.run_id, { rows: [1, 2] });
    const after = await client.customers.get(customer.id);
    assert.deepEqual([after.name, after.email, after.phone], [`Ärger ${n}`, first, '+49 1']);
    assert.equal((await client.customers.list({ search: `ärger ${n}` })).total, 1);
    const [state] = await tasks().list_state(taskId);
    assert.equal(state?.size_bytes, 3);
    const { count, faults } = await checkFoldedTexts(app().store);
    assert.deepEqual([count, faults], [0, []]);
    await refused(client.customers.create({ name: 'Again', email: first?.toUpperCase() ?? '' }), 422, 'duplicate');
    assert.ok((await client.customers.create({ name: 'Other', email: since ?? '' })).id);
  });

  test('UN3: an email that another customer took over with its key goes back to the first one', async () => {
    const { client } = app();
    const email = `shared-${Date.now()}@example.com`;
    const [older, younger] = [await client.customers.create({ name: 'Older', email }), await makeCustomer(app())];
    await shareEmail(app().store, younger.id, email);
    const { taskId, runId } = await ran(app(), [['PATCH', `/customers/${older.id}`, { email: `moved-${email}` }]]);
    const plan = await tasks().undo_run(taskId, runId, {});
    assert.deepEqual(plan.rows, { ready: 1, conflict: 0, irreversible: 0, already_as_before: 0 });
    await tasks().apply_run(taskId, plan.run_id);
    assert.equal((await client.customers.get(older.id)).email, email);
    assert.equal((await checkFoldedTexts(app().store)).count, 0);
  });

  test('UN6: what others have added to a record that the run made would go with it, so it is a conflict', async () => {
    const { client } = app();
    const { taskId, runId, made } = await ran(app(), [['POST', '/customers', { name: 'New', email: `new-${Date.now()}@example.com` }]]);
    const id = made[0] ?? 0;
    await client.customers.create_note(id, { body: 'called' });
    const plan = await tasks().undo_run(taskId, runId, {});
    const [row] = await tasks().list_undo(taskId, plan.run_id);
    assert.deepEqual([row?.state, row?.choosable], ['conflict', true]);
    assert.match(row?.reason ?? '', /made since/);
    assert.equal(row?.reason_code, 'made_since');
    await tasks().apply_run(taskId, plan.run_id, { rows: [1] });
    await refused(client.customers.get(id), 404, 'not_found');
  });

  test('UN5: a lineage, some effects, an applied plan, and what cannot be taken back', async () => {
    const { client } = app();
    const made = await client.inquiries.create({ name: 'I', email: 'i@example.com', subject: 'S', body: 'B' });
    const { taskId, runId } = await ran(app(), [
      ['POST', '/discount-groups', { name: 'First', percent_bps: 100 }],
      ['POST', '/discount-groups', { name: 'Second', percent_bps: 100 }],
      ['POST', `/inquiries/${made.id}/answer`, { body: 'Yes' }],
    ]);
    const [first] = await tasks().list_effects(taskId, runId);
    const some = await tasks().undo_run(taskId, runId, { effects: [first?.call ?? 0] });
    assert.deepEqual(some.rows, { ready: 1, conflict: 0, irreversible: 0, already_as_before: 0 });
    const all = await tasks().undo_run(taskId, runId, { lineage: true });
    const [answer] = await tasks().list_undo(taskId, all.run_id);
    assert.deepEqual([answer?.state, answer?.endpoint], ['irreversible', 'inquiries.answer']);
    assert.match(answer?.reason ?? '', /Write to the person again/);
    assert.equal(answer?.reason_code, 'endpoint');
    await tasks().apply_run(taskId, all.run_id);
    const after = await tasks().undo_run(taskId, runId, {});
    assert.deepEqual(after.rows, { ready: 0, conflict: 0, irreversible: 1, already_as_before: 2 });
    await refused(tasks().undo_run(taskId, all.run_id, {}), 409, 'not_applicable');
    await refused(tasks().undo_run(taskId, runId, { effects: [999_999] }), 404, 'not_found');

    const dry = await ran(app(), [['POST', '/discount-groups', { name: 'Planned', percent_bps: 100 }]], { dry_run: true });
    await refused(tasks().undo_run(dry.taskId, dry.runId, {}), 409, 'not_applicable');
    const applied = await tasks().apply_run(dry.taskId, dry.runId);
    await undo(dry.taskId, applied.run_id);
    assert.equal(
      (await client.discount_groups.list({ per_page: 100 })).data.some(({ name }) => name === 'Planned'),
      false,
    );
  });

  test('UN3: drafts and values of a state are as before; what was forgotten with a person is not kept', async () => {
    const { client } = app();
    const page = await client.pages.create({ slug: `draft-${Date.now()}`, title: 'P' });
    await client.pages.save_draft(page.id, { title: 'Other' });
    const person = await client.customers.create({ name: 'Gone', email: `gone-${Date.now()}@example.com` });
    const taskId = await makeTask(app(), { permissions: PERMISSIONS });
    await tasks().set_state(taskId, 'key', { value: 'old' });
    const { runId } = await ran(
      app(),
      [
        ['DELETE', `/pages/${page.id}/draft`],
        ['PUT', `/ai-tasks/${taskId}/state/key`, { value: 'new' }],
        ['POST', `/customers/${person.id}/notes`, { body: 'secret' }],
      ],
      { taskId },
    );
    await client.customers.delete(person.id);
    const plan = await tasks().undo_run(taskId, runId, {});
    assert.deepEqual(
      (await tasks().list_undo(taskId, plan.run_id)).map(({ state }) => state),
      ['irreversible', 'ready', 'ready'],
    );
    const kept = await app().store.reader.selectFrom('effect_images').select('images').execute();
    assert.equal(
      kept.some(({ images }) => images?.includes('secret')),
      false,
    );
    await tasks().apply_run(taskId, plan.run_id);
    assert.equal((await client.pages.get_draft(page.id)).title, 'Other');
    assert.equal((await tasks().get_state(taskId, 'key')).value, 'old');
  });

  test('UN5: no script made an undo, so neither its plan nor the run that applied it is started again', async () => {
    const { taskId, runId } = await ran(app(), [['POST', '/discount-groups', { name: 'Once', percent_bps: 100 }]]);
    const plan = await tasks().undo_run(taskId, runId, {});
    const applied = await tasks().apply_run(taskId, plan.run_id);
    const { results } = await tasks().bulk_runs({ action: 'retry', ids: [plan.run_id, applied.run_id] });
    assert.deepEqual(
      results.map(({ code, new_run_id }) => [code, new_run_id]),
      [
        ['not_applicable', null],
        ['not_applicable', null],
      ],
    );
    const filter = { task_id: taskId };
    assert.equal((await tasks().preview_bulk_runs({ action: 'retry', filter })).count, 1);
  });

  test('UN9: whoever takes a write back needs the permission that the write needed', async () => {
    const { taskId, runId } = await ran(app(), [['POST', '/discount-groups', { name: 'Guarded', percent_bps: 100 }]]);
    const reads = RESOURCES.map((resource) => `admin_api.${resource}.read` as const);
    const other = await person(app(), { permissions: ['admin_api.ai_tasks.write', ...reads] });
    const error = await refused(app().clientFor(other.token).ai_tasks.undo_run(taskId, runId, {}), 403, 'forbidden');
    assert.match(error.message, /discount_groups\.write/);
  });
});
