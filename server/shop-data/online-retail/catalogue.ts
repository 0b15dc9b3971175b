import { slugOf } from '../../../contract/texts.ts';
import { type Classified, cell, codeOf } from './invoices.ts';
import { CODE, COUNTRY, type Columns, CUSTOMER, DESCRIPTION, PRICE, QUANTITY, TIME } from './read.ts';
import { isOfOrder, looksLikeName, stockDelta, treatmentOf } from './rules.ts';

export type ProductPlan = {
  code: string;
  /** The spelling that the file uses most. */
  sku: string;
  slug: string;
  name: string;
  /** Whether the import makes a product of it: goods, and charges that are order lines. */
  isKept: boolean;
  isGoods: boolean;
  isNamed: boolean;
  /** The descriptions of the product's rows with a price. Only these are names; all other descriptions are notes. */
  names: ReadonlySet<string>;
  /** The price at which it was last sold, in thousandths of a pound. */
  price: number;
  /** The opening stock: the smallest with which the stock never falls below 0. */
  opening: number;
  firstAt: string;
  lastAt: string;
};

export type CustomerPlan = {
  number: string;
  firstAt: string;
  lastAt: string;
  /** All countries of the customer; the one used last is at the end. */
  countries: readonly string[];
};

/** Collects what the file says about each product; the key is the product code. */
export function planProducts(columns: Columns, { invoices, classOf }: Classified): Map<string, ProductPlan> {
  const facts = new Map<string, Facts>();
  for (const invoice of invoices) {
    for (const row of invoice.rows) {
      const code = codeOf(columns, row);
      let product = facts.get(code);
      if (!product) {
        product = newFacts();
        facts.set(code, product);
      }
      note(product, columns, row);
      const rowClass = classOf[row] ?? 'nothing';
      const price = cell(columns, row, PRICE);
      if (isOfOrder(rowClass) && price > 0) product.price = price;
      product.stock += stockDelta(rowClass, treatmentOf(code), cell(columns, row, QUANTITY));
      product.lowest = Math.min(product.lowest, product.stock);
    }
  }
  const slugs = new Set<string>();
  return new Map([...facts].map(([code, product]) => [code, toPlan(code, product, slugs)]));
}

export function planCustomers(columns: Columns, { invoices }: Classified): Map<number, CustomerPlan> {
  const plans = new Map<number, CustomerPlan>();
  for (const invoice of invoices) {
    for (const row of invoice.rows) {
      const customer = cell(columns, row, CUSTOMER);
      if (customer === 0) continue;
      const country = columns.countries[cell(columns, row, COUNTRY)] ?? '';
      const known = plans.get(customer);
      if (known && known.countries.at(-1) === country && known.lastAt >= invoice.at) continue;
      plans.set(customer, {
        number: columns.customers[customer] ?? '',
        firstAt: known && known.firstAt < invoice.at ? known.firstAt : invoice.at,
        lastAt: known && known.lastAt > invoice.at ? known.lastAt : invoice.at,
        countries: [...(known?.countries ?? []).filter((name) => name !== country), country],
      });
    }
  }
  return plans;
}

type Facts = {
  spellings: Map<string, number>;
  names: Set<string>;
  lastName: string;
  lastLikelyName: string;
  price: number;
  stock: number;
  lowest: number;
  firstAt: string;
  lastAt: string;
};

function newFacts(): Facts {
  return {
    spellings: new Map(),
    names: new Set(),
    lastName: '',
    lastLikelyName: '',
    price: 0,
    stock: 0,
    lowest: 0,
    firstAt: '',
    lastAt: '',
  };
}

function note(product: Facts, columns: Columns, row: number): void {
  const spelling = (columns.codes[cell(columns, row, CODE)] ?? '').trim();
  product.spellings.set(spelling, (product.spellings.get(spelling) ?? 0) + 1);
  const at = columns.times[cell(columns, row, TIME)] ?? '';
  if (product.firstAt === '' || at < product.firstAt) product.firstAt = at;
  if (at > product.lastAt) product.lastAt = at;
  const description = columns.descriptions[cell(columns, row, DESCRIPTION)] ?? '';
  if (description === '') return;
  if (cell(columns, row, PRICE) > 0) {
    product.names.add(description);
    product.lastName = description;
  } else if (looksLikeName(description)) {
    product.lastLikelyName = description;
  }
}

function toPlan(code: string, product: Facts, slugs: Set<string>): ProductPlan {
  const name = product.lastName || product.lastLikelyName;
  const treatment = treatmentOf(code);
  const [sku] = [...product.spellings].reduce((best, next) => (next[1] > best[1] ? next : best));
  return {
    code,
    sku,
    slug: uniqueSlug(`${name} ${code}`, slugs),
    name: name || `Stock code ${sku}`,
    isKept: treatment === 'goods' || treatment === 'charge',
    isGoods: treatment === 'goods',
    isNamed: name !== '' && product.price > 0,
    names: product.names.size > 0 || name === '' ? product.names : new Set([name]),
    price: product.price,
    opening: -product.lowest,
    firstAt: product.firstAt,
    lastAt: product.lastAt,
  };
}

function uniqueSlug(text: string, taken: Set<string>): string {
  const base = slugOf(text) || 'product';
  let slug = base;
  for (let n = 2; taken.has(slug); n++) slug = `${base}-${n}`;
  taken.add(slug);
  return slug;
}
