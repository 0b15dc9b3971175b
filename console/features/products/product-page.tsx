import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Product, ProductStatus } from '../../../contract/products.ts';
import { ifMatch, type Tagged } from '../../api/client.ts';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { defined } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { productsText as t } from '../../texts/products.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Columns, PageHead } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { WithSheet } from '../../ui/sheet.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Banner } from '../../ui/tabs.tsx';
import { Access } from './access.tsx';
import { Details } from './details.tsx';
import { ProductStage } from './parts.tsx';
import { calls, deleteProduct, productRecord } from './queries.ts';
import { Files, Images } from './sets.tsx';
import { VariantSheet } from './variant-sheet.tsx';
import { Variants } from './variants.tsx';

const route = getRouteApi('/products/$id');

export function ProductPage() {
  const { id } = route.useParams();
  const { open, new: isNew = false } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const product = useQuery(productRecord(id));
  const go = (search: { open?: number | undefined; new?: true | undefined }): void => void navigate({ search: defined(search) });
  const isSheetOpen = isNew || open !== undefined;
  const mayChange = may('admin_api.products.write');
  useShortcuts({
    escape: () => (isSheetOpen ? go({}) : void navigate({ to: '/products' })),
    ...(mayChange ? { n: () => go({ new: true }) } : {}),
  });
  const variants = product.data?.value.variants ?? [];
  const at = variants.findIndex((variant) => variant.id === open);
  const stepTo = (index: number): (() => void) | null => {
    const variant = variants[index];
    return at >= 0 && variant ? () => go({ open: variant.id }) : null;
  };
  const steps = open === undefined ? {} : { previous: stepTo(at - 1), next: stepTo(at + 1) };
  return (
    <WithSheet
      sheet={isSheetOpen ? <VariantSheet key={open ?? 'new'} productId={id} id={open} steps={steps} close={() => go({})} /> : null}
    >
      <Loaded query={product} rows={10}>
        {(record) => (
          <Shown {...record} open={open} openVariant={(variant) => go({ open: variant })} addVariant={() => go({ new: true })} />
        )}
      </Loaded>
    </WithSheet>
  );
}

type Props = Tagged<Product> & { open: number | undefined; openVariant(id: number): void; addVariant(): void };

function Shown({ value: product, etag, open, openVariant, addVariant }: Props) {
  const may = useMay();
  const navigate = route.useNavigate();
  const reload = useReload();
  const { id, name, status } = product;
  const mayChange = may('admin_api.products.write');
  const [isKept, setKept] = useState(false);
  const setStatus = useMutation({
    mutationFn: (next: ProductStatus) => calls.update(id, { status: next }, ifMatch(etag)),
    onSettled: () => reload('products'),
  });
  return (
    <>
      <PageHead
        title={name}
        note={
          <>
            <ProductStage status={status} /> · <code>{product.public_id}</code>
          </>
        }
      >
        <ButtonLink to="/products" keys="escape">
          {t.back}
        </ButtonLink>
        {mayChange ? (
          <>
            {status === 'active' ? null : <Button onClick={() => setStatus.mutate('active')}>{t.activate}</Button>}
            {status === 'archived' ? null : <Button onClick={() => setStatus.mutate('archived')}>{t.archive}</Button>}
            <Remove
              name={name}
              act={t.remove}
              run={async () => {
                const kept = await deleteProduct(id);
                if (kept) setKept(true);
                else await navigate({ to: '/products' });
              }}
              onDone={() => reload('products')}
            >
              <p>{t.removeDetail}</p>
            </Remove>
          </>
        ) : null}
      </PageHead>
      {setStatus.error ? <Problem error={setStatus.error} /> : null}
      {isKept ? (
        <Banner tone="plain">
          <span role="status">{t.kept}</span>
        </Banner>
      ) : null}
      <Columns>
        <div>
          <Variants product={product} open={open} openVariant={openVariant} addVariant={mayChange ? addVariant : undefined} />
          <Images product={product} mayChange={mayChange} />
          <Files product={product} mayChange={mayChange} />
          <Access id={id} mayChange={mayChange} />
        </div>
        <div>
          <Details product={product} etag={etag} isReadOnly={!mayChange} />
        </div>
      </Columns>
    </>
  );
}
