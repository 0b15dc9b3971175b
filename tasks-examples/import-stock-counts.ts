/**
 * Imports stock counts: reads an uploaded CSV with lines `sku;count`, asks a person before it writes the counts that differ, and
 * writes a report. A count is entered by compare-and-set, so that a sale in the meantime is not lost.
 */
import { AdminApiError, checkpoint, last_checkpoint, once, progress, result } from 'backroom';
import type { Admin, Files, Prompt } from './import-stock-counts.permissions.ts';

declare const admin: Admin;
declare const files: Files;
declare const prompt: Prompt;

type Count = { sku: string; id: number; stock: number; counted: number };
type Line = { sku: string; before: number | string; counted: number | string; outcome: string };

export default async function main() {
  const { counts, bad } = await once('counts', compare);
  const changed = counts.filter(({ stock, counted }) => stock !== counted);
  const answers = await once('answers', () =>
    prompt({
      label: `${changed.length} of ${counts.length} counts differ, ${bad.length} lines cannot be read. Enter the counts?`,
      fields: [{ name: 'enter', kind: 'boolean', label: 'Enter the counts', required: true }],
    }),
  );
  const lines: Line[] = Array.isArray(last_checkpoint?.lines) ? (last_checkpoint.lines as Line[]) : [];
  for (let done = lines.length; answers.enter && done < changed.length; done += 10) {
    lines.push(...(await Promise.all(changed.slice(done, done + 10).map(enter))));
    progress(lines.length, changed.length, 'counts entered');
    await checkpoint({ lines });
  }
  const report = [...lines, ...bad].map(({ sku, before, counted, outcome }) => [sku, before, counted, outcome].join(';'));
  await files.write('stock-counts.csv', ['sku;before;counted;outcome', ...report, ''].join('\n'), 'text/csv');
  const entered = lines.filter(({ outcome }) => outcome === 'entered').length;
  return { counts: counts.length, differ: changed.length, unreadable: bad.length, entered };
}

async function enter({ sku, id, stock, counted }: Count): Promise<Line> {
  let outcome = 'entered';
  try {
    await admin.products.change_stock(id, { stock: counted, expected_stock: stock });
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    outcome = error.code;
  }
  result(outcome === 'entered' ? 'entered' : 'failed', sku, { before: stock, counted });
  return { sku, before: stock, counted, outcome };
}

async function compare() {
  const known = new Map<string, { id: number; stock: number }>();
  for await (const { variants } of admin.products.each({ per_page: 100 }))
    for (const { sku, id, stock } of variants) known.set(sku, { id, stock });
  const counts = new Map<string, Count>();
  const bad: Line[] = [];
  for (const line of (await files.text('counts')).split(/\r?\n/).filter((text) => text.trim() !== '')) {
    const [sku = '', count = ''] = line.split(';').map((part) => part.trim());
    const variant = known.get(sku);
    if (variant && /^\d{1,9}$/.test(count)) counts.set(sku, { sku, ...variant, counted: Number(count) });
    else bad.push({ sku, before: '', counted: count, outcome: variant ? 'no count' : 'unknown sku' });
  }
  return { counts: [...counts.values()], bad };
}
