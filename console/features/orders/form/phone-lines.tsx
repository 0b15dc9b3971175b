import { ProductImage } from '../../../parts/product-image.tsx';
import { useShop } from '../../../parts/shop.ts';
import { phoneOrderText as t } from '../../../texts/phone-order.ts';
import { AddLine } from './add-line.tsx';
import type { AddedLine } from './edit-values.ts';
import { CustomFields, Line } from './line.tsx';
import type { PhoneOrderEdit } from './use-phone-order.ts';

/** What the customer buys. The same variant again is one more of it, unless its buyer fills something in. */
export function PhoneLines({ order }: { order: PhoneOrderEdit }) {
  const { currency } = useShop();
  const { form, preview, shortages } = order;
  const { lines } = form.values;
  const change = (key: string, changed: Partial<AddedLine>): void =>
    form.update((values) => ({ ...values, lines: values.lines.map((one) => (one.key === key ? { ...one, ...changed } : one)) }));
  // The server makes one line of equal ones; then the sums cannot be told apart, and stand in the totals alone.
  const isOneToOne = preview?.lines.length === lines.length && !order.isWaiting;
  return (
    <>
      {lines.length === 0 ? <p className="muted">{t.noItems}</p> : null}
      <ul className="order-lines">
        {lines.map((line, index) => {
          const short = shortages.find(({ variant_id }) => variant_id === line.variant_id);
          const known = isOneToOne ? preview.lines[index] : undefined;
          const error = order.errorAt(`/items/${index}/quantity`) ?? order.errorAt(`/items/${index}/variant_id`);
          return (
            <Line
              key={line.key}
              name={line.name}
              title={
                <span className="product-named">
                  <ProductImage id={line.product_id} isSmall />
                  <span>{line.name}</span>
                </span>
              }
              currency={currency}
              quantity={line.quantity}
              price={null}
              basePrice={known?.unit_price ?? null}
              was={undefined}
              is={known?.subtotal}
              error={error ?? (short ? t.short(short.available) : undefined)}
              isShort={short !== undefined}
              quantityPointer={`/items/${index}/quantity`}
              onQuantity={(quantity) => change(line.key, { quantity })}
              onRemove={() => form.update((values) => ({ ...values, lines: values.lines.filter(({ key }) => key !== line.key) }))}
            >
              <CustomFields
                fields={line.fields}
                pointer={`/items/${index}/custom_field_values`}
                error={order.errorAt(`/items/${index}/custom_field_values`)}
                onFields={(fields) => change(line.key, { fields })}
              />
            </Line>
          );
        })}
      </ul>
      <AddLine
        currency={currency}
        pointer="/items"
        error={order.errorAt('/items')}
        onAdd={(line) =>
          form.update((values) => {
            const same = values.lines.find(({ variant_id, fields }) => variant_id === line.variant_id && fields.length === 0);
            const more = (one: AddedLine): AddedLine => (one === same ? { ...one, quantity: (one.quantity ?? 0) + 1 } : one);
            return { ...values, lines: same ? values.lines.map(more) : [...values.lines, line] };
          })
        }
      />
    </>
  );
}
