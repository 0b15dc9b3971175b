import { type ReactNode, useState } from 'react';
import { MoneyField } from '../../../parts/money-field.tsx';
import { useMoney } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { Button } from '../../../ui/button.tsx';
import { Change } from '../../../ui/change.tsx';
import { NumberField, TextField } from '../../../ui/field.tsx';
import type { CustomField } from './edit-values.ts';

const t = orderText.lines;

type LineProps = {
  name: string;
  title: ReactNode;
  currency: string;
  quantity: number | null;
  price: number | null;
  /** null: the price of a new line is not known yet. */
  basePrice: number | null;
  /** The part of the line in the sum, as it was and as it would be. */
  was: number | undefined;
  is: number | undefined;
  isRemoved?: boolean;
  isShort?: boolean;
  quantityPointer: string | undefined;
  pricePointer?: string | undefined;
  error: string | undefined;
  priceError?: string | undefined;
  onQuantity(quantity: number | null): void;
  /** Left out where the price is that of the catalogue. */
  onPrice?(price: number | null): void;
  onRemove(): void;
  children?: ReactNode;
};

/** A line of an order that can be changed: how many, at what price, or not at all. */
export function Line(props: LineProps) {
  const { name, title, currency, quantity, price, basePrice, was, is, isRemoved = false, isShort = false, onPrice, children } = props;
  const money = useMoney();
  const [isPricing, setPricing] = useState(false);
  const isOverridden = price !== null && basePrice !== null && price !== basePrice;
  const isPriceShown = onPrice !== undefined && (isPricing || isOverridden || props.priceError !== undefined);
  const each = basePrice === null ? null : t.each(money(price ?? basePrice, currency));
  return (
    <li className={isRemoved ? 'order-line removed' : 'order-line'}>
      <div className="line-name">
        <span>{title}</span>
        {isRemoved ? <span className="muted">{t.removed}</span> : null}
        {isPriceShown || isRemoved || each === null ? null : onPrice === undefined ? (
          <span className="muted">{each}</span>
        ) : (
          <button type="button" className="link line-price" onClick={() => setPricing(true)}>
            {each} <span className="visually-hidden">{t.changePrice(name)}</span>
          </button>
        )}
      </div>
      <NumberField
        label={t.quantity(name)}
        isLabelHidden
        value={quantity}
        error={props.error ?? (quantity === null ? t.missing : undefined)}
        pointer={props.quantityPointer}
        data-short={isShort || undefined}
        inputMode="numeric"
        onValue={props.onQuantity}
      />
      <span className="line-sum">
        <LineSum was={was} is={is} isRemoved={isRemoved} currency={currency} />
      </span>
      <Button
        kind="quiet"
        className="line-remove"
        aria-label={isRemoved ? t.restore(name) : t.remove(name)}
        title={isRemoved ? t.restore(name) : t.remove(name)}
        onClick={props.onRemove}
      >
        {isRemoved ? '↺' : '×'}
      </Button>
      {isPriceShown ? (
        <div className="line-more">
          <MoneyField
            label={t.price(name)}
            value={price ?? basePrice}
            error={props.priceError}
            pointer={props.pricePointer}
            autoFocus={isPricing}
            onValue={onPrice}
          />
        </div>
      ) : null}
      {children}
    </li>
  );
}

type SumProps = { was: number | undefined; is: number | undefined; isRemoved: boolean; currency: string };

/** The part of the line in the sum, as the server computes it; nothing while it is not known. */
function LineSum({ was, is, isRemoved, currency }: SumProps) {
  const money = useMoney();
  if (isRemoved && was !== undefined) return <del className="muted">{money(was, currency)}</del>;
  if (is === undefined) return <span className="muted">…</span>;
  if (was === undefined || was === is) return <>{money(is, currency)}</>;
  return <Change before={money(was, currency)} after={money(is, currency)} />;
}

type FieldsProps = {
  fields: readonly CustomField[];
  pointer: string | undefined;
  error: string | undefined;
  onFields(fields: CustomField[]): void;
};

/** What the buyer of the product fills in. A refusal names all of them as one, and stands at the first. */
export function CustomFields({ fields, pointer, error, onFields }: FieldsProps) {
  if (fields.length === 0) return null;
  return (
    <div className="line-more">
      {fields.map((field, index) => (
        <TextField
          key={field.field_name}
          label={field.required ? t.required(field.field_name) : field.field_name}
          value={field.field_value}
          pointer={index === 0 ? pointer : undefined}
          error={index === 0 ? error : undefined}
          onValue={(field_value) => onFields(fields.map((one) => (one === field ? { ...one, field_value } : one)))}
        />
      ))}
    </div>
  );
}
