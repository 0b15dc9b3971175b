import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserServer } from 'playwright-core';
import { COMPILED } from '../helpers/compiled.ts';
import { BROWSER_VARIABLE, launchBrowser } from './browser.ts';
import { fillShop, SHOPS_VARIABLE } from './open-console.ts';

/** The sizes of shop that several files use. */
const SIZES = [20, 60, 300];

let browser: BrowserServer | undefined;
let folder: string | undefined;

/** What all files of tests share: a browser, filled shops to be copied, and Node's cache of compiled code. */
export async function globalSetup(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'backroom-consoles-'));
  process.env['NODE_COMPILE_CACHE'] = COMPILED;
  for (const orders of SIZES) await fillShop(join(folder, `${orders}.db`), orders);
  process.env[SHOPS_VARIABLE] = folder;
  browser = await launchBrowser();
  process.env[BROWSER_VARIABLE] = browser.wsEndpoint();
}

export async function globalTeardown(): Promise<void> {
  await browser?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
