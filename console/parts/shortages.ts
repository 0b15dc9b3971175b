import type { StockWarning } from '../../contract/order-edits.ts';
import { ApiError } from '../api/client.ts';

type Shortage = Pick<StockWarning, 'variant_id' | 'available'>;

/** What 409 `insufficient_stock` says of each variant; undefined of any other failure. */
export function shortagesOf(error: unknown): Shortage[] | undefined {
  if (!(error instanceof ApiError) || error.code !== 'insufficient_stock') return undefined;
  const warnings = error.problem?.['stock_warnings'];
  return Array.isArray(warnings) ? warnings.filter(isShortage) : [];
}

function isShortage(value: unknown): value is Shortage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'variant_id' in value &&
    'available' in value &&
    typeof value.variant_id === 'number' &&
    typeof value.available === 'number'
  );
}
