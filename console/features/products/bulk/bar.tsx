import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { ProductStatus } from '../../../../contract/products.ts';
import { countText } from '../../../language/formats.ts';
import { fetchAhead } from '../../../parts/fetch-ahead.ts';
import { BulkBar, BulkOutcome, type BulkResult } from '../../../parts/list/bulk-bar.tsx';
import { PAGE_SIZE, type Selection } from '../../../parts/list-page.tsx';
import { useMay } from '../../../parts/shop.ts';
import { productBulkText as t } from '../../../texts/product-bulk.ts';
import { productsText } from '../../../texts/products.ts';
import { Button } from '../../../ui/button.tsx';
import '../../../ui/menu.css';
import { allIds } from '../queries.ts';
import { type ProductFilters, productStatuses } from '../search.ts';
import { ACT_MAX } from './apply.ts';
import type { BulkAct } from './bulk-dialog.tsx';
import { useBulkDone } from './use-bulk-done.ts';

const BulkDialog = lazyRouteComponent(() => import('./bulk-dialog.tsx'), 'BulkDialog');
fetchAhead(BulkDialog);

type Props = Selection & { filters: ProductFilters; words: string };

/** What can be done with the selected products; each act is shown before it is done. */
export function ProductsBar({ ids, total, select, filters, words }: Props) {
  const may = useMay();
  const [act, setAct] = useState<BulkAct | null>(null);
  const [results, setResults] = useState<readonly BulkResult[]>([]);
  const onDone = useBulkDone(setResults, (gone) => select(new Set([...ids].filter((id) => !gone.has(id)))));
  const isTooMany = ids.size > ACT_MAX;
  const shared = {
    ids: [...ids],
    found: ids.size > PAGE_SIZE ? <p>{t.foundBy(words)}</p> : null,
    close: () => setAct(null),
    onDone,
  };
  return (
    <BulkBar
      ids={ids}
      kind="product_ids"
      total={total}
      words={words}
      allIds={() => allIds(filters)}
      select={select}
      acts={
        may('admin_api.products.write') ? (
          <>
            <StatusMenu isDisabled={isTooMany} choose={(status) => setAct({ kind: 'status', status })} />
            {(['price', 'stock', 'delete'] as const).map((kind) => (
              <Button key={kind} disabled={isTooMany} onClick={() => setAct({ kind })}>
                {t[kind === 'delete' ? 'remove' : kind]}
              </Button>
            ))}
          </>
        ) : null
      }
    >
      {isTooMany ? <p className="bulk-result">{t.tooMany(countText(ACT_MAX))}</p> : null}
      <BulkOutcome results={results} codes={t.codes} />
      <Suspense>{act === null ? null : <BulkDialog {...shared} act={act} />}</Suspense>
    </BulkBar>
  );
}

function StatusMenu({ isDisabled, choose }: { isDisabled: boolean; choose(status: ProductStatus): void }) {
  return (
    <MenuProvider>
      <MenuButton className="button" disabled={isDisabled}>
        {t.status}
      </MenuButton>
      <Menu className="menu" gutter={4} portal unmountOnHide>
        {productStatuses.map((status) => (
          <MenuItem key={status} className="menu-item" onClick={() => choose(status)}>
            {productsText.status[status]}
          </MenuItem>
        ))}
      </Menu>
    </MenuProvider>
  );
}
