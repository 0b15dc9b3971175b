import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OrderStatus } from '../../../contract/orders.ts';
import { api, once } from '../../api/client.ts';
import { useRetryKey } from '../../app/retry-key.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { ordersText as t } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import '../../ui/menu.css';
import { Problem } from '../../ui/problem.tsx';
import { statuses } from './search.ts';

/** What can be done with the selected orders; each order tells how it went. */
export function BulkBar({ ids, mayChange, clear }: { ids: ReadonlySet<number>; mayChange: boolean; clear(): void }) {
  const queries = useQueryClient();
  const keyOf = useRetryKey();
  useShortcuts({ escape: clear });
  const setStatus = useMutation({
    mutationFn: (status: OrderStatus) => api.orders.bulk_status({ ids: [...ids], status }, once(keyOf([[...ids], status]))),
    onSettled: () => queries.invalidateQueries(),
  });
  const failed = setStatus.data?.results.filter(({ code }) => code !== undefined) ?? [];
  const done = (setStatus.data?.results.length ?? 0) - failed.length;
  return (
    <section className="bulk" aria-label={t.selected(ids.size)}>
      <strong aria-live="polite">{t.selected(ids.size)}</strong>
      {mayChange ? (
        <MenuProvider>
          <MenuButton className="button" disabled={setStatus.isPending}>
            {t.setStatus}
          </MenuButton>
          <Menu className="menu" gutter={4} portal>
            {statuses.map((status) => (
              <MenuItem key={status} className="menu-item" onClick={() => setStatus.mutate(status)}>
                {t.status[status]}
              </MenuItem>
            ))}
          </Menu>
        </MenuProvider>
      ) : null}
      <Button kind="quiet" keys="escape" onClick={clear}>
        {t.clear}
      </Button>
      {setStatus.error ? <Problem error={setStatus.error} /> : null}
      {setStatus.data ? (
        <div role="status" className="bulk-result">
          {done > 0 ? <p>{t.statusDone(done, t.status[setStatus.variables])}</p> : null}
          {failed.length > 0 ? (
            <>
              <p className="danger-text">{t.statusFailed(failed.length)}</p>
              <ul>
                {failed.map(({ id, code }) => (
                  <li key={id}>
                    <code>{id}</code> {t.bulkCodes[code ?? ''] ?? code}
                  </li>
                ))}
              </ul>
            </>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}
