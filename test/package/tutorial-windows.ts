import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { OpenPage, TestBrowser } from '../console/browser.ts';
import type { Act } from './tutorial-acts.ts';

/** What the tutorial does in the console. */

export async function openOther(browser: TestBrowser, server: string, windows: readonly OpenPage[]): Promise<OpenPage> {
  const address = await windows.at(-1)?.locator('.banner code').textContent();
  assert.ok(address, 'a link is shown');
  return browser.open(server, { path: address.slice(new URL(address).origin.length), token: null });
}

export async function atWindow(window: Page | undefined, act: Extract<Act, { kind: 'click' | 'see' }>): Promise<void> {
  assert.ok(window, 'a window is open');
  if (act.kind === 'see') return window.getByText(act.text).first().waitFor();
  const { name, beside } = act;
  const scope = beside === null ? window : window.locator('li, tr, [role=row], [role=listitem]').filter({ hasText: beside });
  // A tab has a count behind its name.
  const named = { name: new RegExp(`^${name}(?: [\\d,]+)?$`) };
  await scope
    .getByRole('button', named)
    .or(scope.getByRole('link', named))
    .or(scope.getByRole('tab', named))
    // A cell may say more behind the name.
    .or(scope.getByRole('cell', { name: new RegExp(`^${name}( |$)`) }))
    .first()
    .click();
}
