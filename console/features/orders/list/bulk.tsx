import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react';
import { useMutation } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { OrderStatus } from '../../../../contract/orders.ts';
import { fetchAhead } from '../../../parts/fetch-ahead.ts';
import { useMay } from '../../../parts/shop.ts';
import { orderStatusText } from '../../../texts/order-status.ts';
import { ordersText as t } from '../../../texts/orders.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import '../../../ui/menu.css';
import { Problem } from '../../../ui/problem.tsx';
import { allIds, type BulkResult } from '../queries.ts';
import { type OrderFilters, statuses } from '../search.ts';
import { CancelEffects, changing } from '../status-effects.tsx';
import { SEEN_AT_ONCE, useBulkStatus } from './use-bulk-status.ts';

const RunTask = lazyRouteComponent(() => import('./run-task.tsx'), 'RunTask');
fetchAhead(RunTask);
const counts = new Intl.NumberFormat('en');
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
  const may = useMay();
  const [isTaskAsked, askTask] = useState(false);
  const clear = (): void => select(new Set());
  useShortcuts({ escape: clear });
  const status = useBulkStatus([...ids]);
  const { choose, set } = status;
  const all = useMutation({ mutationFn: () => allIds(filters), onSuccess: (found) => select(new Set(found)) });
  const count = counts.format(ids.size);
  const mayRun = may('admin_api.ai_tasks.write');
  const error = choose.error ?? set.error ?? all.error;
  return (
    <section className="bulk" aria-label={t.selected(count)}>
      <strong aria-live="polite">{t.selected(count)}</strong>
      {may('admin_api.orders.write') ? <StatusMenu isBusy={choose.isPending || set.isPending} choose={(to) => choose.mutate(to)} /> : null}
      {mayRun ? <Button onClick={() => askTask(true)}>{t.runTask}</Button> : null}
      <Button kind="quiet" keys="escape" onClick={clear}>
        {t.clear}
      </Button>
      {total > ids.size ? (
        <button type="button" className="link" disabled={all.isPending} onClick={() => all.mutate()}>
          {t.selectAll(counts.format(total), words)}
        </button>
      ) : null}
      {error ? <Problem error={error} /> : null}
      {set.isPending && ids.size > SEEN_AT_ONCE ? <p role="status">{t.working(counts.format(status.done), count)}</p> : null}
      {set.data ? <Outcome {...set.data} /> : null}
      <Asked status={status} count={ids.size} words={words} />
      {isTaskAsked ? (
        <Suspense>
          <RunTask ids={[...ids]} close={() => askTask(false)} />
        </Suspense>
      ) : null}
    </section>
  );
}

function StatusMenu({ isBusy, choose }: { isBusy: boolean; choose(status: OrderStatus): void }) {
  return (
    <MenuProvider>
      <MenuButton className="button" disabled={isBusy}>
        {t.setStatus}
      </MenuButton>
      <Menu className="menu" gutter={4} portal unmountOnHide>
        {statuses.map((status) => (
          <MenuItem key={status} className="menu-item" onClick={() => choose(status)}>
            {t.status[status]}
          </MenuItem>
        ))}
      </Menu>
    </MenuProvider>
  );
}

/** The question before what cannot be taken back, and before what is done to orders that nobody has seen. */
function Asked({
  status: { asked, set, close },
  count,
  words,
}: {
  status: ReturnType<typeof useBulkStatus>;
  count: number;
  words: string;
}) {
  if (asked === null) return null;
  const { preview } = asked;
  const shared = { isBusy: set.isPending, onAct: () => set.mutate(asked), close };
  const found = count > SEEN_AT_ONCE ? <p>{t.bulkDetail(words)}</p> : null;
  if (asked.status === 'cancelled') {
    const cancelled = changing(preview, 'cancelled');
    const shown = counts.format(cancelled);
    return (
      <Confirm
        {...shared}
        title={orderStatusText.cancelTitle(cancelled, shown)}
        act={orderStatusText.cancelAct(cancelled, shown)}
        back={orderStatusText.keep(cancelled)}
        isDanger
      >
        {found}
        {cancelled < count ? <p>{orderStatusText.already(count - cancelled, t.status.cancelled)}</p> : null}
        <CancelEffects preview={preview} />
      </Confirm>
    );
  }
  return (
    <Confirm {...shared} title={t.bulkTitle(counts.format(count), t.status[asked.status])} act={t.bulkAct(counts.format(count))}>
      {found}
      {preview.new_downloads > 0 ? <p>{orderStatusText.newDownloads(preview.new_downloads)}</p> : null}
    </Confirm>
  );
}

type OutcomeProps = { results: readonly BulkResult[]; status: OrderStatus; isUndoable: boolean };

/** What was done, where no offer to undo it says so already, and what was refused. */
function Outcome({ results, status, isUndoable }: OutcomeProps) {
  const failed = results.filter(({ code }) => code !== undefined);
  const done = isUndoable ? 0 : results.length - failed.length;
  if (done === 0 && failed.length === 0) return null;
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
