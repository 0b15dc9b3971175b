import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Download, Page } from 'playwright-core';
import { z } from 'zod';
import { connectShop } from '../../cli/remote-shop.ts';
import type { AdminApi } from '../../contract/calls.ts';
import { type PartProcess, startListeningServer, startPart } from '../../ops/processes.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openStore, type Store } from '../../server/db/open.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';
import { freePort } from '../helpers/ports.ts';
import { type Expected, type OpenPage, type PageOptions, startBrowser, TOKEN } from './browser.ts';

const RUNNER_TOKEN = 'runner-token-of-the-console-0123456789';
/** Where pictures of pages go; without it none are made. `SCREENS=docs/screens` renews those of the documents. */
const SCREENS = process.env['SCREENS'];
/** The folder of the shops that all files of tests share. `global-setup.ts` sets it. */
export const SHOPS_VARIABLE = 'TEST_SHOPS';

/** A real server with the sample shop, and a browser that looks at it. */
export type Console = {
  url: string;
  readonly server: PartProcess & { url: string };
  /** Ends the server as a power cut would, and starts it again at the same address with the same data. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  client: AdminApi;
  /** Opens the store of the running server, for rows that the API cannot make (`test/helpers/stored-rows/`). */
  withStore(use: (store: Store) => Promise<void>): Promise<void>;
  /** Makes another admin of the shop: an owner, or, with permissions, one of the staff. */
  admin(name: string, permissions?: readonly string[]): Promise<{ id: number; token: string; client: AdminApi }>;
  /** Uploads a file, which the client of the contract cannot. `path` is relative to `/admin/api`. */
  upload(
    path: string,
    file: { name: string; content: string | Uint8Array<ArrayBuffer>; type: string },
    fields?: Record<string, string>,
  ): Promise<void>;
  /** A page that shares nothing with others that are open; it tells what went wrong in it when it is left. */
  open(options?: PageOptions): Promise<OpenPage>;
  close(): Promise<void>;
};

/** `runner`: a runner process executes the runs that are started. `env`: further variables of the server. `orders`: null for a shop without anything. */
type ConsoleOptions = { orders?: number | null; runner?: boolean; env?: Record<string, string> };

export async function openConsole({ orders = 300, runner = false, env: more = {} }: ConsoleOptions = {}): Promise<Console> {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-console-'));
  const file = join(folder, 'backroom.db');
  const ready = join(process.env[SHOPS_VARIABLE] ?? folder, `${orders}.db`);
  if (orders !== null) await (existsSync(ready) ? copyFile(ready, file) : fillShop(file, orders));
  const withStore = storeOf(file);
  const env = {
    DATA_DIR: folder,
    // The browser and the runner call while the server is down; no call may take the port from which it is to answer again.
    PORT: String(await freePort()),
    BOOTSTRAP_ADMIN_TOKEN: TOKEN,
    RUNNER_TOKEN,
    RATE_LIMIT: '0',
    // However long a restart takes, the runs of the time before it go on.
    LEASE_SECONDS: '600',
    CLAIM_CONFIRM_SECONDS: '600',
    ...more,
  };
  let server = await startListeningServer(env);
  const lost: Expected = { isServerLost: false };
  const client = connectShop(server.url, TOKEN).client;
  const running = runner ? startPart('runner', { SERVER_URL: server.url, RUNNER_TOKEN, LOG_LEVEL: 'warn' }, () => undefined) : undefined;
  const browser = await startBrowser();
  return {
    url: server.url,
    get server() {
      return server;
    },
    async restart(meanwhile) {
      lost.isServerLost = true;
      await server.stop('SIGKILL');
      await meanwhile?.();
      server = await startListeningServer(env);
    },
    client,
    withStore,
    async admin(name, permissions) {
      const email = `${name.toLowerCase().replaceAll(/[^a-z]/g, '')}@example.org`;
      const role = permissions ? { role: 'staff' as const, permissions: [...permissions] } : { role: 'owner' as const };
      const { id } = await client.admins.create({ name, email, ...role });
      const { token } = await client.admins.create_token(id, { name: 'console' });
      assert.ok(token, 'a new token is shown once');
      return { id, token, client: connectShop(server.url, token).client };
    },
    async upload(path, { name, content, type }, fields = {}) {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      form.append('file', new Blob([content], { type }), name);
      const headers = { authorization: `Bearer ${TOKEN}` };
      const answer = await fetch(`${server.url}/admin/api${path}`, { method: 'POST', headers, body: form });
      assert.equal(answer.status, 201, await answer.text());
    },
    open: (options = {}) => browser.open(server.url, options, lost),
    async close() {
      await browser.close();
      await running?.stop();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the store of a sample shop. */
export async function fillShop(file: string, orders: number): Promise<void> {
  await storeOf(file)(async (store) => {
    await migrate(store);
    await fillSampleShop(store, { seed: 1, now: new Date(), orders });
  });
}

/** Lends the store of this file. */
function storeOf(url: string): Console['withStore'] {
  return async (use) => {
    const store = openStore({ url, poolSize: 2, synchronous: 'NORMAL' });
    try {
      await use(store);
    } finally {
      await store.close();
    }
  };
}

/** The narrowest and the widest window that a page is looked at in. */
export const widths = [360, 2560] as const;

/** Takes a picture of what the window shows in light and one in dark colours, where pictures are wanted. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (SCREENS === undefined) return;
  await mkdir(SCREENS, { recursive: true });
  const was = await themeOf(page);
  for (const theme of [was, other(was)]) {
    await setTheme(page, theme);
    await page.screenshot({ path: join(SCREENS, `${name}-${theme}.png`) });
  }
  await setTheme(page, was);
}

type Theme = 'light' | 'dark';
const other = (theme: Theme): Theme => (theme === 'light' ? 'dark' : 'light');

async function themeOf(page: Page): Promise<Theme> {
  return (await page.locator('html').getAttribute('data-theme')) === 'dark' ? 'dark' : 'light';
}

/** The page follows the colours of the browser, unless the admin has chosen others. */
async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-theme=${theme}]`).waitFor();
}

/** The content of a file that the browser has downloaded. */
export async function contentOf(download: Download): Promise<Buffer> {
  return Buffer.concat(await (await download.createReadStream()).toArray());
}

/** Whether something stands out of the page, its sheet or a dialog at the side, or the open tab is beyond the edge of its row. */
export async function isTooWide(page: Page): Promise<boolean> {
  const found = await page.evaluate(`(() => {
    const frames = [document.documentElement, ...document.querySelectorAll('.sheet, dialog')];
    const tabs = [...document.querySelectorAll('.tabs [aria-current]')];
    const isCut = (tab) => {
      const [row, own] = [tab.closest('.tabs'), tab].map((one) => one.getBoundingClientRect());
      return own.left < row.left - 1 || own.right > row.right + 1;
    };
    return frames.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth) || tabs.some(isCut);
  })()`);
  return found === true;
}

/**
 * What axe-core finds wrong on the page as it is, in light and in dark colours. Contrast alone depends on the colours, so everything else
 * is looked for once.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const was = await themeOf(page);
  const faults = await faultsIn(page, {});
  await setTheme(page, other(was));
  const others = await faultsIn(page, { runOnly: ['color-contrast'] });
  await setTheme(page, was);
  return [...faults, ...others.map((fault) => `in ${other(was)} colours: ${fault}`)];
}

/** What axe-core finds wrong on the page as it is, or in a part of it, in its present colours. */
export async function faultsIn(
  page: Page,
  options: { runOnly?: string[]; rules?: Record<string, { enabled: boolean }> },
  within?: string,
): Promise<string[]> {
  await page.evaluate(`void (globalThis.axe ?? (() => { ${axe.source}\n })())`);
  const found: unknown = await page.evaluate(
    `axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, ${JSON.stringify({ ...options, resultTypes: ['violations'], preload: false, selectors: false })})`,
  );
  return Violations.parse(found).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

const Violations = z.object({ violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })) });
