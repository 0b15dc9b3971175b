import type { ErrorCode, ErrorItem } from '../../../contract/errors.ts';
import type { PreviewLine } from '../../../contract/order-edits.ts';
import type { CustomFieldValue } from '../../../contract/people.ts';
import type { Product } from '../../../contract/products.ts';
import type { TotalsInput } from '../orders/rules.ts';

/** The columns that an order line copies when it is made; later changes of the product do not change them (spec O13). */
export type Line = {
  product_id: number;
  variant_id: number;
  product_name: string;
  product_sku: string;
  variant_label: string;
  unit_price: number;
  quantity: number;
  /** Basis points. */
  tax_rate: number;
  custom_fields: CustomFieldValue[];
};

export type LineSums = { subtotal: number; discount_amount: number; tax_amount: number };

/** A variant with what an order needs to take it. */
export type ForSale = Pick<Line, 'product_id' | 'variant_id' | 'product_name' | 'product_sku' | 'variant_label' | 'tax_rate'> & {
  price_cents: number;
  /** The variant is active and its product not archived. */
  isOnSale: boolean;
  custom_fields: Product['custom_fields'];
};

/** The columns that a line copies from its variant. */
export function describe({ price_cents: _, isOnSale: __, custom_fields: ___, ...described }: ForSale) {
  return described;
}

/** The faults of a variant that a new or changed line names. */
export function variantFaults(variant: ForSale | undefined, id: number, pointer: string): ErrorItem[] {
  if (!variant) return [fault('variant_not_found', pointer, `there is no variant ${id}`)];
  return variant.isOnSale ? [] : [fault('variant_inactive', pointer, `"${nameOf(variant)}" is not for sale`)];
}

/**
 * The faults of custom field values: a field that is given twice, and a required field that is missing or blank
 * (spec PH3).
 */
export function fieldFaults(variant: ForSale, values: readonly CustomFieldValue[], pointer: string): ErrorItem[] {
  const given = new Map(values.map(({ field_name, field_value }) => [field_name, field_value]));
  const twice = given.size < values.length ? [fault('duplicate', pointer, 'a field is given twice')] : [];
  const missing = variant.custom_fields
    .filter(({ field_name, required }) => required && (given.get(field_name) ?? '').trim() === '')
    .map(({ field_name }) => fault('required', pointer, `"${field_name}" is needed for ${variant.product_name}`));
  return [...twice, ...missing];
}

export function fault(code: ErrorCode, pointer: string, detail: string): ErrorItem {
  return { pointer, parameter: null, code, detail };
}

export function nameOf({ product_name, variant_label }: Pick<Line, 'product_name' | 'variant_label'>): string {
  return variant_label === '' ? product_name : `${product_name}, ${variant_label}`;
}

/** The lines with their parts of the sums, as a preview shows them. */
export function previewLines(lines: readonly (Line & { id?: number | null })[], sums: readonly LineSums[]): PreviewLine[] {
  return lines.map(({ id = null, product_id, variant_id, product_name, variant_label, quantity, unit_price }, index) => {
    const { subtotal, tax_amount } = sums[index] ?? noSums();
    return { id, product_id, variant_id, product_name, variant_label, quantity, unit_price, subtotal, tax_amount };
  });
}

export function noSums(): never {
  throw new Error('a line without sums');
}

/** The lines in the form that the price calculation takes. */
export function priced(lines: readonly Line[]): TotalsInput['lines'] {
  return lines.map(({ unit_price, quantity, tax_rate }) => ({ unitPrice: unit_price, quantity, taxRateBps: tax_rate }));
}
