import { useMutation } from '@tanstack/react-query';
import { ProductImage } from '../../../parts/product-image.tsx';
import { useMay } from '../../../parts/shop.ts';
import { useMoney } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { Picker } from '../../../ui/picker.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { customFieldsOf, foundVariants } from '../order-queries.ts';
import type { AddedLine } from './edit-values.ts';

const t = orderText.lines;

type Props = { currency: string; pointer?: string; error?: string | undefined; onAdd(line: AddedLine): void };

/** Finds a variant by product, label or SKU and makes a line of it, with what its buyer must fill in. */
export function AddLine({ currency, pointer, error, onAdd }: Props) {
  const may = useMay();
  const money = useMoney();
  const add = useMutation({
    mutationFn: async ({ id, product_id, name }: { id: number; product_id: number; name: string }): Promise<AddedLine> => {
      const fields = (await customFieldsOf(product_id)).map((field) => ({ ...field, field_value: '' }));
      return { key: crypto.randomUUID(), product_id, variant_id: id, name, quantity: 1, price: null, fields };
    },
    onSuccess: onAdd,
  });
  if (!may('admin_api.products.read')) return <p className="muted">{t.mayNotFind}</p>;
  const noteOf = ({ price_cents, stock }: { price_cents: number; stock: number | null }): string =>
    [money(price_cents, currency), ...(stock === null ? [] : [t.stock(stock)])].join(' · ');
  return (
    <>
      <Picker
        label={t.add}
        placeholder={t.addHint}
        error={error}
        {...(pointer === undefined ? {} : { pointer })}
        search={(typed) => foundVariants(typed, noteOf)}
        imageOf={({ product_id }) => <ProductImage id={product_id} isSmall />}
        onPick={(found) => add.mutate(found)}
      />
      {add.error ? <Problem error={add.error} /> : null}
    </>
  );
}
