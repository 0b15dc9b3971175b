/** What becomes of a row. Every row of the file has exactly one of these classes; `docs/import-online-retail.md` gives the reasons. */
export const ROW_CLASSES = {
  order_line: 'line of an order',
  charge_line: 'line of an order for a charge that is not goods (M, S, BANK CHARGES)',
  shipping: 'shipping cost of an order (POST, DOT, C2, 23444)',
  cancelled: 'cancellation that undoes a whole order: the order is cancelled and refunded, goods back in stock',
  returned: 'other cancelled goods: stock movement in',
  write_off: 'negative quantity without C: stock movement out',
  found: 'positive quantity, no price, no customer in the whole invoice: stock movement in',
  adjustment: 'money without goods or order (A…, fees, discounts, refunded charges): log entry',
  nothing: 'neither goods nor money: kept nowhere',
  unreadable: 'not readable: kept nowhere',
} as const;
export type RowClass = keyof typeof ROW_CLASSES;

/** What is unusual about a row, an invoice or a customer and does not keep it from being imported. */
export const ODDITIES = {
  duplicate_row: 'exact repetition of a row of the same invoice: kept, two scans of one thing are two things',
  code_spelling: 'stock code in another case than the product’s SKU: same product, the line keeps its spelling',
  no_description: 'no description: the product’s name stands in',
  note_description: 'description that is a note: the product’s name stands in, a stock movement keeps the note',
  blanks: 'blanks around or doubled inside the description: taken out',
  free_line: 'line of an order at price 0: kept',
  fraction_of_a_penny: 'price with three decimals: rounded half up to the penny',
  huge_quantity: '10,000 pieces or more in one row: kept',
  no_country_code: 'country without an ISO code: its name is kept as it is',
  guest_order: 'order without customer, name and email',
  order_without_lines: 'order of shipping cost only',
  two_times: 'invoice with several timestamps: the earliest counts',
  different_refund: 'cancellation of a whole order at other prices: the order is refunded as it was',
  customer_without_email: 'customer without email and name',
  customer_of_two_countries: 'customer with several countries: an address for each, the last is the default',
  product_of_many_names: 'product with several names: the last counts',
  product_without_name: 'product without name or price: draft',
} as const;
export type Oddity = keyof typeof ODDITIES;

type Treatment = 'goods' | 'charge' | 'shipping' | 'adjustment';

/** Stock codes that are not goods. */
const NO_GOODS: Readonly<Record<string, Treatment>> = {
  POST: 'shipping',
  DOT: 'shipping',
  C2: 'shipping',
  // 23444 is "Next Day Carriage", although its code looks like that of goods.
  23444: 'shipping',
  M: 'charge',
  S: 'charge',
  'BANK CHARGES': 'charge',
  AMAZONFEE: 'adjustment',
  CRUK: 'adjustment',
  D: 'adjustment',
  B: 'adjustment',
};

export function treatmentOf(productCode: string): Treatment {
  return (Object.hasOwn(NO_GOODS, productCode) ? NO_GOODS[productCode] : undefined) ?? 'goods';
}

/** The product code of a stock code. All spellings of a stock code belong to one product. */
export function productCodeOf(stockCode: string): string {
  return stockCode.trim().toUpperCase();
}

export function tidy(description: string): string {
  return description.trim().replaceAll(/\s+/g, ' ');
}

export const HUGE_QUANTITY = 10_000;

export type InvoiceKind = 'sale' | 'correction' | 'cancellation' | 'adjustment';

/** The first letter of an invoice number gives its kind. One with no letter, no customer and no price corrects the stock. */
export function kindOfInvoice(number: string, hasCustomer: boolean, hasPrice: boolean): InvoiceKind {
  if (/^c/i.test(number)) return 'cancellation';
  if (!/^\d/.test(number)) return 'adjustment';
  return hasCustomer || hasPrice ? 'sale' : 'correction';
}

type RowFacts = { kind: InvoiceKind; undoesOrder: boolean; treatment: Treatment; quantity: number; price: number };

/** The class of a row: the first rule that matches decides. */
export function classify({ kind, undoesOrder, treatment, quantity, price }: RowFacts): RowClass {
  const isGoods = treatment === 'goods';
  if (kind === 'adjustment') return 'adjustment';
  if (kind === 'cancellation') {
    if (undoesOrder) return 'cancelled';
    return isGoods ? 'returned' : 'adjustment';
  }
  if (price < 0) return 'adjustment';
  if (kind === 'correction' || quantity < 0) {
    if (isGoods) return quantity < 0 ? 'write_off' : 'found';
    return price === 0 ? 'nothing' : 'adjustment';
  }
  if (treatment === 'charge') return 'charge_line';
  if (treatment === 'goods') return 'order_line';
  return treatment;
}

/** Whether a row of this class belongs to an order. */
export function isOfOrder(rowClass: RowClass): boolean {
  return isLine(rowClass) || rowClass === 'shipping';
}

/** Whether a row of this class is a line of an order. */
export function isLine(rowClass: RowClass): boolean {
  return rowClass === 'order_line' || rowClass === 'charge_line';
}

/** By how many pieces a row changes the stock of its variant. */
export function stockDelta(rowClass: RowClass, treatment: Treatment, quantity: number): number {
  if (treatment !== 'goods') return 0;
  switch (rowClass) {
    case 'order_line':
    case 'cancelled':
    case 'returned':
      return -quantity;
    case 'write_off':
    case 'found':
      return quantity;
    default:
      return 0;
  }
}

/** Rounds thousandths of a pound to pennies; halves are rounded away from zero. */
export function toPennies(thousandths: number): number {
  return Math.sign(thousandths) * Math.floor((Math.abs(thousandths) + 5) / 10);
}

/** Whether a description is a name, for a product without a priced row: it has 10 characters or more, no small letters and no "?". */
export function looksLikeName(description: string): boolean {
  return description.length >= 10 && !description.includes('?') && description === description.toUpperCase() && /[A-Z]/.test(description);
}
