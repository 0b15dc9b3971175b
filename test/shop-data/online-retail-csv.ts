import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';

const HEADER = 'InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country';

/** Writes rows to a CSV file for the import, in a folder that is removed after the test. */
export async function csvFile(t: TestContext, rows: readonly string[], { packed = false, header = HEADER } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-csv-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const text = `${[header, ...rows].join('\n')}\n`;
  const file = join(folder, packed ? 'shop.csv.gz' : 'shop.csv');
  await writeFile(file, packed ? gzipSync(text) : text);
  return file;
}

/** Invented rows, one or more for each rule. */
export const DIRTY_ROWS: readonly string[] = [
  // An order with two equal lines, needless spaces in the description, and postage.
  '100001,10001A, BLUE  LAMP ,3,2011-01-10 09:00:00,2.5,90001,United Kingdom',
  '100001,10001A, BLUE  LAMP ,3,2011-01-10 09:00:00,2.5,90001,United Kingdom',
  '100001,POST,POSTAGE,1,2011-01-10 09:00:00,18,90001,United Kingdom',
  // A guest's order in summer time, with two timestamps, a stock code in another case, and a free line.
  '100002,10001a,BLUE LAMP LARGE,1,2011-07-01 12:31:00,3,,European Community',
  '100002,10002,"RED ""KITCHEN"" CLOCK, ROUND",2,2011-07-01 12:30:00,0,,European Community',
  // A row of an earlier invoice, after rows of another invoice.
  '100001,10002,"RED ""KITCHEN"" CLOCK, ROUND",1,2011-01-10 09:00:00,7.25,90001,United Kingdom',
  // Two equal orders and one cancellation of a whole order: it undoes the later order.
  '100003,10003,GREEN CHAIR,74215,2011-08-01 10:00:00,1.04,90002,EIRE',
  '100004,10003,GREEN CHAIR,74215,2011-08-01 10:05:00,1.04,90002,EIRE',
  'C100005,10003,GREEN CHAIR,-74215,2011-08-01 10:17:00,1.04,90002,EIRE',
  // A cancellation of part of an order, and one by a guest: both return goods and undo no order.
  'C100006,10001A,BLUE LAMP,-1,2011-08-02 10:00:00,2.5,90001,United Kingdom',
  'C100007,10001a,BLUE LAMP LARGE,-1,2011-08-02 10:00:00,3,,European Community',
  // A cancellation before its order, which therefore undoes nothing.
  'C100008,10004,BRASS BELL,-5,2011-08-03 10:00:00,1,90003,Channel Islands',
  '100009,10004,BRASS BELL,5,2011-08-04 10:00:00,1,90003,Channel Islands',
  // Goods written off with a note, goods found, goods found with a code that has no name, and postage without a price.
  '100010,10002,thrown away,-4,2011-08-05 10:00:00,0,,United Kingdom',
  '100011,10002,found,9,2011-08-05 10:00:00,0,,United Kingdom',
  '100012,10099,,1,2011-08-05 10:00:00,0,,United Kingdom',
  '100013,POST,,1,2011-08-05 10:00:00,0,,United Kingdom',
  // Money without goods: bad debt, marketplace fee both ways, discount, refunded charge.
  'A100014,B,Adjust bad debt,1,2011-08-06 10:00:00,-1106.06,,United Kingdom',
  'C100015,AMAZONFEE,AMAZON FEE,-1,2011-08-06 10:00:00,134.5,,United Kingdom',
  '100016,AMAZONFEE,AMAZON FEE,1,2011-08-06 10:01:00,134.5,,United Kingdom',
  'C100017,D,Discount,-1,2011-08-06 10:00:00,20,90001,United Kingdom',
  // A charge that is an order line, a price of a tenth of a penny, and a customer's second country.
  '100018,M,Manual,2,2011-08-07 10:00:00,4.015,90001,France',
  '100018,PADS,PADS FOR CUSHIONS,1,2011-08-07 10:00:00,0.001,90001,France',
  // An order of postage only.
  '100019,DOT,DOTCOM POSTAGE,1,2011-08-08 10:00:00,12.5,90002,EIRE',
  // Rows that cannot be read, because of their number of fields, quantity, date or price.
  '100020,10001A,BLUE LAMP,1,2011-08-08 10:00:00,1',
  '100021,10001A,BLUE LAMP,0,2011-08-08 10:00:00,1,90001,France',
  '100022,10001A,BLUE LAMP,1,2011-02-30 10:00:00,1,90001,France',
  '100023,10001A,BLUE LAMP,1,2011-08-08 10:00:00,1.2345,90001,France',
];

/** Many ordinary rows, for tests in which the import must take some time. */
export function manyRows(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const invoice = 200_000 + Math.floor(i / 7);
    const minute = String(Math.floor(i / 7) % 60).padStart(2, '0');
    return `${invoice},${20_000 + (i % 311)},THING NUMBER ${i % 311},${1 + (i % 5)},2011-03-01 10:${minute}:00,${1 + (i % 9)}.5,${70_000 + (invoice % 97)},Germany`;
  });
}
