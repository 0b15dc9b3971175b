import { type ReactNode, useState } from 'react';
import { MoneyField } from '../../../parts/money-field.tsx';
import { orderText } from '../../../texts/order.ts';
import { TextField } from '../../../ui/field.tsx';
import { CountryField } from '../parts.tsx';
import { fieldOf, type OrderEdit } from './use-order-edit.ts';

const t = orderText.edit;

/** Fields that most edits do not need: folded, but never while one of them is edited or refused. */
function Folded({ title, isOpen, children }: { title: string; isOpen: boolean; children: ReactNode }) {
  const [isUnfolded, unfold] = useState(false);
  return (
    <details className="folded" open={isUnfolded || isOpen} onToggle={(event) => unfold(event.currentTarget.open)}>
      <summary>{title}</summary>
      <div className="folded-fields">{children}</div>
    </details>
  );
}

const priceNames = ['discount_amount_cents', 'discount_reason', 'voucher_code', 'shipping/method', 'shipping/cost_cents'] as const;
const personNames = [
  'customer/name',
  'customer/email',
  'customer/phone',
  'shipping_address/line1',
  'shipping_address/line2',
  'shipping_address/postal_code',
  'shipping_address/city',
  'shipping_address/state',
  'shipping_address/country',
] as const;

type Name = (typeof priceNames)[number] | (typeof personNames)[number];

function isTouched({ form, errorAt }: OrderEdit, names: readonly Name[]): boolean {
  return names.some((name) => form.values[name] !== form.base[name] || errorAt(`/${name}`) !== undefined);
}

export function PriceFields({ edit, hasVoucher }: { edit: OrderEdit; hasVoucher: boolean }) {
  const amount = (name: 'discount_amount_cents' | 'shipping/cost_cents') => ({
    pointer: `/${name}`,
    value: edit.form.values[name],
    error: edit.errorAt(`/${name}`),
    onValue: (value: number | null) => edit.form.set(name, value),
  });
  return (
    <Folded title={t.price} isOpen={isTouched(edit, priceNames)}>
      <div className="form-row">
        <MoneyField label={hasVoucher ? t.discountWithVoucher : t.discount} {...amount('discount_amount_cents')} />
        <TextField label={t.discountReason} {...fieldOf(edit, 'discount_reason')} />
      </div>
      <TextField label={t.voucher} autoComplete="off" {...fieldOf(edit, 'voucher_code')} />
      <div className="form-row">
        <TextField label={t.shippingMethod} {...fieldOf(edit, 'shipping/method')} />
        <MoneyField label={t.shippingCost} {...amount('shipping/cost_cents')} />
      </div>
    </Folded>
  );
}

export function PersonFields({ edit }: { edit: OrderEdit }) {
  return (
    <Folded title={t.person} isOpen={isTouched(edit, personNames)}>
      <p className="muted">{t.onlyHere}</p>
      <TextField label={t.name} {...fieldOf(edit, 'customer/name')} />
      <div className="form-row">
        <TextField label={t.email} inputMode="email" {...fieldOf(edit, 'customer/email')} />
        <TextField label={t.phone} inputMode="tel" {...fieldOf(edit, 'customer/phone')} />
      </div>
      <TextField label={t.line1} {...fieldOf(edit, 'shipping_address/line1')} />
      <TextField label={t.line2} {...fieldOf(edit, 'shipping_address/line2')} />
      <div className="form-row">
        <TextField label={t.postalCode} {...fieldOf(edit, 'shipping_address/postal_code')} />
        <TextField label={t.city} {...fieldOf(edit, 'shipping_address/city')} />
      </div>
      <div className="form-row">
        <TextField label={t.state} {...fieldOf(edit, 'shipping_address/state')} />
        <CountryField label={t.country} hint={t.countryHint} {...fieldOf(edit, 'shipping_address/country')} />
      </div>
    </Folded>
  );
}
