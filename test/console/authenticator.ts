import { machineCode } from '../helpers/stored-rows/sessions.ts';
import type { OpenPage, TestBrowser } from './browser.ts';
import type { Console } from './open-console.ts';

/** Passkeys belong to a name, which 127.0.0.1 is not. */
export const namedUrl = ({ url }: Console): string => url.replace('127.0.0.1', 'localhost');

/** A page of a browser that has an authenticator, whose person is there and verified. `url`: by name. */
export async function openWithAuthenticator(browser: TestBrowser, url: string, path: string): Promise<OpenPage> {
  const page = await browser.open(url, { path: '/healthz', token: null });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const;
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, isUserVerified: true, automaticPresenceSimulation: true } });
  await page.goto(`${url}${path}`);
  return page;
}

/** A page of an admin who makes a passkey there, by a link of the machine. */
export async function openWithPasskey(browser: TestBrowser, shop: Console, adminId: number): Promise<OpenPage> {
  let code = '';
  await shop.withStore(async (store) => {
    code = await machineCode(store, adminId);
  });
  const page = await openWithAuthenticator(browser, namedUrl(shop), `/sign-in#${code}`);
  await page.getByRole('button', { name: 'Set up a passkey' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: /, Account: / }).waitFor();
  return page;
}
