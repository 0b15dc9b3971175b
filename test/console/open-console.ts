import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import { connectShop } from '../../cli/remote-shop.ts';
import type { AdminApi } from '../../contract/calls.ts';
import { type PartProcess, startListeningServer } from '../../scripts/processes.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';

/** Debian's package, or whatever Chromium the machine has. */
const CHROMIUM = process.env['CHROMIUM'] || '/usr/bin/chromium';
export const TOKEN = 'owner-token-of-the-console-0123456789';

/** A real server with the sample shop, and a browser that looks at it. */
export type Console = {
  url: string;
  server: PartProcess & { url: string };
  client: AdminApi;
  /** A page of a browser of its own; it tells what went wrong in it when it is closed. */
  open(options?: PageOptions): Promise<OpenPage>;
  close(): Promise<void>;
};

type PageOptions = { path?: string; token?: string | null; width?: number; height?: number; theme?: 'light' | 'dark' };
export type OpenPage = Page & { done(): Promise<void> };

export async function openConsole({ orders = 300 } = {}): Promise<Console> {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-console-'));
  await fill(join(folder, 'backroom.db'), orders);
  const env = {
    DATA_DIR: folder,
    PORT: '0',
    BOOTSTRAP_ADMIN_TOKEN: TOKEN,
    RUNNER_TOKEN: 'runner-token-of-the-console-0123456789',
    RATE_LIMIT: '0',
  };
  const server = await startListeningServer(env);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  return {
    url: server.url,
    server,
    client: connectShop(server.url, TOKEN).client,
    open: (options = {}) => openPage(browser, server.url, options),
    async close() {
      await browser.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function fill(file: string, orders: number): Promise<void> {
  const store = openStore({ url: file, poolSize: 2, synchronous: 'NORMAL' });
  try {
    await migrate(store);
    await fillSampleShop(store, { seed: 1, now: new Date(), orders });
  } finally {
    await store.close();
  }
}

const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI));`;

/** Opens a page as somebody signed in (`token: null`: as nobody), and watches it. */
async function openPage(browser: Browser, url: string, options: PageOptions): Promise<OpenPage> {
  const { path = '/', token = TOKEN, width = 1280, height = 900, theme = 'light' } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce' });
  const wrong: string[] = [];
  await context.addInitScript({ content: TELL_VIOLATIONS });
  if (token !== null)
    await context.addInitScript({
      content: `sessionStorage.getItem('was') ?? sessionStorage.setItem('backroom.token', ${JSON.stringify(token)}); sessionStorage.setItem('was', '1');`,
    });
  const page = await context.newPage();
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  // A refusal is answered on the page; the browser tells of it in its console, too.
  page.on('console', (message) => message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && wrong.push(message.text()));
  page.on(
    'request',
    (request) => !request.url().startsWith(url) && !/^(data|blob):/.test(request.url()) && wrong.push(`foreign: ${request.url()}`),
  );
  await page.goto(`${url}${path}`);
  return Object.assign(page, {
    async done() {
      await context.close();
      assert.deepEqual(wrong, []);
    },
  });
}

/** What axe-core finds wrong on the page as it is. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  return Violations.parse(found).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

const Violations = z.object({ violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })) });
