import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../contract/run-events.ts';
import { type Row, runScripted, scriptedOrder } from './scripted-shop.ts';

/** The files of counts that people have, and files that a spreadsheet opens without taking a cell for a formula. */

const skus = ['mug-red', 'mug,blue', 'mug "9"', '=1+1', 'Öl;5'];
const rows: Row[] = [{ id: 1, variants: skus.map((sku, n) => ({ id: n + 1, sku, stock: 3 })) }];

/** What the example enters of a file, by SKU, and what it leaves out, as the lines of its report. */
async function entered(content: string | Buffer, stock: readonly Row[] = rows, parameters: JsonObject = {}) {
  const upload = typeof content === 'string' ? Buffer.from(content) : content;
  const answers = { enter: true };
  const run = await runScripted('import-stock-counts', { rows: stock, upload, answers }, parameters);
  const { writes, files, questions, report, results } = run;
  const variants = stock.flatMap((row) => row['variants'] as { id: number; sku: string }[]);
  const counts = writes.map(({ path, body }) => [variants.find(({ id }) => path.includes(`/${id}/`))?.sku, body['stock']]);
  const [heading, ...lines] = files.join('').trimEnd().split('\n');
  assert.equal(heading, 'sku;before;counted;outcome');
  return { counts: Object.fromEntries(counts), lines, question: questions[0], result: report.result, results };
}

test('semicolons, commas and tabs, quoted cells, a mark at the start, any line ends, a heading', async () => {
  const right = { 'mug-red': 7, 'mug,blue': 8, 'mug "9"': 9, 'Öl;5': 10 };
  const files = {
    semicolons: 'mug-red;7\nmug,blue;8\nmug "9";9\n"Öl;5";10\n',
    commas: 'mug-red,7\n"mug,blue",8\n"mug ""9""","9"\n"Öl;5",10',
    tabs: 'mug-red\t7\r\nmug,blue\t8\r\n"mug ""9"""\t9\r\nÖl;5\t10\r\n',
    spreadsheet: '\uFEFFsep=,\r\nSKU,Count\r\n"mug-red","7"\r\n"mug,blue","8"\r\n\r\n"mug ""9""","9"\r\n"Öl;5","10"\r\n',
    oldMac: '\uFEFFmug-red;7\rmug,blue;8\rmug "9";9\r"Öl;5";10\r',
    columns: 'Name;Quantity;SKU\n"A mug,\nred";7;mug-red\nx;8;mug,blue\n;9;"mug ""9"""\ny;10;"Öl;5"\n',
  };
  for (const [name, content] of Object.entries(files)) assert.deepEqual((await entered(content)).counts, right, name);
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(files.tabs, 'utf16le')]);
  assert.deepEqual((await entered(utf16)).counts, right, 'Unicode text');
});

test('a SKU that came twice is named before the counts are entered, and left out', async () => {
  const { counts, question, lines, result, results } = await entered('mug-red;7\n"mug,blue";8\nmug-red;9\nnowhere;1\nmug-red;7\n');
  assert.deepEqual(counts, { 'mug,blue': 8 });
  assert.equal(
    question,
    '1 of 1 counts differ, 1 lines cannot be read. These SKUs came twice and are left out: mug-red. Enter the counts?',
  );
  assert.deepEqual(lines, ['"mug,blue";3;8;entered', 'nowhere;;1;unknown sku', 'mug-red;3;7 and 9 and 7;came twice']);
  assert.deepEqual(result, { counts: 1, differ: 1, unreadable: 1, entered: 1, twice: ['mug-red'] });
  assert.partialDeepStrictEqual(results[0], { status: 'came twice', item: 'mug-red', details: { counts: ['7', '9', '7'] } });
});

test('what the report writes is no formula, and its SKUs are read again', async () => {
  const bad = ['=HYPERLINK("https://evil.example")', '+1+1', '-2+3', '@SUM(A1)', ' =1'];
  const { lines, counts } = await entered(['=1+1;4', ...bad.map((text) => `"${text.replaceAll('"', '""')}";=2`)].join('\n'));
  assert.deepEqual(counts, { '=1+1': 4 });
  assert.deepEqual(lines, [
    "'=1+1;3;4;entered",
    `"'=HYPERLINK(""https://evil.example"")";;'=2;unknown sku`,
    ...["'+1+1", "'-2+3", "'@SUM(A1)", "'=1"].map((text) => `${text};;'=2;unknown sku`),
  ]);
  assert.deepEqual((await entered("'=1+1;5\n")).counts, { '=1+1': 5 });
});

test('a file that is larger than a run takes is entered in several', async () => {
  const many: Row[] = [{ id: 1, variants: Array.from({ length: 9000 }, (_, n) => ({ id: n + 1, sku: `sku-${n}`, stock: 3 })) }];
  const content = Array.from({ length: 9000 }, (_, n) => `sku-${n};4\nnowhere-${n};1`).join('\n');
  const { result, lines, question } = await entered(content, many, { max: 5000 });
  assert.equal(question, '9000 of 9000 counts differ, 9000 lines cannot be read. Enter the first 4000 counts?');
  assert.deepEqual([result, lines.length], [{ counts: 9000, differ: 9000, unreadable: 9000, entered: 4000 }, 5000]);
});

test('export-orders writes no formula either, and numbers as they are', async () => {
  for (const text of ['=1+1', '+1', '-1+1', '@a', '\t=1', '\r=1']) {
    const { writes } = await runScripted('export-orders', { rows: [scriptedOrder({ customer_email: text })] });
    const body = String(writes.find(({ body: { method } }) => method === 'PUT')?.body['body']);
    assert.ok(body.includes(`,"'${text}",`), body);
  }
});
