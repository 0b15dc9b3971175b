/**
 * Imports stock counts: reads an uploaded CSV with a SKU and its count in each line, asks a person before it writes the counts that differ,
 * and writes a report. Cells may be quoted and separated by semicolons, commas or tabs. With a heading, the columns `sku` and `count` may
 * stand anywhere. A SKU that came twice is left out and named, because nobody knows which count is right. A count is entered by
 * compare-and-set, so that a sale in the meantime is not lost. A run enters at most `max` counts, and the next one goes on with the same
 * file; a dry run may make 200 writes.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result } from 'backroom';
import type { Script } from './import-stock-counts.permissions.ts';

declare const admin: Script['admin'];
declare const files: Script['files'];
declare const prompt: Script['prompt'];

/** What a run keeps in memory and in its checkpoint has an end; a larger file is read again by the next run. */
const CHANGED_MAX = 4000;
const BAD_MAX = 1000;
const CELL_MAX = 100;

type Shelf = { id: number; stock: number };
type Count = { sku: string; id: number; stock: number; counted: number };
type Line = { sku: string; before: number | string; counted: number | string; outcome: string };
type Found = { counts: number; changed: Count[]; left: number; bad: Line[]; unreadable: number; twice: string[] };

export default async function main() {
  const { counts, changed, left, bad, unreadable, twice } = await once('counts', compare);
  const differ = changed.length + left;
  const answers = await once('answers', () =>
    prompt({
      label: [
        `${differ} of ${counts} counts differ, ${unreadable} lines cannot be read.`,
        ...(twice.length > 0 ? [`These SKUs came twice and are left out: ${shortened(twice)}.`] : []),
        left > 0 ? `Enter the first ${changed.length} counts?` : 'Enter the counts?',
      ].join(' '),
      fields: [{ name: 'enter', kind: 'boolean', label: 'Enter the counts', required: true }],
    }),
  );
  const failed = new Map(Array.isArray(last_checkpoint?.failed) ? (last_checkpoint.failed as [string, string][]) : []);
  let done = Number(last_checkpoint?.done ?? 0);
  while (answers.enter && done < changed.length) {
    const batch = changed.slice(done, done + 10);
    for (const [n, code] of (await Promise.all(batch.map(enter))).entries()) if (code !== null) failed.set(batch[n]?.sku ?? '', code);
    done += batch.length;
    progress(done, changed.length, 'counts entered');
    await checkpoint({ done, failed: [...failed] });
  }
  const entered = changed.slice(0, done).map(({ sku, stock, counted }) => [sku, stock, counted, failed.get(sku) ?? 'entered']);
  const report = [...entered, ...bad.map(({ sku, before, counted, outcome }) => [sku, before, counted, outcome])];
  await files.write(
    'stock-counts.csv',
    ['sku;before;counted;outcome', ...report.map((cells) => cells.map(cell).join(';')), ''].join('\n'),
    'text/csv',
  );
  if (left > 0) log(`${left} more counts differ: start the task again with the same file`);
  if (unreadable + twice.length > bad.length) log(`The report names the first ${bad.length} lines that were left out`);
  return { counts, differ, unreadable, entered: done - failed.size, ...(twice.length > 0 ? { twice: twice.slice(0, 100) } : {}) };
}

/** Returns the code with which the count was refused; null: it was entered. */
async function enter({ sku, id, stock, counted }: Count): Promise<string | null> {
  let refused: string | null = null;
  try {
    await admin.products.change_stock(id, { stock: counted, expected_stock: stock });
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    refused = error.code;
  }
  result(refused === null ? 'entered' : 'failed', sku, { before: stock, counted });
  return refused;
}

async function compare(): Promise<Found> {
  const known = new Map<string, Shelf>();
  for await (const { variants } of admin.products.each({ per_page: 100 }))
    for (const { sku, id, stock } of variants) known.set(sku, { id, stock });
  const counts = new Map<string, Count>();
  const twice = new Map<string, string[]>();
  const bad: Line[] = [];
  for (const [first = '', counted = ''] of skuAndCount(recordsOf(textOf(await files.read('counts'))))) {
    // A spreadsheet's guard against formulas, as this task's report has it, is no part of the SKU.
    const sku = known.has(first) ? first : first.replace(/^'(?=[=+\-@])/, '');
    const shelf = known.get(sku);
    const before = counts.get(sku);
    if (!shelf || !/^\d{1,9}$/.test(counted)) bad.push({ sku, before: '', counted, outcome: shelf ? 'no count' : 'unknown sku' });
    else if (before) twice.set(sku, [...(twice.get(sku) ?? [String(before.counted)]), counted]);
    else counts.set(sku, { sku, ...shelf, counted: Number(counted) });
  }
  const unreadable = bad.length;
  for (const [sku, values] of twice) {
    result('came twice', sku, { counts: values.slice(0, 20) });
    bad.push({ sku, before: known.get(sku)?.stock ?? '', counted: values.join(' and '), outcome: 'came twice' });
    counts.delete(sku);
  }
  const changed = [...counts.values()].filter(({ stock, counted }) => stock !== counted);
  const cut = bad.slice(0, BAD_MAX).map((line) => ({ ...line, sku: short(line.sku), counted: short(String(line.counted)) }));
  const max = Math.min(CHANGED_MAX, Number(parameters.max));
  const left = Math.max(0, changed.length - max);
  return { counts: counts.size, changed: changed.slice(0, max), left, bad: cut, unreadable, twice: [...twice.keys()] };
}

/** UTF-8, or UTF-16 as spreadsheets write “Unicode text”; without the mark at its start. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] !== 0xff || bytes[1] !== 0xfe) return new TextDecoder().decode(bytes).replace(/^\uFEFF/, '');
  const units: string[] = [];
  for (let at = 2; at + 1 < bytes.length; at += 2) units.push(String.fromCharCode((bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)));
  return units.join('');
}

/** The cells of each line that is not empty. A quoted cell may contain the separator, line ends, and quotes that are doubled. */
function recordsOf(content: string): string[][] {
  const [told = '', given] = /^sep=([;,\t])\r?\n/i.exec(content) ?? [];
  const text = content.slice(told.length);
  const separator = given ?? separatorOf(text);
  const records: string[][] = [];
  let record: string[] = [];
  const cells = new RegExp(`(?: *"([^"]*(?:""[^"]*)*)"[^${separator}\\r\\n]*|([^${separator}\\r\\n]*))(${separator}|\\r\\n?|\\n|$)`, 'y');
  while (cells.lastIndex < text.length) {
    const [all, quoted, plain = '', end] = cells.exec(text) ?? [];
    if (all === undefined) break;
    record.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end === separator && cells.lastIndex < text.length) continue;
    if (record.some((one) => one !== '')) records.push(record);
    record = [];
  }
  return records;
}

/** The separator that the first line has most often outside of quotes. */
function separatorOf(text: string): string {
  const line = /^\s*((?:"(?:[^"]|"")*"|[^"\r\n])*)/.exec(text)?.[1]?.replaceAll(/"(?:[^"]|"")*"/g, '') ?? '';
  const times = (mark: string): number => line.split(mark).length;
  return [';', '\t', ','].reduce((best, mark) => (times(mark) > times(best) ? mark : best));
}

/** SKU and count of each record: the first two cells, or the columns of these names where the first record is a heading. */
function skuAndCount(records: readonly string[][]): (readonly [string | undefined, string | undefined])[] {
  const heading = records[0]?.map((name) => name.toLowerCase()) ?? [];
  const [sku, count] = [heading.indexOf('sku'), heading.findIndex((name) => /^(counts?|counted|quantity|qty|stock)$/.test(name))];
  return sku >= 0 && count >= 0 ? records.slice(1).map((cells) => [cells[sku], cells[count]]) : records.map(([one, two]) => [one, two]);
}

/** A spreadsheet would take a text that begins with one of these characters for a formula. */
function cell(value: string | number): string {
  const text = typeof value === 'number' ? String(value) : value.replace(/^\s*[=+\-@]|^[\t\r]/, "'$&");
  return /[;,"\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const short = (text: string): string => (text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text);

function shortened(skus: readonly string[]): string {
  return skus.slice(0, 5).map(short).join(', ') + (skus.length > 5 ? ` and ${skus.length - 5} more` : '');
}
