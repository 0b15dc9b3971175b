import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../helpers/machines.ts';
import { inOrder, MODEL_KEY, type ModelServer, openModelServer, type Reply } from '../helpers/model-server.ts';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

const SOURCE = `export default async function main() {
  log('begun');
  throw new Error('The list is empty.');
}
`;

let shop: Console;
let model: ModelServer;
before(async () => {
  model = await openModelServer();
  shop = await openConsole({ orders: 20, runner: true });
  await shop.client.settings.update({
    assistant: { provider: 'anthropic', base_url: model.url('anthropic'), model: 'small', api_key: MODEL_KEY },
  });
});
after(async () => {
  await shop.close();
  await model.close();
});

async function makeTask(name: string): Promise<number> {
  return (await shop.client.ai_tasks.create({ name, description: '', source_code: SOURCE, permissions: [], parameters: [] })).task_id;
}

const panel = (page: OpenPage) => page.getByRole('complementary', { name: 'Assistant' });

async function say(page: OpenPage, text: string): Promise<void> {
  await panel(page).getByRole('textbox', { name: 'Message to the assistant' }).fill(text);
  await page.keyboard.press('Enter');
}

test('a run that failed is asked about where it is shown; the fix is taken into the draft in the editor', async () => {
  const id = await makeTask('Fails');
  const { run_id } = await shop.client.ai_tasks.start_run(id, {});
  await until('the run does not end', async () => (await shop.client.ai_tasks.get_run(id, run_id)).status !== 'running' || undefined);
  model.play(
    inOrder(
      { calls: [{ name: 'edit_draft', input: { old_text: "throw new Error('The list is empty.');", new_text: "log('nothing to do');" } }] },
      { text: 'It threw an error of its own.' },
    ),
  );
  const page = await shop.open({ path: `/tasks/${id}/runs/${run_id}` });
  await page.getByRole('button', { name: /^Find out why/ }).click();
  await panel(page).getByText('It may see personal data').waitFor();
  assert.equal(await panel(page).getByRole('checkbox').isChecked(), false);
  await panel(page).getByRole('button', { name: 'Send' }).click();
  await panel(page).getByText('It threw an error of its own.').waitFor();
  assert.equal(await panel(page).getByRole('button', { name: 'Take back' }).count(), 0);
  const [thread] = (await shop.client.assistant.list_threads({ task_id: id })).data;
  assert.deepEqual([thread?.run_id, thread?.sees_personal_data], [run_id, false]);
  await shoot(page, 'assistant-run');
  assert.deepEqual(await accessibilityFaults(page), []);
  await panel(page).getByRole('link', { name: 'Open in the editor' }).click();
  await panel(page).getByRole('button', { name: 'Put back' }).click();
  await page.locator('.cm-content').getByText('nothing to do').waitFor();
  await panel(page).getByRole('button', { name: 'Take back' }).waitFor();
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await panel(page).getByRole('button', { name: 'Put back' }).waitFor();
  await page.done();
});

test('it is stopped while it works, and goes on by Retry; so it does after an error', async () => {
  const held = Promise.withResolvers<Reply>();
  model.play(() => held.promise);
  const page = await shop.open({ path: `/tasks/${await makeTask('Stopped')}/editor?thread=new` });
  await say(page, 'Take your time');
  await panel(page).getByText('The assistant is working.').waitFor();
  assert.equal(await panel(page).getByRole('button', { name: 'Send' }).isDisabled(), true);
  await panel(page).getByRole('button', { name: 'Stop' }).click();
  await panel(page).getByText('Stopped. Retry goes on.').waitFor();
  held.resolve({ text: 'Nobody waits for this.' });
  model.play(inOrder({ text: 'It begins well and', breaks: 'cut' }, { text: 'Whole again.' }));
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await panel(page).getByText('The assistant could not go on.').waitFor();
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await panel(page).getByText('Whole again.').waitFor();
  await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' });
  assert.equal(await panel(page).getByText('Nobody waits for this.').count(), 0);
  await page.done();
});

test('what a model or a tool says is shown as text: markup, ends of scripts, and what cannot be seen', async () => {
  const words = 'See <img src=x onerror=alert(1)> </script><b>bold</b> and \u202eknil\u202c now';
  model.play(inOrder({ text: words, calls: [{ name: '<i>tool</i>', input: { query: '<script>1</script>' } }] }, { text: 'End.' }));
  const page = await shop.open({ path: `/tasks/${await makeTask('Marked')}/editor?thread=new` });
  await say(page, '<u>Show</u> it');
  await panel(page).getByText('End.').waitFor();
  const log = panel(page).getByRole('log');
  await log.getByText('<u>Show</u> it').waitFor();
  await log.getByText('<img src=x onerror=alert(1)> </script><b>bold</b>').waitFor();
  await log.getByText('<i>tool</i>').click();
  await log.getByText('<script>1</script>').waitFor();
  assert.equal(await log.locator('img, b, i, u, script').count(), 0);
  assert.equal(await log.locator('p .source-mark').count(), 2);
  await shoot(page, 'assistant-marked');
  await page.done();
});

test('threads of a task are found again in the panel, and deleted', async () => {
  model.play(() => ({ text: 'Good day.' }));
  const id = await makeTask('Found again');
  const page = await shop.open({ path: `/tasks/${id}/editor?thread=new` });
  await say(page, 'The first question');
  await panel(page).getByText('Good day.').waitFor();
  await panel(page).getByRole('button', { name: 'New', exact: true }).click();
  await say(page, 'The second question');
  await panel(page).getByText('Good day.').waitFor();
  await panel(page).getByRole('button', { name: 'Earlier' }).click();
  await panel(page).getByRole('button', { name: 'The first question', exact: true }).click();
  await panel(page).getByRole('log').getByText('The first question').waitFor();
  await page.waitForURL(/thread=\d+/);
  await page.reload();
  await panel(page).getByRole('log').getByText('The first question').waitFor();
  await panel(page).getByRole('button', { name: 'Earlier' }).click();
  await panel(page).getByRole('button', { name: 'Delete: The first question' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await panel(page).getByText('Say what the task should do.').waitFor();
  assert.deepEqual(
    (await shop.client.assistant.list_threads({ task_id: id })).data.map(({ title }) => title),
    ['The second question'],
  );
  await page.done();
});

test('what the assistant wrote waits for approval when its thread is deleted, and when discarding it is undone', async () => {
  const edit = { old_text: 'The list is empty.', new_text: 'Nothing is there.' };
  for (const way of ['deleted', 'discarded'] as const) {
    model.play(inOrder({ calls: [{ name: 'edit_draft', input: edit }] }, { text: 'Changed.' }));
    const id = await makeTask(`Written, then ${way}`);
    const page = await shop.open({ path: `/tasks/${id}/editor?thread=new` });
    await say(page, 'Say it better');
    await panel(page).getByText('Changed.').waitFor();
    const source = page.locator('.cm-content');
    await source.getByText('Nothing is there.').waitFor();
    if (way === 'deleted') {
      await panel(page).getByRole('button', { name: 'Earlier' }).click();
      await panel(page).getByRole('button', { name: 'Delete: Say it better' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await panel(page).getByText('Say what the task should do.').waitFor();
    } else {
      await page.getByRole('button', { name: 'Discard the draft' }).click();
      await source.getByText('The list is empty.').waitFor();
      await source.click();
      await page.keyboard.press('Control+z');
      await source.getByText('Nothing is there.').waitFor();
    }
    await page.getByRole('button', { name: /^Submit/ }).click();
    await page.getByText('The assistant has written in it').waitFor();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Submit/ })
      .click();
    await page.getByText('Version 2 waits for the approval').waitFor();
    const [version] = (await shop.client.ai_tasks.get(id)).versions.toSorted((a, b) => b.version - a.version);
    assert.deepEqual([version?.approval, version?.created_via], ['pending', 'assistant'], way);
    await page.done();
  }
});

test('the panel fits any width and has no fault for readers of the screen', async () => {
  const [id, thread] = [await makeTask('Wide'), (await shop.client.assistant.create_thread({})).id];
  model.play(
    inOrder(
      { calls: [{ name: 'write_draft', input: { source_code: SOURCE, permissions: ['admin_api.orders.read'] } }] },
      { text: `It is ${'long '.repeat(60)}${'x'.repeat(200)}` },
    ),
  );
  await shop.client.assistant.send_message(thread, { text: 'Write' });
  await until('it does not end', async () => (await shop.client.assistant.get_thread(thread)).state === 'idle' || undefined);
  for (const width of widths) {
    for (const [name, path] of [
      ['editor', `/tasks/${id}/editor?thread=${thread}`],
      ['described', `/tasks/new/described?thread=${thread}`],
    ] as const) {
      const page = await shop.open({ path, width });
      await panel(page)
        .getByText(/It is long/)
        .waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], `${name} ${width}`);
      await shoot(page, `assistant-${name}-${width}`);
      assert.equal(await isTooWide(page), false, `${name} ${width}`);
      await page.done();
    }
  }
});
