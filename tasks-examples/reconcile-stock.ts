/**
 * Reconciles stock: reports tracked variants whose stock is not the sum of their movements (a correction is a movement too, so
 * it does not close such a gap). `counts`, a stocktake as {"SKU": pieces}, is entered by compare-and-set, so that no sale is lost; a run
 * enters at most `max` of them. Each variant costs a call or more, so the task may make more calls than usual.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result } from 'backroom';
import type { Script } from './reconcile-stock.permissions.ts';

declare const admin: Script['admin'];

type Shelf = { id: number; sku: string; stock: number; counted: number };

export default async function main() {
  const { variants, gaps, wrong, left } = await once('audit', audit);
  let corrected = Number(last_checkpoint?.corrected ?? 0);
  for (let done = Number(last_checkpoint?.done ?? 0); done < wrong.length; done += 10) {
    const outcomes = await Promise.all(wrong.slice(done, done + 10).map(correct));
    corrected += outcomes.filter(Boolean).length;
    await checkpoint({ done: done + 10, corrected });
  }
  log(`${variants} variants checked, ${gaps.length} differ from their movements, ${corrected} corrected`);
  if (left > 0) log(`${left} more counts differ: they are left for the next run`);
  return { variants, gaps: gaps.length, to_correct: wrong.length + left, corrected, left, first_gaps: gaps.slice(0, 100) };
}

async function correct({ id, sku, stock, counted }: Shelf): Promise<boolean> {
  try {
    await admin.products.change_stock(id, { stock: counted, expected_stock: stock });
    result('corrected', sku, { variant_id: id, before: stock, after: counted });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', sku, { variant_id: id, code: error.code });
    return false;
  }
}

async function audit() {
  const counts = new Map(Object.entries(parameters.counts ?? {}).map(([sku, count]) => [sku, Number(count)]));
  const shelves: Shelf[] = [];
  for await (const { variants } of admin.products.each({ per_page: 100 })) {
    const tracked = variants.filter(({ track_stock }) => track_stock);
    shelves.push(...tracked.map(({ id, sku, stock }) => ({ id, sku, stock, counted: counts.get(sku) ?? stock })));
  }
  const gaps: object[] = [];
  for (let from = 0; from < shelves.length; from += 12) {
    gaps.push(...(await Promise.all(shelves.slice(from, from + 12).map(findGap))).flat());
    progress(Math.min(from + 12, shelves.length), shelves.length, 'variants checked');
  }
  const wrong = shelves.filter(({ stock, counted }) => stock !== counted);
  const max = Number(parameters.max);
  return { variants: shelves.length, gaps, wrong: wrong.slice(0, max), left: Math.max(0, wrong.length - max) };
}

async function findGap({ id, sku, stock }: Shelf): Promise<object[]> {
  const movements = await sumMovements(id);
  // The stock is read again, because a sale between the two reads is not a gap.
  if (movements === stock || movements === (await admin.products.get_variant(id)).stock) return [];
  result('gap', sku, { variant_id: id, stock, movements });
  return [{ variant_id: id, sku, stock, movements }];
}

async function sumMovements(variantId: number, before_id?: number): Promise<number> {
  const rows = await admin.products.list_stock_movements(variantId, { limit: 200, before_id });
  const sum = rows.reduce((total, { delta }) => total + delta, 0);
  return rows.length < 200 ? sum : sum + (await sumMovements(variantId, rows.at(-1)?.id));
}
