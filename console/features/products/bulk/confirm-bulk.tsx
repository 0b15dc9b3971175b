import { useMutation, useQuery } from '@tanstack/react-query';
import type { BulkProduct, ProductBulkChange } from '../../../../contract/product-bulk.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { productBulkText as t } from '../../../texts/product-bulk.ts';
import { productsText } from '../../../texts/products.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Skeleton } from '../../../ui/page.tsx';
import { applyBulk, bulkPreview, requestsOf } from './apply.ts';
import { BulkPreview, changeCount } from './preview.tsx';
import type { BulkProps } from './use-bulk-done.ts';

type Props = BulkProps & { change: Extract<ProductBulkChange, { kind: 'status' | 'delete' }> };

/** Asks before products get another status or are deleted, with what becomes of each. */
export function ConfirmBulk({ ids, change, found, close, onDone }: Props) {
  const key = useRetryKey();
  const apply = useMutation({
    mutationFn: (products: readonly BulkProduct[]) => applyBulk(change, products, '', requestsOf(key.of([change, ids]))),
    onSuccess: (applied) => {
      key.spend();
      onDone(change, applied);
      close();
    },
  });
  // What was asked about stays on the screen while it is done, and if that fails.
  const preview = useQuery({ ...bulkPreview(ids, change), enabled: apply.isIdle });
  const count = preview.data ? changeCount(change, preview.data) : 0;
  const isDeletion = change.kind === 'delete';
  return (
    <Confirm
      title={isDeletion ? t.removeTitle(ids.length) : t.statusTitle(ids.length, productsText.status[change.status])}
      act={isDeletion ? t.removeAct(count) : t.statusAct(count)}
      {...(isDeletion ? { back: t.keep } : {})}
      isDanger={isDeletion}
      isBusy={apply.isPending || count === 0}
      error={apply.error ?? preview.error}
      onAct={() => apply.mutate(preview.data ?? [])}
      close={close}
    >
      {found}
      {isDeletion ? <p>{t.removeDetail}</p> : null}
      {preview.data ? <BulkPreview change={change} products={preview.data} /> : preview.error ? null : <Skeleton rows={3} />}
    </Confirm>
  );
}
