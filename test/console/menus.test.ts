import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60 });
});
after(() => shop.close());

for (const width of [390, 1440]) {
  test(`at ${width} pixels each part of the account menu has a row of its own, and letters are switched there by keyboard alone`, async () => {
    const page = await shop.open({ path: '/orders', width });
    const account = page.getByRole('button', { name: /Account: / });
    await account.click();
    await page.getByRole('menu').waitFor();
    // An item is as tall as its text; where it is not, the text stands over that of the next.
    const cut = await page.evaluate(`[...document.querySelectorAll('.menu-item')]
      .filter((item) => item.scrollHeight > item.clientHeight || item.scrollWidth > item.clientWidth)
      .map((item) => item.textContent)`);
    assert.deepEqual(cut, []);
    await shoot(page, `account-menu-${width}`);
    await page.keyboard.press('Escape');
    await account.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio').first().and(page.locator(':focus')).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    const letters = page.getByRole('menuitemcheckbox', { name: 'Single letters act as shortcuts' });
    await letters.and(page.locator('[aria-checked=true]:focus')).waitFor();
    await page.keyboard.press('Enter');
    await letters.and(page.locator('[aria-checked=false]')).waitFor();
    await page.done();
  });
}

test('on a phone a tap outside the menu closes it and does nothing else', async () => {
  const page = await shop.open({ path: '/orders', width: 390, height: 844 });
  await page.getByRole('row').nth(5).waitFor();
  const areas = page.getByRole('navigation', { name: 'Main' });
  const address = page.url();
  // Over a row of the list, and over what else stands in the head.
  for (const [x, y] of [
    [370, 500],
    [364, 22],
  ] as const) {
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await areas.waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await shoot(page, 'phone-menu');
    await page.mouse.click(x, y);
    await areas.waitFor({ state: 'hidden' });
    assert.equal(page.url(), address);
    assert.equal(await page.getByRole('dialog').or(page.getByRole('menu')).or(page.locator('.sheet')).count(), 0);
  }
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.keyboard.press('Escape');
  await areas.waitFor({ state: 'hidden' });
  await page.done();
});
