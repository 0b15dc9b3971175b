import type { NewRow } from '../../db/tables.ts';
import type { LineSums } from '../../resources/order-lines/rules.ts';
import { shippingColumns, totals } from '../../resources/orders/rules.ts';
import { sortKey } from '../../values/texts.ts';
import { publicIdOf } from '../public-ids.ts';
import { countryCode } from './countries.ts';
import { cell, codeOf, type Invoice } from './invoices.ts';
import { CODE, type Columns, DESCRIPTION, PRICE, QUANTITY, TIME } from './read.ts';
import type { Plan } from './report.ts';
import { isLine, stockDelta, toPennies, treatmentOf } from './rules.ts';
import { customerName } from './setup.ts';
import type { ImportIds } from './state.ts';

export type Source = { columns: Columns; plan: Plan; ids: ImportIds };

/** The payment provider of all imported orders, and of no other order. */
export const PAYMENT_PROVIDER = 'online-retail';

type OrderRows = { order: NewRow<'orders'>; items: NewRow<'order_items'>[] };

/** The rows of an invoice's order and of its order lines. */
export function orderRows(source: Source, invoice: Invoice, id: number): OrderRows {
  const { columns, plan, ids } = source;
  const lines: number[] = [];
  const methods = new Set<string>();
  let shipping = 0;
  for (const row of invoice.rows) {
    const rowClass = plan.classOf[row] ?? 'nothing';
    if (isLine(rowClass)) lines.push(row);
    if (rowClass !== 'shipping') continue;
    shipping += unitPriceOf(columns, row) * cell(columns, row, QUANTITY);
    methods.add(nameOf(columns, plan, row));
  }
  const sums = totals({
    lines: lines.map((row) => ({ unitPrice: unitPriceOf(columns, row), quantity: cell(columns, row, QUANTITY), taxRateBps: 0 })),
    discount: 0,
    shippingCost: shipping,
    shippingTaxRateBps: 0,
    pricesIncludeTax: false,
  });
  const items = sums.lines.map((line, position) => itemRow(source, lines[position] ?? 0, id, position, line));
  const number = columns.customers[invoice.customer] ?? '';
  const name = number === '' ? '' : customerName(number);
  const order: NewRow<'orders'> = {
    id,
    public_id: orderPublicId(invoice.number),
    customer_id: ids.customers[number] ?? null,
    status: 'delivered',
    payment_status: sums.total === 0 ? 'none' : 'paid',
    customer_name: name,
    customer_name_folded: sortKey(name),
    customer_email: '',
    customer_email_folded: '',
    customer_phone: '',
    ...shippingColumns(null),
    shipping_country: countryCode(columns.countries[invoice.country] ?? ''),
    billing_address: null,
    notes: '',
    internal_notes: `Invoice ${invoice.number}`,
    currency: 'GBP',
    prices_include_tax: 0,
    subtotal: sums.subtotal,
    discount_amount: sums.discount,
    discount_reason: null,
    voucher_code: null,
    tax_amount: sums.tax,
    shipping_method: [...methods].join(', '),
    shipping_cost: sums.shipping,
    total: sums.total,
    payment_provider: PAYMENT_PROVIDER,
    pickup_location_id: null,
    pickup_location_name: null,
    tracking_number: '',
    ip_address: '',
    invoice_url: null,
    delivery_date: null,
    is_test: 0,
    internal_status_id: null,
    created_at: invoice.at,
    updated_at: invoice.at,
  };
  return { order, items };
}

function itemRow({ columns, plan, ids }: Source, row: number, orderId: number, position: number, sums: LineSums): NewRow<'order_items'> {
  const [productId, variantId] = ids.products[codeOf(columns, row)] ?? [0, 0];
  return {
    order_id: orderId,
    product_id: productId,
    variant_id: variantId,
    product_name: nameOf(columns, plan, row),
    product_sku: (columns.codes[cell(columns, row, CODE)] ?? '').trim(),
    variant_label: '',
    unit_price: unitPriceOf(columns, row),
    quantity: cell(columns, row, QUANTITY),
    subtotal: sums.subtotal,
    discount_amount: sums.discount_amount,
    tax_rate: 0,
    tax_amount: sums.tax_amount,
    custom_fields: '[]',
    position,
  };
}

/** The unit price of a row, in pennies. */
function unitPriceOf(columns: Columns, row: number): number {
  return toPennies(cell(columns, row, PRICE));
}

export function orderPublicId(invoiceNumber: string): string {
  return publicIdOf(`online-retail invoice ${invoiceNumber}`);
}

/** The stock movements of an invoice's rows; `orderId` is the order that the invoice made or undoes. */
export function movementRows({ columns, plan, ids }: Source, invoice: Invoice, orderId: number | null): NewRow<'stock_movements'>[] {
  const movements: NewRow<'stock_movements'>[] = [];
  for (const row of invoice.rows) {
    const rowClass = plan.classOf[row] ?? 'nothing';
    const code = codeOf(columns, row);
    const delta = stockDelta(rowClass, treatmentOf(code), cell(columns, row, QUANTITY));
    if (delta === 0) continue;
    const isOfOrder = rowClass === 'order_line' || rowClass === 'cancelled';
    movements.push({
      variant_id: ids.products[code]?.[1] ?? 0,
      delta,
      reason: reasonOf(rowClass, invoice, noteOf(columns, plan, row)),
      order_id: isOfOrder ? orderId : null,
      actor: 'system',
      at: columns.times[cell(columns, row, TIME)] ?? invoice.at,
    });
  }
  return movements;
}

/** Log entries for the amounts that belong to no order and no goods. */
export function adjustmentRows({ columns, plan }: Source, invoice: Invoice): NewRow<'log_entries'>[] {
  return invoice.rows
    .filter((row) => plan.classOf[row] === 'adjustment')
    .map((row) => {
      const pennies = unitPriceOf(columns, row) * cell(columns, row, QUANTITY);
      const description = columns.descriptions[cell(columns, row, DESCRIPTION)] ?? '';
      return {
        source: 'import',
        action: 'online_retail.adjustment',
        status: 'success',
        summary: `${description || codeOf(columns, row)}, invoice ${invoice.number}: ${(pennies / 100).toFixed(2)} GBP`,
        detail: JSON.stringify({
          invoice: invoice.number,
          stock_code: columns.codes[cell(columns, row, CODE)],
          description,
          quantity: cell(columns, row, QUANTITY),
          unit_price_thousandths: cell(columns, row, PRICE),
          customer: columns.customers[invoice.customer] || null,
          country: columns.countries[invoice.country],
        }),
        created_at: columns.times[cell(columns, row, TIME)] ?? invoice.at,
      };
    });
}

function nameOf(columns: Columns, plan: Plan, row: number): string {
  const product = plan.products.get(codeOf(columns, row));
  const description = columns.descriptions[cell(columns, row, DESCRIPTION)] ?? '';
  return product?.names.has(description) ? description : (product?.name ?? description);
}

function noteOf(columns: Columns, plan: Plan, row: number): string {
  const description = columns.descriptions[cell(columns, row, DESCRIPTION)] ?? '';
  return plan.products.get(codeOf(columns, row))?.names.has(description) ? '' : description;
}

function reasonOf(rowClass: string, invoice: Invoice, note: string): string {
  switch (rowClass) {
    case 'order_line':
      return 'sale';
    case 'cancelled':
      return `order cancelled, ${invoice.number}`;
    case 'returned':
      return `returned, ${invoice.number}`;
    case 'write_off':
      return note === '' ? 'written off' : `written off: ${note}`;
    default:
      return note === '' ? 'found' : `found: ${note}`;
  }
}
