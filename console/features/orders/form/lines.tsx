import { useState } from 'react';
import type { PreviewLine } from '../../../../contract/order-edits.ts';
import type { OrderDetail, OrderItem } from '../../../../contract/orders.ts';
import { countText } from '../../../language/formats.ts';
import { ProductImage } from '../../../parts/product-image.tsx';
import { Money } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { Button } from '../../../ui/button.tsx';
import { AddLine } from './add-line.tsx';
import { type AddedLine, lineIds } from './edit-values.ts';
import { CustomFields, Line } from './line.tsx';
import type { OrderEdit } from './use-order-edit.ts';

const t = orderText.lines;
/** An imported order may have a thousand lines; a person edits one of the first, or asks for all. */
const FIRST_SHOWN = 50;

export function ReadLines({ order }: { order: OrderDetail }) {
  const [areAllShown, showAll] = useState(false);
  const shown = areAllShown ? order.items : order.items.slice(0, FIRST_SHOWN);
  return (
    <>
      <table className="lines" aria-label={t.title}>
        <tbody>
          {shown.map((item) => (
            <tr key={item.id}>
              <th scope="row">
                <ItemName item={item} />
              </th>
              <td className="number">{countText(item.quantity)}</td>
              <td className="number">
                <Money minor={item.subtotal} currency={order.currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < order.items.length ? <Button onClick={() => showAll(true)}>{t.showAll(order.items.length)}</Button> : null}
    </>
  );
}

function ItemName({ item }: { item: Pick<OrderItem, 'product_id' | 'product_name' | 'variant_label' | 'custom_fields'> }) {
  return (
    <span className="product-named">
      <ProductImage id={item.product_id} isSmall />
      <span>
        {item.product_name} <span className="muted">{item.variant_label}</span>
        {item.custom_fields.map(({ field_name, field_value }) => (
          <span key={field_name} className="muted line-note">
            {field_name}: {field_value}
          </span>
        ))}
      </span>
    </span>
  );
}

type Props = { order: OrderDetail; edit: OrderEdit; areAllShown: boolean; showAll(): void };

export function EditedLines({ order, edit, areAllShown, showAll }: Props) {
  const { form, preview, known } = edit;
  const ids = lineIds(form.values);
  const shown = areAllShown ? ids : ids.slice(0, FIRST_SHOWN);
  const before = new Map((preview?.lines_before ?? order.items).map((line) => [line.id, line]));
  const after = new Map(preview?.lines_after.flatMap((line) => (line.id === null ? [] : [[line.id, line]])));
  // New lines come last, in the order in which they were sent: first the lines that somebody else has removed meanwhile.
  const news = preview?.lines_after.filter(({ id }) => id === null) ?? [];
  const again = ids.filter((id) => !(`quantity/${id}` in form.base));
  const ofNew = (index: number): PreviewLine | undefined => (edit.isCurrent ? news[index] : undefined);
  const shortOf = (variantId: number): string | undefined => {
    const found = preview?.stock_warnings.find(({ variant_id }) => variant_id === variantId);
    return found && t.short(found.requested, found.available);
  };
  return (
    <>
      {ids.length === 0 ? <p className="muted">{t.none}</p> : null}
      <ul className="order-lines" aria-label={t.title}>
        {shown.map((id) => {
          const item = known.get(id);
          if (!item) return null;
          const at = again.indexOf(id);
          const isRemoved = form.values[`quantity/${id}`] === 0;
          return (
            <Line
              key={id}
              name={item.variant_label === '' ? item.product_name : `${item.product_name}, ${item.variant_label}`}
              title={<ItemName item={item} />}
              currency={order.currency}
              quantity={form.values[`quantity/${id}`] ?? null}
              price={form.values[`price/${id}`] ?? null}
              basePrice={form.base[`price/${id}`] ?? item.unit_price}
              was={before.get(id)?.subtotal}
              is={preview ? (at < 0 ? after.get(id)?.subtotal : ofNew(at)?.subtotal) : item.subtotal}
              isRemoved={isRemoved}
              isShort={shortOf(item.variant_id) !== undefined}
              quantityPointer={edit.pointerOf(id, 'quantity')}
              pricePointer={edit.pointerOf(id, 'unit_price_override_cents')}
              error={
                edit.errorAt(edit.pointerOf(id, 'quantity')) ?? edit.errorAt(edit.pointerOf(id, 'variant_id')) ?? shortOf(item.variant_id)
              }
              priceError={edit.errorAt(edit.pointerOf(id, 'unit_price_override_cents'))}
              onQuantity={(quantity) => form.set(`quantity/${id}`, quantity)}
              onPrice={(price) => form.set(`price/${id}`, price)}
              onRemove={() => form.set(`quantity/${id}`, isRemoved ? (form.base[`quantity/${id}`] ?? 1) : 0)}
            />
          );
        })}
        {form.values.added.map((line, index) => (
          <NewLine
            key={line.key}
            line={line}
            edit={edit}
            currency={order.currency}
            after={ofNew(again.length + index)}
            short={shortOf(line.variant_id)}
          />
        ))}
      </ul>
      {shown.length < ids.length ? <Button onClick={showAll}>{t.showAll(ids.length)}</Button> : null}
      <AddLine currency={order.currency} onAdd={(line) => form.update((values) => ({ ...values, added: [...values.added, line] }))} />
    </>
  );
}

function NewLine(props: { line: AddedLine; edit: OrderEdit; currency: string; after: PreviewLine | undefined; short: string | undefined }) {
  const { line, edit, currency, after, short } = props;
  const change = (changed: Partial<AddedLine>): void =>
    edit.form.update((values) => ({
      ...values,
      added: values.added.map((one) => (one.key === line.key ? { ...one, ...changed } : one)),
    }));
  const fieldsPointer = edit.pointerOf(line.key, 'custom_field_values');
  return (
    <Line
      name={line.name}
      title={
        <span className="product-named">
          <ProductImage id={line.product_id} isSmall />
          <span>
            {line.name} <span className="tag">{t.isNew}</span>
          </span>
        </span>
      }
      currency={currency}
      quantity={line.quantity}
      price={line.price}
      basePrice={after?.unit_price ?? null}
      was={undefined}
      is={after?.subtotal}
      isShort={short !== undefined}
      quantityPointer={edit.pointerOf(line.key, 'quantity')}
      pricePointer={edit.pointerOf(line.key, 'unit_price_override_cents')}
      error={edit.errorAt(edit.pointerOf(line.key, 'quantity')) ?? edit.errorAt(edit.pointerOf(line.key, 'variant_id')) ?? short}
      priceError={edit.errorAt(edit.pointerOf(line.key, 'unit_price_override_cents'))}
      onQuantity={(quantity) => change({ quantity })}
      onPrice={(price) => change({ price })}
      onRemove={() =>
        edit.form.set(
          'added',
          edit.form.values.added.filter(({ key }) => key !== line.key),
        )
      }
    >
      <CustomFields
        fields={line.fields}
        pointer={fieldsPointer}
        error={edit.errorAt(fieldsPointer)}
        onFields={(fields) => change({ fields })}
      />
    </Line>
  );
}
