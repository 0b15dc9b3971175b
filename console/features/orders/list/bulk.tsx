import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { OrderStatus } from '../../../../contract/orders.ts';
import { fetchAhead } from '../../../parts/fetch-ahead.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { useMay } from '../../../parts/shop.ts';
import { ordersText as t } from '../../../texts/orders.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import '../../../ui/menu.css';
import { Problem } from '../../../ui/problem.tsx';
import { refreshOrders } from '../order-queries.ts';
import { allIds, type BulkResult, setStatuses } from '../queries.ts';
import { type OrderFilters, statuses } from '../search.ts';

const RunTask = lazyRouteComponent(() => import('./run-task.tsx'), 'RunTask');
fetchAhead(RunTask);
const counts = new Intl.NumberFormat('en');
/** More selected orders than a page shows are asked about first: nobody has seen them all. */
const SEEN_AT_ONCE = 50;
const FAILED_SHOWN = 20;

type Props = {
  ids: ReadonlySet<number>;
  /** How many orders match, and which filters they match in words. */
  total: number;
  filters: OrderFilters;
  words: string;
  select(ids: ReadonlySet<number>): void;
};

/** What can be done with the selected orders; each order tells how it went. */
export function BulkBar({ ids, total, filters, words, select }: Props) {
  const queries = useQueryClient();
  const may = useMay();
  const key = useRetryKey();
  const [asked, ask] = useState<OrderStatus | 'task' | null>(null);
  const [done, setDone] = useState(0);
  const clear = (): void => select(new Set());
  useShortcuts({ escape: clear });
  const setStatus = useMutation({
    mutationFn: (status: OrderStatus) => setStatuses([...ids], status, (part) => key.of([[...ids], status, part]), setDone),
    onMutate: () => setDone(0),
    onSuccess: key.spend,
    onSettled: () => {
      ask(null);
      return refreshOrders(queries);
    },
  });
  const all = useMutation({ mutationFn: () => allIds(filters), onSuccess: (found) => select(new Set(found)) });
  const count = counts.format(ids.size);
  const mayRun = may('admin_api.ai_tasks.write');
  return (
    <section className="bulk" aria-label={t.selected(count)}>
      <strong aria-live="polite">{t.selected(count)}</strong>
      {may('admin_api.orders.write') ? (
        <MenuProvider>
          <MenuButton className="button" disabled={setStatus.isPending}>
            {t.setStatus}
          </MenuButton>
          <Menu className="menu" gutter={4} portal unmountOnHide>
            {statuses.map((status) => (
              <MenuItem
                key={status}
                className="menu-item"
                onClick={() => (ids.size > SEEN_AT_ONCE ? ask(status) : setStatus.mutate(status))}
              >
                {t.status[status]}
              </MenuItem>
            ))}
          </Menu>
        </MenuProvider>
      ) : null}
      {mayRun ? <Button onClick={() => ask('task')}>{t.runTask}</Button> : null}
      <Button kind="quiet" keys="escape" onClick={clear}>
        {t.clear}
      </Button>
      {total > ids.size ? (
        <button type="button" className="link" disabled={all.isPending} onClick={() => all.mutate()}>
          {t.selectAll(counts.format(total), words)}
        </button>
      ) : null}
      {all.error ? <Problem error={all.error} /> : null}
      {setStatus.isPending && ids.size > SEEN_AT_ONCE ? <p role="status">{t.working(counts.format(done), count)}</p> : null}
      {setStatus.error ? <Problem error={setStatus.error} /> : null}
      {setStatus.data ? <Outcome results={setStatus.data} status={setStatus.variables} /> : null}
      {asked !== null && asked !== 'task' ? (
        <Confirm
          title={t.bulkTitle(count, t.status[asked])}
          act={t.bulkAct(count)}
          isBusy={setStatus.isPending}
          onAct={() => setStatus.mutate(asked)}
          close={() => ask(null)}
        >
          <p>{t.bulkDetail(words)}</p>
        </Confirm>
      ) : null}
      {asked === 'task' ? (
        <Suspense>
          <RunTask ids={[...ids]} close={() => ask(null)} />
        </Suspense>
      ) : null}
    </section>
  );
}

function Outcome({ results, status }: { results: readonly BulkResult[]; status: OrderStatus }) {
  const failed = results.filter(({ code }) => code !== undefined);
  const done = results.length - failed.length;
  return (
    <div role="status" className="bulk-result">
      {done > 0 ? <p>{t.statusDone(counts.format(done), t.status[status])}</p> : null}
      {failed.length > 0 ? (
        <>
          <p className="danger-text">{t.statusFailed(counts.format(failed.length))}</p>
          <ul>
            {failed.slice(0, FAILED_SHOWN).map(({ id, code }) => (
              <li key={id}>
                <code>{id}</code> {t.bulkCodes[code ?? ''] ?? code}
              </li>
            ))}
          </ul>
          {failed.length > FAILED_SHOWN ? <p>{t.more(counts.format(failed.length - FAILED_SHOWN))}</p> : null}
        </>
      ) : null}
    </div>
  );
}
