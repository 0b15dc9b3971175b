import type { CustomerPlan, ProductPlan } from './catalogue.ts';
import { hasCountryCode } from './countries.ts';
import { type Classified, cell, codeOf } from './invoices.ts';
import { CODE, COUNTRY, type Columns, DESCRIPTION, FIELDS, PRICE, QUANTITY } from './read.ts';
import { HUGE_QUANTITY, isLine, isOfOrder, ODDITIES, type Oddity, ROW_CLASSES, type RowClass, toPennies } from './rules.ts';

export type Plan = Classified & { products: ReadonlyMap<string, ProductPlan>; customers: ReadonlyMap<number, CustomerPlan> };

/** What the import made of the file. Amounts are sums of quantity × price, in thousandths of a pound. */
export type Report = {
  rows: number;
  amount: number;
  classes: Record<RowClass, { rows: number; amount: number }>;
  oddities: Record<Oddity, number>;
  orders: number;
  orderLines: number;
  cancelledOrders: number;
  /** The sum of all orders' totals, in pennies. */
  orderTotal: number;
  /** By how much rounding to pennies changed the orders' totals, in thousandths of a pound. */
  rounding: number;
};

/** Counts what the import makes of the file. */
export function countUp(columns: Columns, plan: Plan): Report {
  const { invoices, classOf } = plan;
  const classes = mapKeys(ROW_CLASSES, () => ({ rows: 0, amount: 0 }));
  const oddities = mapKeys(ODDITIES, () => 0);
  const report: Report = {
    rows: columns.rows + columns.unreadable.length,
    amount: 0,
    classes,
    oddities,
    orders: 0,
    orderLines: 0,
    cancelledOrders: 0,
    orderTotal: 0,
    rounding: 0,
  };
  classes.unreadable.rows = columns.unreadable.length;
  for (let row = 0; row < columns.rows; row++) report.amount += cell(columns, row, QUANTITY) * cell(columns, row, PRICE);

  for (const invoice of invoices) {
    oddities.duplicate_row += repetitions(columns, invoice.rows);
    let lines = 0;
    for (const row of invoice.rows) {
      const rowClass = classOf[row] ?? 'nothing';
      const quantity = cell(columns, row, QUANTITY);
      const price = cell(columns, row, PRICE);
      classes[rowClass].rows += 1;
      classes[rowClass].amount += quantity * price;
      noteOddRow(oddities, columns, plan, row, rowClass);
      if (!isOfOrder(rowClass)) continue;
      if (isLine(rowClass)) lines += 1;
      report.orderTotal += quantity * toPennies(price);
      report.rounding += quantity * (toPennies(price) * 10 - price);
    }
    if (invoice.timestamps > 1) oddities.two_times += 1;
    if (invoice.undoes) {
      report.cancelledOrders += 1;
      if (amountOf(columns, invoice.rows) + amountOf(columns, invoice.undoes.rows) !== 0) oddities.different_refund += 1;
    }
    if (!invoice.isOrder) continue;
    report.orders += 1;
    report.orderLines += lines;
    if (lines === 0) oddities.order_without_lines += 1;
    if (invoice.customer === 0) oddities.guest_order += 1;
  }
  for (const { countries } of plan.customers.values()) if (countries.length > 1) oddities.customer_of_two_countries += 1;
  oddities.customer_without_email = plan.customers.size;
  for (const product of plan.products.values()) {
    if (!product.isKept) continue;
    if (product.names.size > 1) oddities.product_of_many_names += 1;
    if (!product.isNamed) oddities.product_without_name += 1;
  }
  return report;
}

/** The report as text, as the command prints it. */
export function renderReport(report: Report): string {
  const lines = [
    '',
    `${'Rows'.padStart(9)} ${'Pounds'.padStart(15)}  became`,
    ...keysOf(ROW_CLASSES).map((name) => tableLine(report.classes[name], `${name}: ${ROW_CLASSES[name]}`)),
    tableLine({ rows: report.rows, amount: report.amount }, 'all rows of the file'),
    '',
    `${'Count'.padStart(9)}  odd, and kept`,
    ...keysOf(ODDITIES).map((name) => `${grouped(report.oddities[name]).padStart(9)}  ${name}: ${ODDITIES[name]}`),
    '',
    `${grouped(report.orders)} orders (${grouped(report.cancelledOrders)} of them cancelled and refunded), ${grouped(report.orderLines)} lines,`,
    `in all £${pounds(report.orderTotal * 10)}; rounding to pennies changed £${pounds(report.rounding)}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function noteOddRow(oddities: Record<Oddity, number>, columns: Columns, plan: Plan, row: number, rowClass: RowClass): void {
  const product = plan.products.get(codeOf(columns, row));
  const description = cell(columns, row, DESCRIPTION);
  const name = columns.descriptions[description] ?? '';
  if ((columns.codes[cell(columns, row, CODE)] ?? '') !== product?.sku) oddities.code_spelling += 1;
  if (name === '') oddities.no_description += 1;
  else if (!product?.names.has(name)) oddities.note_description += 1;
  if (columns.hadBlanks[description]) oddities.blanks += 1;
  if (cell(columns, row, PRICE) % 10 !== 0) oddities.fraction_of_a_penny += 1;
  if (Math.abs(cell(columns, row, QUANTITY)) >= HUGE_QUANTITY) oddities.huge_quantity += 1;
  if (!hasCountryCode(columns.countries[cell(columns, row, COUNTRY)] ?? '')) oddities.no_country_code += 1;
  if (isLine(rowClass) && cell(columns, row, PRICE) === 0) oddities.free_line += 1;
}

/** Counts the rows that equal an earlier row. The rows are sorted, because equal rows are then neighbours and no key texts are needed. */
function repetitions(columns: Columns, rows: readonly number[]): number {
  const compare = (a: number, b: number): number => {
    for (let field = 0; field < FIELDS; field++) {
      const difference = cell(columns, a, field) - cell(columns, b, field);
      if (difference !== 0) return difference;
    }
    return 0;
  };
  const sorted = [...rows].sort(compare);
  return sorted.filter((row, i) => i > 0 && compare(row, sorted[i - 1] ?? row) === 0).length;
}

function amountOf(columns: Columns, rows: readonly number[]): number {
  return rows.reduce((sum, row) => sum + cell(columns, row, QUANTITY) * cell(columns, row, PRICE), 0);
}

function tableLine({ rows, amount }: { rows: number; amount: number }, text: string): string {
  return `${grouped(rows).padStart(9)} ${pounds(amount).padStart(15)}  ${text}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-GB');
}

function pounds(thousandths: number): string {
  return (thousandths / 1000).toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 3 });
}

function keysOf<K extends string>(table: Readonly<Record<K, string>>): K[] {
  const keys: K[] = [];
  for (const key in table) keys.push(key);
  return keys;
}

function mapKeys<K extends string, V>(table: Readonly<Record<K, string>>, make: () => V): Record<K, V>;
function mapKeys(table: Readonly<Record<string, string>>, make: () => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.keys(table).map((key) => [key, make()]));
}
