import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startBrowser } from './browser.ts';

const DEMO = fileURLToPath(new URL('../../ops/demo.ts', import.meta.url));

test('the address that the demo prints signs in once, to a shop in which something waits in each list', async (t) => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', DEMO], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let address: URL | undefined;
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const [, found] = /^Open (http\S+)$/.exec(line) ?? [];
    if (found === undefined) continue;
    address = new URL(found);
    break;
  }
  assert.ok(address, lines.join('\n'));
  child.stdout.resume();

  const browser = await startBrowser();
  t.after(() => browser.close());
  const code = `${address.search}${address.hash}`;
  const path = address.href.slice(address.origin.length);
  const page = await browser.open(address.origin, { path, token: null });
  await page.getByRole('heading', { name: 'Needs a person' }).waitFor();
  assert.equal(page.url(), `${address.origin}/`);
  const needs = page.locator('section', { has: page.getByRole('heading', { name: 'Needs a person' }) }).getByRole('listitem');
  for (const [words, act] of [
    ['Which gift do the best customers get?', 'Answer'],
    ['Version 2 of “Cancel unpaid orders” waits for approval', 'Review'],
    ['“Win-back credit” was interrupted', 'Show'],
    ['The plan of “Cancel unpaid orders” can be applied', 'See the plan'],
  ] as const)
    await needs.filter({ hasText: words }).getByRole('link', { name: act }).waitFor();
  await needs.getByRole('link', { name: 'See the plan' }).click();
  await page.getByRole('button', { name: /^Apply this plan/ }).waitFor();
  await page.done();

  const second = await browser.open(address.origin, { path, token: null });
  await second.getByText('This link was used already').waitFor();
  assert.ok(code.length > 1 && !second.url().includes(code), 'a used code is not kept in the address');
  await second.done();
  child.kill('SIGINT');
  assert.equal((await ended)[0], 0);
});
