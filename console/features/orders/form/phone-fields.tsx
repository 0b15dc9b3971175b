import { useMutation, useQuery } from '@tanstack/react-query';
import type { CustomerDetail } from '../../../../contract/customers.ts';
import { Fields } from '../../../parts/fields.tsx';
import { NoMailServer } from '../../../parts/mail.tsx';
import { useMay } from '../../../parts/shop.ts';
import { useMoney } from '../../../parts/values.tsx';
import { phoneOrderText as t } from '../../../texts/phone-order.ts';
import { SelectField, Tick } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { Picker } from '../../../ui/picker.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { foundCustomers, pickupLocations, readCustomer, shippingMethods } from '../phone-queries.ts';
import { phoneRows } from './fields.ts';
import type { DiscountKind, PhonePayment, PhoneValues, ShippingKind } from './phone-values.ts';
import type { PhoneOrderEdit } from './use-phone-order.ts';

export function CustomerFields({ order }: { order: PhoneOrderEdit }) {
  const may = useMay();
  const pick = useMutation({
    mutationFn: (id: number) => readCustomer(id),
    onSuccess: (customer) => order.form.update((values) => ({ ...values, ...valuesOfCustomer(customer) })),
  });
  return (
    <Section title={t.customer}>
      <div className="form-part">
        {may('admin_api.customers.read') ? (
          <Picker label={t.pick} placeholder={t.pickHint} search={foundCustomers} onPick={({ id }) => pick.mutate(id)} />
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
  const { form } = order;
  return (
    <div className="form-part">
      <Tick label={t.billing} checked={form.values.hasBilling} onValue={(hasBilling) => form.set('hasBilling', hasBilling)} />
      {form.values.hasBilling ? (
        <>
          <Fields fields={phoneRows.billing} form={order.shown} />
          <AddressFields order={order} at="billing" title={t.billingTitle} />
        </>
      ) : null}
    </div>
  );
}

export function PriceFields({ order }: { order: PhoneOrderEdit }) {
  const { form } = order;
  const { discountKind: kind } = form.values;
  const kinds: readonly DiscountKind[] = ['none', 'fixed', 'percent'];
  return (
    <Section title={t.price}>
      <div className="form-part">
        <div className="form-row">
          <Fields fields={phoneRows.voucher} form={order.shown} />
          <SelectField
            label={t.discount}
            value={kind}
            options={kinds.map((one) => [one, t.discounts[one]] as const)}
            onValue={(next) => form.set('discountKind', next)}
          />
        </div>
        {kind === 'none' ? null : (
          <div className="form-row">
            <Fields fields={[...phoneRows[kind], ...phoneRows.reason]} form={order.shown} />
          </div>
        )}
      </div>
    </Section>
  );
}

export function MoreFields({ order }: { order: PhoneOrderEdit }) {
  const { form } = order;
  const payments: readonly PhonePayment[] = ['none', 'pending', 'paid'];
  return (
    <Section title={t.more}>
      <div className="form-part">
        <div className="form-row">
          <Fields fields={phoneRows.delivery} form={order.shown} />
          <SelectField
            label={t.payment}
            value={form.values.payment_status}
            options={payments.map((one) => [one, t.payments[one]] as const)}
            onValue={(payment) => form.set('payment_status', payment)}
          />
        </div>
        <Fields fields={phoneRows.notes} form={order.shown} />
        <Tick
          label={t.mail}
          checked={form.values.send_confirmation_email}
          onValue={(isSent) => form.set('send_confirmation_email', isSent)}
        />
        <Tick label={t.register} checked={form.values.register_customer} onValue={(isMade) => form.set('register_customer', isMade)} />
        {form.values.send_confirmation_email || form.values.register_customer ? <NoMailServer /> : null}
      </div>
    </Section>
  );
}
