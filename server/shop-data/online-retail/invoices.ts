import { CODE, COUNTRY, type Columns, CUSTOMER, FIELDS, INVOICE, PRICE, QUANTITY, TIME } from './read.ts';
import { classify, type InvoiceKind, isOfOrder, kindOfInvoice, type RowClass, treatmentOf } from './rules.ts';

export type Invoice = {
  number: string;
  kind: InvoiceKind;
  /** Row numbers, in the file's order. */
  rows: readonly number[];
  /** The customer's index in `Columns.customers`; 0: no customer. */
  customer: number;
  country: number;
  /** The earliest time of its rows. */
  at: string;
  /** How many different times its rows have. */
  timestamps: number;
  /** Whether the import makes an order of it. */
  isOrder: boolean;
  /** The invoice of the order that this cancellation undoes completely; null if there is none. */
  undoes: Invoice | null;
};

export type Classified = { invoices: readonly Invoice[]; classOf: readonly RowClass[] };

/** Collects the rows of each invoice from the whole file, finds which cancellation undoes which order, and gives every row its class. */
export function classifyRows(columns: Columns): Classified {
  const invoices = gather(columns);
  const classOf: RowClass[] = new Array<RowClass>(columns.rows).fill('nothing');
  const decide = (invoice: Invoice): void => {
    for (const row of invoice.rows) {
      classOf[row] = classify({
        kind: invoice.kind,
        undoesOrder: invoice.undoes !== null,
        treatment: treatmentOf(codeOf(columns, row)),
        quantity: cell(columns, row, QUANTITY),
        price: cell(columns, row, PRICE),
      });
    }
  };
  for (const invoice of invoices) {
    if (invoice.kind === 'cancellation') continue;
    decide(invoice);
    invoice.isOrder = invoice.rows.some((row) => isOfOrder(classOf[row] ?? 'nothing'));
  }
  matchCancellations(columns, invoices, classOf);
  for (const invoice of invoices) if (invoice.kind === 'cancellation') decide(invoice);
  return { invoices, classOf };
}

export function cell(columns: Columns, row: number, field: number): number {
  return columns.cells[row * FIELDS + field] ?? 0;
}

export function codeOf(columns: Columns, row: number): string {
  return columns.productCodes[cell(columns, row, CODE)] ?? '';
}

/** The invoices, in the order of their first rows in the file. */
function gather(columns: Columns): Invoice[] {
  const rowsOf: number[][] = columns.invoices.map(() => []);
  for (let row = 0; row < columns.rows; row++) rowsOf[cell(columns, row, INVOICE)]?.push(row);
  return rowsOf.map((rows, index) => {
    const number = columns.invoices[index] ?? '';
    const customer = rows.map((row) => cell(columns, row, CUSTOMER)).find((c) => c !== 0) ?? 0;
    const times = new Set(rows.map((row) => columns.times[cell(columns, row, TIME)] ?? ''));
    const hasPrice = rows.some((row) => cell(columns, row, PRICE) !== 0);
    return {
      number,
      kind: kindOfInvoice(number, customer !== 0, hasPrice),
      rows,
      customer,
      country: cell(columns, rows[0] ?? 0, COUNTRY),
      at: [...times].sort()[0] ?? '',
      timestamps: times.size,
      isOrder: false,
      undoes: null,
    };
  });
}

/**
 * A cancellation undoes an order if both have the same known customer and the same multiset of product codes and quantities,
 * with the opposite sign. Of several such orders, it undoes the latest one that is not later than the cancellation and not yet
 * undone; orders with the same time count in the file's order.
 */
function matchCancellations(columns: Columns, invoices: readonly Invoice[], classOf: readonly RowClass[]): void {
  const open = new Map<string, Invoice[]>();
  const inTime = [...invoices].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  for (const invoice of inTime) {
    if (invoice.customer === 0) continue;
    if (invoice.isOrder) {
      const rows = invoice.rows.filter((row) => isOfOrder(classOf[row] ?? 'nothing'));
      const key = contentKey(columns, invoice.customer, rows, 1);
      const same = open.get(key);
      if (same) same.push(invoice);
      else open.set(key, [invoice]);
    }
    if (invoice.kind === 'cancellation') {
      invoice.undoes = open.get(contentKey(columns, invoice.customer, invoice.rows, -1))?.pop() ?? null;
    }
  }
}

function contentKey(columns: Columns, customer: number, rows: readonly number[], sign: 1 | -1): string {
  const lines = rows.map((row) => `${codeOf(columns, row)}\t${sign * cell(columns, row, QUANTITY)}`);
  return `${customer}\n${lines.sort().join('\n')}`;
}
