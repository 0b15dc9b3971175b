import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AdminApi } from '../../contract/calls.ts';
import { type Console, openConsole, shoot } from './open-console.ts';

let shop: Console;
let task: number;
before(async () => {
  shop = await openConsole({ orders: 20 });
  const { task_id } = await shop.client.ai_tasks.create({
    ...{ name: 'Nightly', description: '', source_code: 'log(1)', permissions: [], parameters: [] },
  });
  task = task_id;
});
after(() => shop.close());

type Saved = { id: number; acts_for: number };
const kinds: Record<string, { make(api: AdminApi): Promise<Saved>; get(id: number): Promise<Saved> }> = {
  schedules: {
    make: (api) => api.ai_tasks.create_schedule(task, { cron: '0 3 * * *' }),
    get: (id) => shop.client.ai_tasks.get_schedule(task, id),
  },
  triggers: {
    make: (api) => api.ai_tasks.create_trigger(task, { event: 'order.created' }),
    get: (id) => shop.client.ai_tasks.get_trigger(task, id),
  },
  hooks: {
    make: (api) => api.ai_tasks.create_hook(task, { name: 'Hook' }),
    get: (id) => shop.client.ai_tasks.get_hook(task, id),
  },
};

for (const [kind, { make, get }] of Object.entries(kinds)) {
  test(`one of the ${kind} whose admin was deactivated says so, and another admin takes it over with one press`, async () => {
    const writes = ['admin_api.ai_tasks.read', 'admin_api.ai_tasks.write'];
    const ann = await shop.admin(`Ann of the ${kind}`, writes);
    const bob = await shop.admin(`Bob of the ${kind}`, writes);
    const reader = await shop.admin(`Reader of the ${kind}`, ['admin_api.ai_tasks.read']);
    const { id } = await make(ann.client);
    const path = `/tasks/${task}/${kind}?open=${id}`;
    const takeOver = { name: 'Let it act for me' };

    const page = await shop.open({ path, token: bob.token });
    await page.getByText(`Its runs act for Ann of the ${kind}, who changed it last.`).waitFor();
    assert.equal(await page.getByRole('button', takeOver).count(), 0, 'there is nothing to take over');
    await shop.client.admins.update(ann.id, { active: false });
    await page.reload();
    const told = page.getByText(`Its runs act for Ann of the ${kind}, who is deactivated: it starts nothing until somebody takes it over.`);
    await told.waitFor();
    await shoot(page, `taking-over-${kind}`);
    await page.getByRole('button', takeOver).click();
    await page.getByText(`Its runs act for Bob of the ${kind}, who changed it last.`).waitFor();
    await told.waitFor({ state: 'detached' });
    assert.equal((await get(id)).acts_for, bob.id);
    await page.done();

    await shop.client.admins.update(bob.id, { active: false });
    const seen = await shop.open({ path, token: reader.token });
    await seen.getByText(`Its runs act for Bob of the ${kind}, who is deactivated`).waitFor();
    assert.equal(await seen.getByRole('button', takeOver).count(), 0, 'who may not save it is not offered it');
    await seen.done();
  });
}
