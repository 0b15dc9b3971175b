import type { ReactNode } from 'react';
import type { ProductBulkChange } from '../../../../contract/product-bulk.ts';
import { useReload } from '../../../parts/reload.ts';
import { productBulkText as t } from '../../../texts/product-bulk.ts';
import { productsText } from '../../../texts/products.ts';
import { offerUndo, tellDone } from '../../../ui/toast.tsx';
import { type Applied, doneIn, requestsOf } from './apply.ts';

export type BulkProps = {
  ids: readonly number[];
  /** By what the products were found, where nobody has seen them all. */
  found: ReactNode;
  close(): void;
  onDone(change: ProductBulkChange, applied: Applied): void;
};

/**
 * Reads the lists again after a change of many products, and offers for a while to take it back where that can be done. `drop` takes
 * products that are gone out of the selection.
 */
export function useBulkDone(show: (results: Applied['results']) => void, drop: (ids: ReadonlySet<number>) => void): BulkProps['onDone'] {
  const reload = useReload();
  return (change, { results, archived, gone, undo }) => {
    const count = doneIn(results).size;
    const words = count > 0 ? doneWords(change, count, archived) : undefined;
    const isUndoable = undo !== undefined && words !== undefined;
    show(results);
    drop(gone);
    if (!isUndoable && words !== undefined) tellDone(words);
    void reload('products', 'dashboard');
    if (!isUndoable) return;
    const key = crypto.randomUUID();
    offerUndo(words, async () => {
      const taken = await undo(requestsOf(key), t.undoReason);
      await reload('products', 'dashboard');
      const undone = doneIn(taken).size;
      return [undone > 0 ? t.undone(undone) : '', undone < taken.length ? t.notUndone(taken.length - undone) : '']
        .filter(Boolean)
        .join(' ');
    });
  };
}

function doneWords(change: ProductBulkChange, count: number, archived: number): string {
  switch (change.kind) {
    case 'status':
      return t.statusDone(count, productsText.status[change.status]);
    case 'delete':
      return [count > archived ? t.removeDone(count - archived) : '', archived > 0 ? t.archiveDone(archived) : '']
        .filter(Boolean)
        .join(' ');
    case 'price_set':
    case 'price_amount':
    case 'price_percent':
      return t.priceDone(count);
    case 'stock_set':
    case 'stock_add':
      return t.stockDone(count);
  }
}
