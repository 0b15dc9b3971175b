import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium, type Page } from 'playwright-core';

/** Debian's packages: Chromium without its windows, which needs half the processor time, or the whole of it. */
const PACKAGES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
/** Ten times what the slowest wait takes on two busy cores, so that a slow machine fails none; what never comes fails within a minute. */
const WAIT_MS = 60_000;
export const TOKEN = 'owner-token-of-the-console-0123456789';
/** Where the browser that all files of tests share listens. `global-setup.ts` sets it. */
export const BROWSER_VARIABLE = 'TEST_BROWSER';

export type PageOptions = {
  /** Relative to the server. */
  path?: string;
  /** null: nobody is signed in. */
  token?: string | null;
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  /** The languages that the browser asks for, the first one first. */
  languages?: readonly string[];
  /** The browser has not seen the console before, nor compiled any of it. */
  isFirst?: boolean;
};
export type OpenPage = Page & {
  /** Presses a pair of keys that the page knows, such as `g o`. */
  pressPair(first: string, second: string): Promise<void>;
  /** Leaves the page; throws if it told of anything wrong. */
  done(): Promise<void>;
};

/** The page reads nothing more until the function that comes back is called: it does not hear of a change that was made meanwhile. */
export async function holdReads(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/admin/api/**', async (route) => {
    if (route.request().method() === 'GET') await held.promise;
    await route.continue();
  });
  return () => held.resolve();
}

/** What a browser tells of in its console although nothing is wrong with the page. */
export type Expected = { isServerLost: boolean };
export type TestBrowser = { open(url: string, options: PageOptions, expected?: Expected): Promise<OpenPage>; close(): Promise<void> };

/** The browser that all files of tests share, or one of this file's own. */
export async function startBrowser(): Promise<TestBrowser> {
  const shared = process.env[BROWSER_VARIABLE];
  const own = shared === undefined ? await launchBrowser() : undefined;
  const browser = await chromium.connect(own?.wsEndpoint() ?? shared ?? '');
  const idle: Page[] = [];
  return {
    open: (url, options, expected = { isServerLost: false }) => openPage(browser, idle, url, options, expected),
    async close() {
      await browser.close();
      await own?.close();
    },
  };
}

export function launchBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath: chromiumPath() ?? 'chromium', args: ['--no-sandbox', '--disable-gpu'] });
}

/** The browser: the program that the variable CHROMIUM names, or else one of the packages; null where there is none. */
export function chromiumPath(): string | null {
  const named = process.env['CHROMIUM'];
  return (named ? [named] : PACKAGES).find((path) => existsSync(path)) ?? null;
}

const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI));`;

function isExpected(message: string, { isServerLost }: Expected): boolean {
  // A refusal is answered on the page; so is a server that is not there.
  return /status of 4\d\d/.test(message) || (isServerLost && /net::ERR_/.test(message));
}

/**
 * Opens a page as somebody signed in, and watches it. Two pages that are open at once share nothing. A page that is done with is
 * emptied and opened again, since a new one has to compile the whole console anew, which is most of what opening it costs.
 */
async function openPage(browser: Browser, idle: Page[], url: string, options: PageOptions, expected: Expected): Promise<OpenPage> {
  const { path = '/', token = TOKEN, width = 1280, height = 900, theme = 'light', isFirst = false, languages } = options;
  const page = (isFirst || languages ? undefined : idle.pop()) ?? (await newPage(browser));
  const wrong: string[] = [];
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await signIn(page, url, token);
  if (languages !== undefined)
    await page.addInitScript((asked) => Object.defineProperty(navigator, 'languages', { value: asked }), languages);
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && !isExpected(message.text(), expected) && wrong.push(message.text()));
  page.on(
    'request',
    (request) => !request.url().startsWith(url) && !/^(data|blob):/.test(request.url()) && wrong.push(`foreign: ${request.url()}`),
  );
  await page.goto(`${url}${path}`);
  return Object.assign(page, {
    async pressPair(first: string, second: string) {
      // The second key is sent before the page has handled the first, however slow the machine: the page wants both within a second.
      await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
    },
    async done() {
      await leave(page);
      if (languages === undefined) idle.push(page);
      assert.deepEqual(wrong, []);
    },
  });
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  context.setDefaultTimeout(WAIT_MS);
  await context.addInitScript({ content: TELL_VIOLATIONS });
  return context.newPage();
}

/** Forgets what an earlier page has stored, and stores the token as the sign-in does. */
async function signIn(page: Page, url: string, token: string | null): Promise<void> {
  await page.goto(`${url}/healthz`);
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' });
  await session.detach();
  await page.evaluate((value) => {
    sessionStorage.clear();
    if (value !== null) sessionStorage.setItem('backroom.token', value);
  }, token);
}

async function leave(page: Page): Promise<void> {
  for (const event of ['console', 'dialog', 'download', 'pageerror', 'request', 'requestfailed', 'response'])
    page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
}
