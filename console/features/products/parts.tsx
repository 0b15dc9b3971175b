import type { Product, ProductStatus, Variant } from '../../../contract/products.ts';
import { countText } from '../../language/formats.ts';
import { useShop } from '../../parts/shop.ts';
import { useMoney } from '../../parts/values.tsx';
import { productsText as t } from '../../texts/products.ts';
import { Lifecycle, type Stage, Status } from '../../ui/status.tsx';

const stages: Record<ProductStatus, Stage> = { draft: 'empty', active: 'full', archived: 'barred' };

export function ProductStage({ status }: { status: ProductStatus }) {
  return <Lifecycle stage={stages[status]}>{t.status[status]}</Lifecycle>;
}

/** The price, or from the lowest to the highest. */
export function Prices({ variants }: Pick<Product, 'variants'>) {
  const money = useMoney();
  const prices = variants.map(({ price_cents }) => price_cents);
  if (prices.length === 0) return null;
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  return (
    <>
      <span className="money">{money(low)}</span>
      {low === high ? null : (
        <>
          {' – '}
          <span className="money">{money(high)}</span>
        </>
      )}
    </>
  );
}

const isSoldOut = ({ active, track_stock, stock, allow_backorder }: Variant): boolean =>
  active && track_stock && !allow_backorder && stock <= 0;

/** How many pieces there are of a variant; sold out is an exception, unless it may be ordered all the same. */
export function VariantStock({ variant }: { variant: Variant }) {
  if (!variant.track_stock) return <span className="muted">{t.notCounted}</span>;
  const pieces = countText(variant.stock);
  return isSoldOut(variant) ? <Status tone="need">{t.soldOut(pieces)}</Status> : pieces;
}

/** The pieces of all variants that are counted. Low is what the list that is filtered by it has, too. */
export function ProductStock({ product: { variants, status, low_stock_threshold } }: { product: Product }) {
  const { low_stock_threshold: ofShop } = useShop();
  const counted = variants.filter(({ track_stock }) => track_stock);
  if (counted.length === 0) return <span className="muted">{t.notCounted}</span>;
  const sum = counted.reduce((all, { stock }) => all + stock, 0);
  const pieces = countText(sum);
  if (counted.some(isSoldOut)) return <Status tone="need">{t.soldOut(pieces)}</Status>;
  const isLow = status !== 'archived' && sum >= 1 && sum <= (low_stock_threshold ?? ofShop);
  return isLow ? <Status tone="need">{t.low(pieces)}</Status> : pieces;
}
