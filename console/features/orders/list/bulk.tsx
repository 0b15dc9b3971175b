import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react';
import type { OrderStatus } from '../../../../contract/orders.ts';
import { countText } from '../../../language/formats.ts';
import { BulkBar, BulkOutcome } from '../../../parts/list/bulk-bar.tsx';
import { useMay } from '../../../parts/shop.ts';
import { listActsText } from '../../../texts/list-acts.ts';
import { ordersText as t } from '../../../texts/orders.ts';
import '../../../ui/menu.css';
import { allIds } from '../queries.ts';
import { type OrderFilters, statuses } from '../search.ts';
import { Asked } from './asked.tsx';
import { doneBy, hasChanged, type Outcome, SEEN_AT_ONCE, useBulkStatus } from './use-bulk-status.ts';

type Props = {
  ids: ReadonlySet<number>;
  /** How many orders match, and which filters they match in words. */
  total: number;
  filters: OrderFilters;
  words: string;
  select(ids: ReadonlySet<number>): void;
};

/** What can be done with the selected orders; each order tells how it went. */
export function OrdersBar({ ids, total, filters, words, select }: Props) {
  const may = useMay();
  const status = useBulkStatus([...ids]);
  const { choose, set } = status;
  const count = countText(ids.size);
  return (
    <BulkBar
      ids={ids}
      kind="order_ids"
      total={total}
      words={words}
      allIds={() => allIds(filters)}
      select={select}
      acts={
        may('admin_api.orders.write') ? <StatusMenu isBusy={choose.isPending || set.isPending} choose={(to) => choose.mutate(to)} /> : null
      }
      error={choose.error ?? set.error}
    >
      {set.isPending && ids.size > SEEN_AT_ONCE ? <p role="status">{listActsText.working(countText(status.done), count)}</p> : null}
      {set.data ? <Told outcome={set.data} /> : null}
      <Asked status={status} count={ids.size} words={words} />
    </BulkBar>
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

/** What was done, where no offer to undo it says so already, and what was refused. */
function Told({ outcome }: { outcome: Outcome }) {
  const { results, isUndoable } = outcome;
  const isOffered = isUndoable && hasChanged(outcome);
  return <BulkOutcome results={results} done={isOffered ? undefined : doneBy(outcome) || undefined} codes={t.bulkCodes} />;
}
