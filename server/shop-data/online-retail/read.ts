import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { CommandError } from '../command.ts';
import { londonClock } from './london-time.ts';
import { productCodeOf, tidy } from './rules.ts';

/** The rows of the file as numbers, which are values or indexes of texts: 32 bytes for each row, however long its texts are. */
export type Columns = {
  rows: number;
  /** `FIELDS` numbers for each row; the rows are in the file's order. */
  cells: Int32Array;
  invoices: readonly string[];
  codes: readonly string[];
  /** For each entry of `codes` the product code, which is the same for all spellings of a stock code. */
  productCodes: readonly string[];
  /** The descriptions without needless spaces. */
  descriptions: readonly string[];
  /** For each description whether spaces were removed from it. */
  hadBlanks: readonly boolean[];
  /** ISO 8601, UTC. */
  times: readonly string[];
  /** Customer numbers. The first entry is '', which means that a row has no customer. */
  customers: readonly string[];
  countries: readonly string[];
  /** Rows that cannot be read, in the file's order. `record`: the number of the CSV record, where the header is record 1. */
  unreadable: readonly { record: number; reason: string }[];
  /** SHA-256 of the uncompressed file, in hex. Only a file with the same hash can continue an import. */
  sha256: string;
};

export const INVOICE = 0;
export const CODE = 1;
export const DESCRIPTION = 2;
export const QUANTITY = 3;
export const TIME = 4;
/** In thousandths of a pound. */
export const PRICE = 5;
export const CUSTOMER = 6;
export const COUNTRY = 7;
export const FIELDS = 8;

const HEADER = ['InvoiceNo', 'StockCode', 'Description', 'Quantity', 'InvoiceDate', 'UnitPrice', 'CustomerID', 'Country'];

/** Reads the CSV file as a stream, compressed with gzip or not. */
export async function readOnlineRetail(file: string, onProgress: (share: number) => void): Promise<Columns> {
  const { size, packed } = await inspect(file);
  const source = createReadStream(file, { highWaterMark: 1 << 18 });
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      onProgress(source.bytesRead / size);
      done(null, chunk);
    },
  });
  const table = createTable();
  try {
    await pipeline(
      source,
      packed ? createGunzip() : new PassThrough(),
      hashing,
      parse({ bom: true, relax_column_count: true }),
      async (records: AsyncIterable<string[]>) => {
        let record = 0;
        for await (const fields of records) {
          record += 1;
          if (record === 1) checkHeader(file, fields);
          else table.add(record, fields);
        }
        if (record === 0) throw new CommandError(`${file} is empty: the "Online Retail" CSV is expected`);
      },
    );
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} is not readable as CSV: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return { ...table.columns(), sha256: hash.digest('hex') };
}

async function inspect(file: string): Promise<{ size: number; packed: boolean }> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return { size, packed: buffer[0] === 0x1f && buffer[1] === 0x8b };
  } catch (error) {
    throw new CommandError(`${file} cannot be opened: give the path of the "Online Retail" CSV, compressed (.csv.gz) or not`, {
      cause: error,
    });
  }
}

function checkHeader(file: string, fields: readonly string[]): void {
  if (fields.join() === HEADER.join()) return;
  throw new CommandError(`${file} begins with ${JSON.stringify(fields.join().slice(0, 100))}: the columns ${HEADER.join()} are expected`);
}

function createTable() {
  const invoices = createDictionary();
  const codes = createDictionary();
  const descriptions = createDictionary();
  const customers = createDictionary();
  const countries = createDictionary();
  const toUtc = londonClock();
  const localTimes = new Map<string, number | null>();
  const times: string[] = [];
  const unreadable: { record: number; reason: string }[] = [];
  let cells = new Int32Array(FIELDS * 4096);
  let rows = 0;
  customers.indexOf('');

  function timeOf(local: string): number | null {
    const known = localTimes.get(local);
    if (known !== undefined) return known;
    const utc = toUtc(local);
    const index = utc === null ? null : times.push(utc) - 1;
    localTimes.set(local, index);
    return index;
  }

  return {
    add(record: number, fields: readonly string[]): void {
      const [invoice = '', code = '', description = '', quantity = '', date = '', price = '', customer = '', country = ''] = fields;
      const pieces = /^-?\d{1,9}$/.test(quantity) ? Number(quantity) : 0;
      const thousandths = parseThousandths(price);
      const time = timeOf(date);
      const reason = whyUnreadable(fields, { invoice, code, pieces, time, thousandths });
      if (reason !== null || time === null || thousandths === null) {
        unreadable.push({ record, reason: reason ?? '' });
        return;
      }
      if ((rows + 1) * FIELDS > cells.length) {
        const larger = new Int32Array(cells.length * 2);
        larger.set(cells);
        cells = larger;
      }
      const at = rows * FIELDS;
      cells[at + INVOICE] = invoices.indexOf(invoice);
      cells[at + CODE] = codes.indexOf(code);
      cells[at + DESCRIPTION] = descriptions.indexOf(description);
      cells[at + QUANTITY] = pieces;
      cells[at + TIME] = time;
      cells[at + PRICE] = thousandths;
      cells[at + CUSTOMER] = customers.indexOf(customer);
      cells[at + COUNTRY] = countries.indexOf(country);
      rows += 1;
    },
    columns: () => ({
      rows,
      cells: cells.subarray(0, rows * FIELDS),
      invoices: invoices.texts,
      codes: codes.texts,
      productCodes: intern(codes.texts.map(productCodeOf)),
      descriptions: descriptions.texts.map(tidy),
      hadBlanks: descriptions.texts.map((text) => tidy(text) !== text),
      times,
      customers: customers.texts,
      countries: countries.texts,
      unreadable,
    }),
  };
}

type Values = { invoice: string; code: string; pieces: number; time: number | null; thousandths: number | null };

function whyUnreadable(fields: readonly string[], { invoice, code, pieces, time, thousandths }: Values): string | null {
  if (fields.length !== FIELDS) return `${fields.length} fields instead of ${FIELDS}`;
  if (invoice.trim() === '') return 'no invoice number';
  if (code.trim() === '') return 'no stock code';
  if (pieces === 0) return 'quantity is not an integer other than 0';
  if (time === null) return 'InvoiceDate is not an existing date and time (YYYY-MM-DD HH:MM:SS)';
  if (thousandths === null) return 'price is not an amount with at most three decimals';
  return null;
}

function createDictionary() {
  const indexes = new Map<string, number>();
  const texts: string[] = [];
  return {
    texts,
    indexOf(text: string): number {
      const known = indexes.get(text);
      if (known !== undefined) return known;
      indexes.set(text, texts.length);
      return texts.push(text) - 1;
    },
  };
}

/** Replaces equal texts by one string object, so that comparing and hashing them is cheap. */
function intern(texts: readonly string[]): string[] {
  const known = new Map<string, string>();
  return texts.map((text) => {
    const first = known.get(text) ?? text;
    known.set(text, first);
    return first;
  });
}

function parseThousandths(price: string): number | null {
  const match = /^(-?)(\d{1,6})(?:\.(\d{1,3}))?$/.exec(price);
  if (!match) return null;
  const amount = Number(match[2]) * 1000 + Number((match[3] ?? '').padEnd(3, '0'));
  return match[1] === '-' ? -amount : amount;
}
