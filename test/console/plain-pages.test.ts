import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { type Colour, contrast } from '../helpers/contrast.ts';
import { type Console, openConsole } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

/** What stands on each page that the server makes by itself, without the console's styles. */
const pages = {
  '/unsubscribe/no-such-link': ['h1', 'p'],
};

for (const theme of ['light', 'dark'] as const) {
  for (const [path, selectors] of Object.entries(pages)) {
    test(`${path} in ${theme} colours: text and links have a contrast of 4.5 on what they really stand on`, async () => {
      const page = await shop.open({ path, token: null, theme });
      const faint: string[] = [];
      for (const selector of selectors) {
        const element = page.locator(selector).first();
        const [ground, ink] = [await groundOf(page, element), await inkOf(page, selector)];
        const isDark = Math.max(...ground) < 128;
        assert.equal(isDark, theme === 'dark', `${selector} stands on ${ground}`);
        const found = contrast(ground, ink);
        if (!(found >= 4.5)) faint.push(`${selector}: ${found.toFixed(2)}`);
      }
      assert.deepEqual(faint, []);
      await page.done();
    });
  }
}

/** The colour of the pixel in the corner of an element, as the browser has drawn it. */
async function groundOf(page: Page, element: Locator): Promise<Colour> {
  await element.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await element.boundingBox()) ?? {};
  return onlyPixel(await page.screenshot({ clip: { x: Math.ceil(x) + 1, y: Math.ceil(y) + 1, width: 1, height: 1 } }));
}

/** The colour in a PNG of one pixel: its only row is a byte that names a filter, which changes nothing there, and the pixel. */
function onlyPixel(png: Buffer): Colour {
  const packed: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') packed.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const [, red = 0, green = 0, blue = 0] = inflateSync(Buffer.concat(packed));
  return [red, green, blue];
}

async function inkOf(page: Page, selector: string): Promise<Colour> {
  const text = String(await page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).color`));
  const [red, green, blue] = [...text.matchAll(/\d+/g)].map(Number);
  return [red ?? Number.NaN, green ?? Number.NaN, blue ?? Number.NaN];
}
