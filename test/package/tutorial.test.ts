import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect } from '../../client/index.ts';
import { type OpenPage, startBrowser, type TestBrowser } from '../console/browser.ts';
import { type Block, PROJECT } from '../helpers/documents.ts';
import { type Installed, installPackage } from './installed.ts';
import { carryOut, closePage, openPage, type Page } from './page.ts';
import { actsOf } from './tutorial-acts.ts';
import { atWindow, openOther } from './tutorial-windows.ts';

/** The tutorial, followed word for word with nothing but the package: what is typed, what is clicked by its name, and what is seen. */

const PATH = 'docs/tutorial.md';
const document = { path: PATH, text: readFileSync(join(PROJECT, PATH), 'utf8') };

let shop: Installed;
let browser: TestBrowser;
before(async () => {
  shop = installPackage();
  // The package is in no registry yet: `npm install` takes what was packed.
  const npm = shop.run('PATH=$(echo "$PATH" | cut -d : -f 2-) command -v npm').trim();
  shop.place(
    'npm',
    `#!/bin/sh\n[ "$*" = install ] && set -- install --no-save --no-audit --no-fund --loglevel=error '${shop.tarball}'\nexec '${npm}' "$@"\n`,
  );
  browser = await startBrowser();
});
after(() => browser.close());

test('the tutorial leads from an empty folder to a task that runs every morning', async (t) => {
  const page = openPage(shop, document, {});
  t.after(() => closePage(shop, page));
  const windows: OpenPage[] = [];
  const took: string[] = [];
  for (const act of actsOf(document)) {
    const began = performance.now();
    try {
      if (act.kind === 'block') await carryBlock(page, act.block, windows);
      else if (act.kind === 'other window' && act.isOpened) windows.push(await openOther(browser, page.server, windows));
      else if (act.kind === 'other window') await windows.pop()?.done();
      else await atWindow(windows.at(-1), act);
    } catch (error) {
      const shown = await windows.at(-1)?.locator('body').ariaSnapshot();
      throw new Error(
        `${PATH}:${act.line} ${act.kind} ${JSON.stringify(act)}\n${error instanceof Error ? error.message : String(error)}\n${shown ?? ''}`,
      );
    }
    const seconds = (performance.now() - began) / 1000;
    if (seconds > 1)
      took.push(
        `  ${seconds.toFixed(1).padStart(6)} s  ${act.kind === 'block' ? (act.block.text.split('\n')[0] ?? '') : JSON.stringify(act)}`,
      );
  }
  for (const window of windows) await window.done();
  await checkShop(page);
  process.stdout.write(`waiting in the tutorial:\n${took.join('\n')}\n`);
});

/** What the shop has in the end: the task, approved by a colleague, has run, and will again. */
async function checkShop(page: Page): Promise<void> {
  const { api } = connect({ url: page.server, token: page.typed.trim() });
  const [task] = (await api.ai_tasks.list({ search: 'Mark late orders' })).tasks;
  assert.ok(task);
  const { task: stored } = await api.ai_tasks.get(task.id);
  const { approved_by } = await api.ai_tasks.get_version(task.id, stored.current_version_id ?? 0);
  assert.equal((await api.admins.get(approved_by ?? 0)).name, 'Eszter Kovács');
  const runs = await api.ai_tasks.list_runs(task.id, {});
  assert.deepEqual(
    runs.map(({ status, dry_run }) => [status, dry_run]),
    [
      ['success', false],
      ['success', true],
    ],
  );
  const [schedule] = await api.ai_tasks.list_schedules(task.id);
  assert.deepEqual([schedule?.cron, schedule?.enabled], ['0 6 * * *', true]);
}

/** The demo is opened by the link that it prints; its token is what is pasted later. */
async function carryBlock(page: Page, block: Block, windows: OpenPage[]): Promise<void> {
  const known = page.server;
  await carryOut(shop, page, block);
  if (page.server === known) return;
  const demo = page.started.at(-1);
  const [, address = ''] = /^Open (\S+)/.exec((await demo?.line(/^Open http/)) ?? '') ?? [];
  const [, token = ''] = /Token +(\S+)/.exec((await demo?.line(/^ {2}Token/)) ?? '') ?? [];
  page.typed = `${token}\n`;
  windows.push(await browser.open(page.server, { path: address.slice(page.server.length), token: null }));
}
