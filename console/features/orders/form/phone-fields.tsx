import { useMutation, useQuery } from '@tanstack/react-query';
import type { CustomerDetail } from '../../../../contract/customers.ts';
import { type FieldRows, Fields } from '../../../parts/fields.tsx';
import { NoMailServer } from '../../../parts/mail.tsx';
import { useMay } from '../../../parts/shop.ts';
import { useMoney } from '../../../parts/values.tsx';
import { phoneOrderText as t } from '../../../texts/phone-order.ts';
import { SelectField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { Picker } from '../../../ui/picker.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { foundCustomers, pickupLocations, readCustomer, shippingMethods } from '../phone-queries.ts';
import { phoneRows } from './fields.ts';
import type { DiscountKind, PhonePayment, PhoneValues, ShippingKind } from './phone-values.ts';
import type { PhoneOrderEdit } from './use-phone-order.ts';

/** `onPicked`: the customer is known, and the next thing can be asked. */
export function CustomerFields({ order, onPicked }: { order: PhoneOrderEdit; onPicked(): void }) {
  const may = useMay();
  const pick = useMutation({
    mutationFn: (id: number) => readCustomer(id),
    onSuccess: (customer) => {
      order.form.update((values) => ({ ...values, ...valuesOfCustomer(customer) }));
      onPicked();
    },
  });
  return (
    <Section title={t.customer}>
      <div className="form-part">
        {may('admin_api.customers.read') ? (
          <Picker autoFocus label={t.pick} placeholder={t.pickHint} search={foundCustomers} onPick={({ id }) => pick.mutate(id)} />
        ) : null}
        {pick.error ? <Problem error={pick.error} /> : null}
        {pick.data ? (
          <p className="muted" role="status">
            {t.picked}
          </p>
        ) : null}
        <Fields fields={phoneRows.customer} form={order.shown} />
      </div>
    </Section>
  );
}

/** Name, contact and the usual address of a customer who is picked. */
function valuesOfCustomer({ name, email, phone, addresses }: CustomerDetail): Partial<PhoneValues> {
  const address = addresses.find(({ is_default }) => is_default) ?? addresses[0];
  return {
    'customer/name': name,
    'customer/email': email,
    'customer/phone': phone ?? '',
    ...(address && {
      'shipping_address/line1': address.line1,
      'shipping_address/line2': address.line2 ?? '',
      'shipping_address/postal_code': address.postal_code,
      'shipping_address/city': address.city,
      'shipping_address/state': address.state,
      'shipping_address/country': address.country,
    }),
  };
}

export function ShippingFields({ order }: { order: PhoneOrderEdit }) {
  const may = useMay();
  const money = useMoney();
  const { form } = order;
  const kind = form.values['shipping/kind'];
  const methods = useQuery({ ...shippingMethods, enabled: may('admin_api.shipping_methods.read') });
  const locations = useQuery({ ...pickupLocations, enabled: may('admin_api.pickup_locations.read') });
  const choices =
    kind === 'configured'
      ? (methods.data ?? []).map(({ id, name, price_cents }) => [String(id), `${name} · ${money(price_cents)}`] as const)
      : (locations.data ?? []).map(({ id, name }) => [String(id), name] as const);
  const chosen = form.values['shipping/method_id'];
  const kinds: readonly ShippingKind[] = ['configured', 'pickup', 'none'];
  return (
    <Section title={t.shipping}>
      <div className="form-part">
        <SelectField
          label={t.how}
          value={kind}
          error={order.errorAt('/shipping/kind')}
          pointer="/shipping/kind"
          options={kinds.map((one) => [one, t.kinds[one]] as const)}
          onValue={(next) => form.update((values) => ({ ...values, 'shipping/kind': next, 'shipping/method_id': null }))}
        />
        {kind === 'none' ? null : (
          <SelectField
            label={kind === 'configured' ? t.method : t.location}
            value={chosen === null ? '' : String(chosen)}
            error={order.errorAt('/shipping/method_id')}
            pointer="/shipping/method_id"
            options={[['', t.choose], ...choices]}
            onValue={(id) => form.set('shipping/method_id', id === '' ? null : Number(id))}
          />
        )}
        {kind === 'configured' ? <AddressFields order={order} at="shipping" title={t.address} /> : null}
      </div>
    </Section>
  );
}

function AddressFields({ order, at, title }: { order: PhoneOrderEdit; at: 'shipping' | 'billing'; title: string }) {
  return (
    <fieldset className="address-fields">
      <legend>{title}</legend>
      <Fields fields={at === 'shipping' ? phoneRows.address : phoneRows.billingAddress} form={order.shown} />
    </fieldset>
  );
}

export function BillingFields({ order }: { order: PhoneOrderEdit }) {
  return (
    <div className="form-part">
      <Fields fields={[{ kind: 'tick', name: 'hasBilling', label: t.billing }]} form={order.shown} />
      {order.form.values.hasBilling ? (
        <>
          <Fields fields={phoneRows.billing} form={order.shown} />
          <AddressFields order={order} at="billing" title={t.billingTitle} />
        </>
      ) : null}
    </div>
  );
}

const discounts = (['none', 'fixed', 'percent'] as const satisfies readonly DiscountKind[]).map((one) => [one, t.discounts[one]] as const);

export function PriceFields({ order }: { order: PhoneOrderEdit }) {
  const { discountKind: kind } = order.form.values;
  const rows: FieldRows<PhoneValues> = [
    [...phoneRows.voucher, { kind: 'choice', name: 'discountKind', label: t.discount, options: discounts }],
    ...(kind === 'none' ? [] : [[...phoneRows[kind], ...phoneRows.reason]]),
  ];
  return (
    <Section title={t.price}>
      <div className="form-part">
        <Fields fields={rows} form={order.shown} />
      </div>
    </Section>
  );
}

const payments = (['none', 'pending', 'paid'] as const satisfies readonly PhonePayment[]).map((one) => [one, t.payments[one]] as const);
const moreRows: FieldRows<PhoneValues> = [
  [...phoneRows.delivery, { kind: 'choice', name: 'payment_status', label: t.payment, options: payments }],
  ...phoneRows.notes,
  { kind: 'tick', name: 'send_confirmation_email', label: t.mail },
  { kind: 'tick', name: 'register_customer', label: t.register },
];

export function MoreFields({ order }: { order: PhoneOrderEdit }) {
  const { send_confirmation_email, register_customer } = order.form.values;
  return (
    <Section title={t.more}>
      <div className="form-part">
        <Fields fields={moreRows} form={order.shown} />
        {send_confirmation_email || register_customer ? <NoMailServer /> : null}
      </div>
    </Section>
  );
}
