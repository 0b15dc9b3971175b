import type { ProductStatus } from '../../../../contract/products.ts';
import { ConfirmBulk } from './confirm-bulk.tsx';
import { EditBulk } from './edit-bulk.tsx';
import type { BulkProps } from './use-bulk-done.ts';

export type BulkAct = { kind: 'status'; status: ProductStatus } | { kind: 'delete' | 'price' | 'stock' };

/** Shows what an act would do to the products, and does it. */
export function BulkDialog({ act, ...props }: BulkProps & { act: BulkAct }) {
  if (act.kind === 'price' || act.kind === 'stock') return <EditBulk {...props} of={act.kind} />;
  return <ConfirmBulk {...props} change={act.kind === 'status' ? act : { kind: 'delete' }} />;
}
