import type { Product, Variant } from '../../../contract/products.ts';
import { Money } from '../../parts/values.tsx';
import { productsText as t } from '../../texts/products.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { VariantStock } from './parts.tsx';

const columns: Column<Variant>[] = [
  {
    name: 'label',
    head: t.variants.label,
    cell: ({ label, sku, active }) => (
      <>
        {label || <code>{sku}</code>} {active ? null : <span className="tag">{t.variants.off}</span>}
      </>
    ),
  },
  { name: 'stock', head: t.columns.stock, cell: (variant) => <VariantStock variant={variant} />, isNumber: true },
  {
    name: 'price',
    head: t.columns.price,
    cell: ({ price_cents, compare_at_price_cents }) => (
      <>
        {compare_at_price_cents === null ? null : (
          <>
            <del className="muted">
              <Money minor={compare_at_price_cents} />
            </del>{' '}
          </>
        )}
        <Money minor={price_cents} />
      </>
    ),
    isNumber: true,
  },
];

type Props = { product: Product; open: number | undefined; openVariant(id: number): void; addVariant: (() => void) | undefined };

export function Variants({ product: { variants }, open, openVariant, addVariant }: Props) {
  const add = addVariant ? (
    <Button keys="n" onClick={addVariant}>
      {t.variants.create}
    </Button>
  ) : null;
  return (
    <Section title={t.variants.title} act={add}>
      {variants.length === 0 ? (
        <p className="muted">{t.variants.none}</p>
      ) : (
        <Table
          label={t.variants.title}
          rows={variants}
          columns={columns}
          idOf={({ id }) => id}
          nameOf={({ label, sku }) => label || sku}
          open={open}
          onOpen={({ id }) => openVariant(id)}
        />
      )}
    </Section>
  );
}
