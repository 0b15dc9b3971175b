import { useQuery } from '@tanstack/react-query';
import type { CustomerAddress } from '../../../contract/customers.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { type FieldRows, labelledBy, valuesIn } from '../../parts/fields.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { useMay } from '../../parts/shop.ts';
import { customersText as t } from '../../texts/customers.ts';
import { Button } from '../../ui/button.tsx';
import { countryName } from '../../ui/countries.ts';
import { Loaded, Rows } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { calls, customerAddresses } from './queries.ts';

type ListProps = { id: number; open: number | undefined; openAddress(id: number | undefined): void; mayChange: boolean };

export function Addresses({ id, open, openAddress, mayChange }: ListProps) {
  const addresses = useQuery(customerAddresses(id));
  useShortcuts(mayChange ? { n: () => openAddress(undefined) } : {});
  const add = mayChange ? (
    <Button keys="n" onClick={() => openAddress(undefined)}>
      {t.addresses.create}
    </Button>
  ) : null;
  return (
    <Section title={t.addresses.title} act={add}>
      <Rows query={addresses} none={t.addresses.none}>
        {(address) => (
          <li key={address.id} aria-current={address.id === open ? 'true' : undefined}>
            <div>
              <span className="tag">{t.addresses.types[address.address_type] ?? address.address_type}</span>{' '}
              {address.is_default ? <span className="tag">{t.addresses.default}</span> : null} <strong>{address.label}</strong>
              <p>{addressText(address)}</p>
            </div>
            {mayChange ? (
              <Button kind="quiet" aria-label={t.addresses.edit(addressText(address))} onClick={() => openAddress(address.id)}>
                {t.edit}
              </Button>
            ) : null}
          </li>
        )}
      </Rows>
    </Section>
  );
}

function addressText({ line1, line2, postal_code, city, state, country }: CustomerAddress): string {
  return [line1, line2, `${postal_code} ${city}`.trim(), state, countryName(country) ?? country].filter(Boolean).join(', ');
}

/** One address, or a new one. */
export function AddressSheet({ customerId, id, close }: { customerId: number; id: number | undefined; close(): void }) {
  const addresses = useQuery(customerAddresses(customerId));
  const address = addresses.data?.find((one) => one.id === id);
  const title = id === undefined ? t.addresses.create : t.addresses.one;
  return (
    <Sheet title={title} close={close}>
      <Loaded query={addresses}>
        {() =>
          id === undefined || address ? (
            <AddressForm customerId={customerId} address={address} title={title} close={close} />
          ) : (
            <p className="muted">{t.addresses.gone}</p>
          )
        }
      </Loaded>
    </Sheet>
  );
}

const types = ['shipping', 'billing'] as const;
const at = labelledBy(t.addresses.fields);
const start = {
  ...{ address_type: 'shipping' as (typeof types)[number], label: '', line1: '', line2: '', postal_code: '' },
  ...{ city: '', state: '', country: '', is_default: false },
};

const fields: FieldRows<typeof start> = [
  {
    kind: 'choice',
    ...at('address_type'),
    options: types.map((type) => [type, t.addresses.types[type] ?? type] as const),
  },
  { kind: 'text', ...at('label') },
  { kind: 'text', ...at('line1') },
  { kind: 'text', ...at('line2') },
  [
    { kind: 'text', ...at('postal_code') },
    { kind: 'text', ...at('city') },
  ],
  [
    { kind: 'text', ...at('state') },
    { kind: 'country', ...at('country') },
  ],
  { kind: 'tick', ...at('is_default') },
];

function valuesOf({ address_type, line2, ...address }: CustomerAddress): typeof start {
  const type = types.find((one) => one === address_type) ?? 'shipping';
  return valuesIn(fields, { ...address, address_type: type, line2: line2 ?? '' });
}

type FormProps = { customerId: number; address: CustomerAddress | undefined; title: string; close(): void };

function AddressForm({ customerId, address, title, close }: FormProps) {
  const reload = useReload();
  const mayChange = useMay()('admin_api.customers.write');
  const done = (): void => {
    void reload('customers');
    close();
  };
  const form = useRecordForm({
    values: address ? valuesOf(address) : start,
    send: (values, options) => {
      const body = { ...values, line2: values.line2 || null };
      return address ? calls.update_address(customerId, address.id, body, options) : calls.create_address(customerId, body, options);
    },
    onSaved: done,
  });
  return (
    <EditForm
      label={title}
      form={form}
      fields={fields}
      canSendUnedited={address === undefined}
      isReadOnly={!mayChange}
      {...(address ? {} : { submit: t.add })}
      acts={address ? <Remove name={addressText(address)} run={() => calls.delete_address(customerId, address.id)} onDone={done} /> : null}
    />
  );
}
