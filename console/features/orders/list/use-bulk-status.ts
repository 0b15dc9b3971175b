import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderStatus, OrderStatusPreview } from '../../../../contract/orders.ts';
import type { BulkResult } from '../../../parts/list/bulk-bar.tsx';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { orderStatusText } from '../../../texts/order-status.ts';
import { ordersText as t } from '../../../texts/orders.ts';
import { offerUndo } from '../../../ui/toast.tsx';
import { refreshOrders, statusPreview } from '../order-queries.ts';
import { type ByStatus, setStatuses } from '../queries.ts';
import { isForGood } from '../status-effects.tsx';

/** More selected orders than a page shows are asked about first: nobody has seen them all. */
export const SEEN_AT_ONCE = 50;

type Change = { status: OrderStatus; preview: OrderStatusPreview };
export type Outcome = Change & { results: readonly BulkResult[]; isUndoable: boolean };

/**
 * Sets the status of the selected orders. What cannot be taken back as a whole, or is done to orders that nobody has seen, is asked about;
 * everything else is done at once and can be undone for a while.
 */
export function useBulkStatus(ids: readonly number[]) {
  const queries = useQueryClient();
  const key = useRetryKey();
  const [asked, ask] = useState<Change | null>(null);
  const [done, setDone] = useState(0);
  const refresh = () => refreshOrders(queries);
  const set = useMutation({
    mutationFn: async ({ status, preview }: Change): Promise<Outcome> => {
      const results = await setStatuses(preview.from, status, (body) => key.of(body), setDone);
      const known = new Set(results.map(({ id }) => id));
      const gone = ids.filter((id) => !known.has(id)).map((id) => ({ id, code: 'not_found' }));
      return { status, preview, results: [...results, ...gone], isUndoable: !isForGood(status, preview) };
    },
    onMutate: () => setDone(0),
    onSuccess: (outcome) => {
      key.spend();
      if (!outcome.isUndoable || !hasChanged(outcome)) return;
      const changed = changedBy(outcome);
      const undoKey = crypto.randomUUID();
      offerUndo(doneBy(outcome), async () => {
        const told = await takeBack(changed, outcome.status, undoKey);
        await refresh();
        return told;
      });
    },
    onSettled: () => {
      ask(null);
      return refresh();
    },
  });
  const choose = useMutation({
    mutationFn: async (status: OrderStatus): Promise<Change> => ({
      status,
      preview: await queries.fetchQuery(statusPreview({ ids: [...ids], status })),
    }),
    onSuccess: (change) => {
      if (ids.length > SEEN_AT_ONCE || isForGood(change.status, change.preview)) ask(change);
      else set.mutate(change);
    },
  });
  return { choose, set, asked, close: () => ask(null), done };
}

/** The orders that have another status by this change, by the one that they had. */
function changedBy({ preview, status, results }: Outcome): ByStatus {
  const done = new Set(results.filter(({ code }) => code === undefined).map(({ id }) => id));
  return preview.from
    .filter((group) => group.status !== status)
    .map((group) => ({ status: group.status, ids: group.ids.filter((id) => done.has(id)) }))
    .filter((group) => group.ids.length > 0);
}

/** Whether any order has another status by this change. */
export function hasChanged(outcome: Outcome): boolean {
  return changedBy(outcome).length > 0;
}

/** What was done, in words: how many have another status by it, and how many had this one before. */
export function doneBy(outcome: Outcome): string {
  const changed = changedBy(outcome).reduce((sum, { ids }) => sum + ids.length, 0);
  const already = outcome.results.filter(({ code }) => code === undefined).length - changed;
  const status = t.status[outcome.status];
  return [changed > 0 ? t.statusDone(changed, status) : '', already > 0 ? orderStatusText.wasAlready(already, status) : '']
    .filter(Boolean)
    .join(' ');
}

/** Gives each order its earlier status, unless somebody has changed it since; tells how that went. A second try has the same `key`. */
async function takeBack(changed: ByStatus, status: OrderStatus, key: string): Promise<string> {
  const results: BulkResult[] = [];
  for (const group of changed) {
    const from = [{ status, ids: group.ids }];
    results.push(
      ...(await setStatuses(
        from,
        group.status,
        ({ ids }) => `${key} ${ids[0]}`,
        () => undefined,
      )),
    );
  }
  const failed = results.filter(({ code }) => code !== undefined);
  const since = failed.filter(({ code }) => code === 'status_changed' || code === 'not_found').length;
  const undone = results.length - failed.length;
  return [
    undone > 0 ? orderStatusText.undone(undone) : '',
    since > 0 ? orderStatusText.notUndone(since) : '',
    failed.length > since ? orderStatusText.notUndoneFor(failed.length - since, t.bulkCodes['insufficient_stock'] ?? '') : '',
  ]
    .filter(Boolean)
    .join(' ');
}
