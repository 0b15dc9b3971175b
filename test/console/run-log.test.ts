import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OpenPage } from './browser.ts';
import { type Console, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20, runner: true });
});
after(() => shop.close());

const LINES = 240;
const COUNTING = `
  for (let n = 1; n <= ${LINES}; n++) {
    log('line ' + n + ' of the count');
    if (n % 12 === 0) await sleep(400);
  }`;

async function makeTask(name: string, source_code = 'log(1)'): Promise<number> {
  const { task_id } = await shop.client.ai_tasks.create({ name, description: '', source_code, permissions: [], parameters: [] });
  return task_id;
}

/** A run that a client drives: its log is what the test sends. */
async function drivenRun(name: string): Promise<{ taskId: number; runId: number; path: string }> {
  const taskId = await makeTask(name);
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, { executor: 'external' });
  return { taskId, runId, path: `/tasks/${taskId}/runs/${runId}` };
}

const logOf = (page: OpenPage) => page.getByRole('region', { name: 'Log', exact: true });

test('a run is watched while its server is killed and started again: no line is lost, and none comes twice', async () => {
  const taskId = await makeTask('Count', COUNTING);
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId);
  const page = await shop.open({ path: `/tasks/${taskId}/runs/${runId}` });
  const log = logOf(page);
  await log.getByText('line 24 of the count').waitFor();
  await shop.restart(async () => {
    await page.getByText(/^Connection lost, going on from \d+ …$/).waitFor();
    await shoot(page, 'run-log-lost');
  });
  await log.getByText(`line ${LINES} of the count`).waitFor();
  await page.getByText('Success').first().waitFor();
  await page.getByText(/^Connection lost/).waitFor({ state: 'detached' });
  const shown = ((await log.textContent()) ?? '').trimEnd().split('\n');
  assert.deepEqual(
    shown,
    Array.from({ length: LINES }, (_, n) => `line ${n + 1} of the count`),
  );
  await page.done();
});

test('100,000 lines are there at once, found, copied without their numbers, and linked by their number', async () => {
  const { taskId, runId, path } = await drivenRun('Flood');
  const all = Array.from({ length: 100_000 }, (_, n) => `order ${n + 1} looked at; total ${(n * 37) % 9973} EUR`);
  for (let from = 0; from < all.length; from += 1000) {
    const events = all.slice(from, from + 1000).map((line) => ({ kind: 'log' as const, line }));
    await shop.client.ai_tasks.append_run_events(taskId, runId, { events });
  }
  const page = await shop.open({ path: `${path}?line=60149`, theme: 'dark' });
  await page.getByText('100,000 lines').waitFor();
  const log = logOf(page);
  // There is no element for a line: 100,000 elements would make each scroll slow.
  const elements = Number(await page.evaluate('document.querySelectorAll(".log *").length'));
  assert.ok(elements > 0 && elements <= 700, `${elements} elements`);
  await page.waitForFunction(IN_VIEW, 'order 60149 looked at');

  const hits = all.filter((line) => line.endsWith('total 75 EUR')).length;
  assert.ok(hits > 5);
  await page.getByPlaceholder('Find in the log').fill('TOTAL 75 eur');
  await page.getByText(`${hits} found`).waitFor();
  await page.keyboard.press('Enter');
  const first = all.findIndex((line, n) => n >= 60_148 && line.endsWith('total 75 EUR')) + 1;
  await page.waitForFunction(IN_VIEW, `order ${first} looked at`);
  assert.match(page.url(), new RegExp(`line=${first}`));
  await page.getByText(new RegExp(`^\\d+ of ${hits} found$`)).waitFor();
  await shoot(page, 'run-log-100000-dark');
  await page.reload();
  await page.waitForFunction(IN_VIEW, `order ${first} looked at`);
  assert.equal(await page.getByPlaceholder('Find in the log').inputValue(), 'TOTAL 75 eur');

  await log.press('Control+a');
  const selected = String(
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('.log')); getSelection().toString()`),
  );
  assert.deepEqual(selected.split('\n').filter(Boolean), all);
  await page.done();
});

/** Whether this many lines are there, each with its time. */
const TIMED = `(count) => {
  const rows = document.querySelector('.log-gutter')?.dataset.numbers?.trimEnd().split('\\n') ?? [];
  return rows.length === count && rows.every((row) => /\\d:\\d\\d/.test(row));
}`;

test('lines that come soon after others, and are the last, get their times without a reload', async () => {
  const { taskId, runId, path } = await drivenRun('Late lines');
  const say = (line: string) => shop.client.ai_tasks.append_run_events(taskId, runId, { events: [{ kind: 'log', line }] });
  await say('the first');
  const page = await shop.open({ path });
  await page.waitForFunction(TIMED, 1);
  await say('the last');
  await page.waitForFunction(TIMED, 2);
  await page.done();
});

/** Whether the line that begins so is within the frame of the log. */
const IN_VIEW = `(text) => {
  const frame = document.querySelector('.log');
  if (!frame) return false;
  for (const pre of frame.querySelectorAll('pre')) {
    const at = pre.firstChild.data.indexOf(text);
    if (at === -1) continue;
    const range = document.createRange();
    range.setStart(pre.firstChild, at);
    range.setEnd(pre.firstChild, at + text.length);
    const line = range.getBoundingClientRect();
    const box = frame.getBoundingClientRect();
    return line.top >= box.top && line.bottom <= box.bottom;
  }
  return false;
}`;

test('a log is followed to its end until somebody scrolls up, and again by its key', async () => {
  const { taskId, runId, path } = await drivenRun('Chatty');
  const say = (from: number) =>
    shop.client.ai_tasks.append_run_events(taskId, runId, {
      events: Array.from({ length: 200 }, (_, n) => ({ kind: 'log' as const, line: `says ${from + n}` })),
    });
  await say(1);
  const page = await shop.open({ path });
  await page.waitForFunction(IN_VIEW, 'says 200\n');
  const follow = page.getByRole('checkbox', { name: 'Follow' });
  assert.equal(await follow.isChecked(), true);
  await say(201);
  await page.waitForFunction(IN_VIEW, 'says 400\n');
  await logOf(page).hover();
  await page.mouse.wheel(0, -600);
  await page.getByRole('checkbox', { name: 'Follow', checked: false }).waitFor();
  await say(401);
  await page.getByText('600 lines').waitFor();
  assert.equal(await page.evaluate(`(${IN_VIEW})('says 600\\n')`), false);
  await page.keyboard.press('.');
  await page.waitForFunction(IN_VIEW, 'says 600\n');
  await page.done();
});

test('calls, progress and results read as sentences, a line of several rows as it was written', async () => {
  const { taskId, runId, path } = await drivenRun('Talk');
  await shop.client.ai_tasks.append_run_events(taskId, runId, {
    events: [
      { kind: 'log', line: 'first\n  second row' },
      { kind: 'admin_api', method: 'PATCH', path: '/orders/71/status', status: 409 },
      { kind: 'progress', current: 98, total: 120, label: 'unpaid orders' },
      { kind: 'result', status: 'cancelled', item: 'ZWXPDMS75Y2E', details: { total: 1200, note: null } },
    ],
  });
  const page = await shop.open({ path });
  await page.getByText('98 of 120').waitFor();
  await logOf(page).getByText('cancelled ZWXPDMS75Y2E').waitFor();
  const text = await logOf(page).textContent();
  assert.equal(
    text,
    'first\n  second row\nPATCH /orders/71/status 409\nunpaid orders 98 / 120\ncancelled ZWXPDMS75Y2E  total 1200, note nothing\n',
  );
  await page.getByRole('button', { name: 'Calls 1' }).click();
  await page.getByText('1 call was refused').waitFor();
  await page.getByRole('button', { name: 'Results 1' }).click();
  await page.getByRole('row', { name: /cancelled ZWXPDMS75Y2E/ }).waitFor();
  await page.done();
});
