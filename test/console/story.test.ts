import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inOrder, MODEL_KEY, type ModelServer, openModelServer } from '../helpers/model-server.ts';
import type { OpenPage } from './browser.ts';
import { type Console, openConsole } from './open-console.ts';

/**
 * From a wish to a run. With `SCREENS` it also takes the frames of the moving picture of README.md, and writes what `img2webp` makes it of
 * (CONTRIBUTING.md).
 */

const SCREENS = process.env['SCREENS'];
const WISH = 'Cancel the orders that nobody has paid for two weeks';
const TASK = 'Cancel unpaid orders';
const SOURCE = `import { admin, log, progress } from 'backroom';

/** Cancels orders that nobody has paid for two weeks. */
export default async function main() {
  const latest = Temporal.Now.plainDateISO().subtract({ days: 14 });
  const unpaid: { id: number; public_id: string }[] = [];
  const made = { status: 'pending', created_to: latest.toString() } as const;
  for await (const order of admin.orders.each(made)) {
    if (['pending', 'failed'].includes(order.payment_status)) unpaid.push(order);
  }
  for (const [n, { id, public_id }] of unpaid.entries()) {
    await admin.orders.update_status(id, { status: 'cancelled' });
    log(\`cancelled \${public_id}\`);
    progress(n + 1, unpaid.length, 'unpaid orders');
  }
  return { cancelled: unpaid.length };
}
`;

let shop: Console;
let model: ModelServer;
before(async () => {
  model = await openModelServer();
  shop = await openConsole({ orders: 2000, runner: true });
  const provider = { provider: 'openai', base_url: model.url('openai'), model: 'small', api_key: MODEL_KEY } as const;
  await shop.client.settings.update({ assistant: provider, approval_policy: 'second_admin' });
});
after(async () => {
  await shop.close();
  await model.close();
});

test('a wish becomes a draft, its plan is shown, a second person approves it, and the run does what was planned', async () => {
  const author = await openAs('Eszter Kovács');
  const film = startFilm();
  const thread = await wish(author, film);
  const planned = await plan(author, film, thread);
  await handIn(author);
  await author.done();

  const second = await openAs('Jonas Weber');
  await approve(second, film, planned);
  const run = await runIt(second, film, planned);
  assert.equal(run.length, planned, 'as many orders were cancelled as the plan had said');
  await second.done();
  await film.end();
});

async function openAs(name: string): Promise<OpenPage> {
  const { token } = await shop.admin(name);
  return shop.open({ path: '/', token, width: 1280, height: 800 });
}

/** Says what is wished, and sees the draft that the model writes; returns what lets the model go on. */
async function wish(page: OpenPage, film: Film): Promise<() => void> {
  const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>();
  const turns = inOrder(
    {
      text: 'I look for pending orders of which no payment has come, and cancel each. Stock comes back with them.',
      calls: [{ name: 'write_draft', input: { source_code: SOURCE, permissions: ['admin_api.orders.write'] } }],
    },
    { calls: [{ name: 'check', input: {} }] },
    { calls: [{ name: 'dry_run', input: {} }] },
    { text: 'The plan is beside this. Nothing has changed yet.' },
  );
  let asked = 0;
  model.play(async (request) => {
    asked += 1;
    if (asked === 2) await isSeen;
    return turns(request);
  });
  await page.getByRole('link', { name: 'Tasks', exact: true }).click();
  await page.getByRole('link', { name: 'New task' }).first().click();
  await page.getByLabel('Describe what the task should do').fill(WISH);
  await film.shoot(page, '1  A wish, in words', 1600);
  await page.getByRole('button', { name: 'Write a draft' }).click();
  await page.waitForURL(/\/tasks\/new\/described\?thread=\d+$/);
  await page.getByRole('region', { name: 'Draft', exact: true }).getByText('update_status').waitFor();
  await film.shoot(page, '2  A draft: what it may do, and its source', 1600);
  return goOn;
}

/** Sees the plan of the dry run, which has changed nothing; returns how many orders it would cancel. */
async function plan(page: OpenPage, film: Film, goOn: () => void): Promise<number> {
  const before = await cancelled();
  goOn();
  const found = page.getByRole('region', { name: 'Dry run' }).getByText(/^It would make \d+ changes\.$/);
  await found.waitFor();
  await page.getByText('The plan is beside this.').waitFor();
  await film.shoot(page, '3  Its plan: every change, none of them made', 2000);
  assert.deepEqual(await cancelled(), before);
  return Number(/\d+/.exec((await found.textContent()) ?? '')?.[0]);
}

async function handIn(page: OpenPage): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(TASK);
  await page.getByRole('button', { name: /^Make a task of it/ }).click();
  await page.waitForURL(/\/tasks\/\d+\/editor$/);
}

async function approve(page: OpenPage, film: Film, planned: number): Promise<void> {
  await page.getByRole('link', { name: /^Approvals/ }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: `${TASK} · version 1` })
    .getByRole('link', { name: 'Review' })
    .click();
  await page.getByRole('region', { name: 'Source' }).getByText('update_status').waitFor();
  await page.getByText('Change orders').first().waitFor();
  await page.getByRole('button', { name: 'Dry run', exact: true }).click();
  await page
    .getByRole('form', { name: 'Dry run' })
    .getByRole('button', { name: /^Dry run/ })
    .click();
  await page.getByText(`it would make ${planned} changes`).waitFor();
  await page.getByText('What it would do').click();
  await film.shoot(page, '4  A second person reads it, and approves', 2000);
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('Approved by Jonas Weber').waitFor();
}

/** Starts the task and follows its run to the end; returns the orders that it cancelled. */
async function runIt(page: OpenPage, film: Film, planned: number): Promise<number[]> {
  const before = new Set(await cancelled());
  await page.getByRole('link', { name: 'Overview' }).last().click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/\/runs\/\d+/);
  const end = page.getByText('Success').first();
  await film.follow(page, '5  The run, live', end);
  await end.waitFor();
  await page.getByText(`${planned} of ${planned}`).first().waitFor();
  await page.getByRole('button', { name: 'Effects' }).click();
  await page.getByText(`${planned} orders`).first().waitFor();
  await film.shoot(page, '6  Done: exactly what was planned', 2400);
  return (await cancelled()).filter((id) => !before.has(id));
}

async function cancelled(): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = await shop.client.orders.list({ status: 'cancelled', per_page: 100, page });
    ids.push(...data.map(({ id }) => id));
    if (data.length < 100) return ids;
  }
}

type Film = {
  /** Takes a frame that is shown for some milliseconds, with a line that says what it shows. */
  shoot(page: Page, words: string, ms: number): Promise<void>;
  /** Takes frames one after the other until something is there. */
  follow(page: Page, words: string, end: ReturnType<Page['getByText']>): Promise<void>;
  end(): Promise<void>;
};

const FOLLOWED_MS = 350;
const FOLLOWED_MAX = 5;

function startFilm(): Film {
  const folder = SCREENS === undefined ? undefined : join(SCREENS, 'story');
  const frames: { name: string; ms: number }[] = [];
  async function shoot(page: Page, words: string, ms: number): Promise<void> {
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    const name = join(folder, `${String(frames.length).padStart(2, '0')}.png`);
    frames.push({ name, ms });
    await page.evaluate(captionOf(words));
    await page.screenshot({ path: name });
    await page.evaluate(`document.querySelector('#caption').remove()`);
  }
  return {
    shoot,
    async follow(page, words, end) {
      for (let taken = 0; folder !== undefined && taken < FOLLOWED_MAX && (await end.count()) === 0; taken += 1)
        await shoot(page, words, FOLLOWED_MS);
    },
    async end() {
      if (folder === undefined) return;
      const lines = frames.flatMap(({ name, ms }) => [`-d ${ms}`, name]);
      await writeFile(join(folder, 'img2webp.txt'), ['-loop 0 -lossy -q 80 -m 6', ...lines, '-o docs/screens/story.webp', ''].join('\n'));
    },
  };
}

/** Puts a line over the lower edge of the page; its looks are set by script, as the content policy wants it. */
function captionOf(words: string): string {
  const look = {
    position: 'fixed',
    insetInline: '0',
    insetBlockEnd: '0',
    zIndex: '99',
    padding: '14px 24px',
    background: '#0a5c6b',
    color: '#ffffff',
    font: '500 24px/32px "Geist Variable", sans-serif',
    whiteSpace: 'pre',
  };
  return `(() => {
    const line = Object.assign(document.createElement('div'), { id: 'caption', textContent: ${JSON.stringify(words)} });
    Object.assign(line.style, ${JSON.stringify(look)});
    document.body.append(line);
  })()`;
}
