import type { OpenPage } from '../test/console/browser.ts';
import type { Console } from '../test/console/open-console.ts';
import { BLANK, msAfterInput, msToShow, SAMPLES } from './console-page.ts';
import { median, type Row, row } from './report.ts';

const SOURCE = `export default async function main() {
  const { data } = await admin.orders.list({ status: 'pending', per_page: 3 });
  const wrong: string = 7;
  const one: number = 1;
  admin.orders.
  return { orders: data.length };
}
`;
/** How often a fault is written and taken back. */
const CHECKS = 5;

const marks = `(document.querySelector('.editor-host')?.shadowRoot?.querySelectorAll('.cm-lintRange-error').length ?? 0)`;
const options = `document.querySelector('.editor-host').shadowRoot.querySelector('.cm-tooltip-autocomplete li')`;

/**
 * The editor of a task: what TypeScript, in its worker, says about the source. The bounds are about one and a half times what a
 * quiet machine of two cores takes.
 */
export async function measureConsoleEditor(shop: Console): Promise<Row[]> {
  const { task_id: id } = await shop.client.ai_tasks.create({
    name: 'Typed',
    description: '',
    source_code: SOURCE,
    permissions: ['admin_api.orders.read'],
    parameters: [],
  });
  const url = `${shop.url}/tasks/${id}/editor`;
  const times: Record<'cold' | 'warm' | 'complete' | 'check', number[]> = { cold: [], warm: [], complete: [], check: [] };
  for (let i = 0; i < SAMPLES; i++) {
    const page = await shop.open({ isFirst: true, path: BLANK });
    times.cold.push(await msToShow(page, url, `${marks} > 0`));
    await page.goto(`${shop.url}${BLANK}`);
    times.warm.push(await msToShow(page, url, `${marks} > 0`));
    times.complete.push(await completion(page));
    for (let check = 0; check < CHECKS; check++) times.check.push(...(await recheck(page)));
    await page.done();
  }
  const rowOf = (part: keyof typeof times, name: string, most: number): Row =>
    row({ name: `editor: ${name}`, figure: median(times[part]), unit: 'ms', figureBound: { most } });
  return [
    rowOf('cold', 'navigation → first fault marked, cold cache', 2000),
    rowOf('warm', 'navigation → first fault marked, warm cache', 1500),
    rowOf('complete', 'Ctrl+Space → suggestions (50 ms wait for the next key)', 150),
    rowOf('check', 'key → its fault marked or gone (300 ms wait for the next key)', 450),
  ];
}

async function completion(page: OpenPage): Promise<number> {
  await page.locator('.cm-line', { hasText: 'admin.orders.' }).last().click();
  await page.keyboard.press('End');
  const tookMs = await msAfterInput(page, options, () => page.keyboard.press('Control+Space'));
  await page.keyboard.press('Escape');
  return tookMs;
}

/** `1n` is no number: writes the `n`, and takes it back. */
async function recheck(page: OpenPage): Promise<number[]> {
  await page.locator('.cm-line', { hasText: 'const one' }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const before = Number(await page.evaluate(marks));
  const marked = await msAfterInput(page, `${marks} === ${before + 1}`, () => page.keyboard.press('n'));
  const gone = await msAfterInput(page, `${marks} === ${before}`, () => page.keyboard.press('Backspace'));
  return [marked, gone];
}
