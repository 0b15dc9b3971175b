import { useQuery } from '@tanstack/react-query';
import type { CustomerDetail } from '../../../contract/customers.ts';
import { percentText } from '../../language/formats.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { labelledBy, valuesIn } from '../../parts/fields.tsx';
import { rereadAs, useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { useMay } from '../../parts/shop.ts';
import { Money } from '../../parts/values.tsx';
import { customersText as t } from '../../texts/customers.ts';
import { SelectField, Tick } from '../../ui/field.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { calls, discountGroups } from './queries.ts';

type Props = { customer: CustomerDetail; etag: string | undefined; isReadOnly: boolean };

const at = labelledBy(t.fields);
const fields = [
  { kind: 'text', ...at('name') },
  { kind: 'email', ...at('email') },
  { kind: 'phone', ...at('phone') },
  { kind: 'tick', ...at('registered') },
  { kind: 'tick', ...at('marketing_opt_out') },
] as const;
const detailsOf = ({ phone, ...customer }: CustomerDetail) => valuesIn(fields, { ...customer, phone: phone ?? '' });
const businessOf = ({ is_b2b, discount_group_id }: CustomerDetail) => ({ is_b2b, discount_group_id });

export function Details({ customer, etag, isReadOnly }: Props) {
  const reload = useReload();
  const { id } = customer;
  const form = useRecordForm({
    values: detailsOf(customer),
    etag,
    send: (values, options) => calls.update(id, { ...values, phone: values.phone || null }, options),
    reread: rereadAs(() => calls.get(id), detailsOf),
    onSaved: () => void reload('customers'),
  });
  return (
    <Section title={t.details}>
      <EditForm ofPage label={t.details} form={form} isReadOnly={isReadOnly} fields={fields} />
      <Facts facts={factsOf(customer)} />
    </Section>
  );
}

function factsOf(customer: CustomerDetail) {
  const facts: (readonly [string, React.ReactNode])[] = [[t.facts.spent, <Money key="spent" minor={customer.total_spent} />]];
  if (customer.register_ip) facts.push([t.facts.registerIp, <code key="ip">{customer.register_ip}</code>]);
  if (customer.last_login_ip) facts.push([t.facts.loginIp, <code key="ip">{customer.last_login_ip}</code>]);
  return facts;
}

/** Whether the customer is a business, and the discount that it gets. */
export function Business({ customer, etag, isReadOnly }: Props) {
  const may = useMay();
  const reload = useReload();
  const { id } = customer;
  const groups = useQuery({ ...discountGroups, enabled: may('admin_api.discount_groups.read') });
  const form = useRecordForm({
    values: businessOf(customer),
    etag,
    send: (values, options) => calls.update_b2b(id, values, options),
    reread: rereadAs(() => calls.get(id), businessOf),
    onSaved: () => void reload('customers', 'discount_groups'),
  });
  const { is_b2b, discount_group_id } = form.values;
  const known = groups.data?.data ?? [];
  const options: [string, string][] = [
    ['', t.noGroup],
    ...known.map(({ id, name, percent_bps }): [string, string] => [String(id), t.group(name, percentText(percent_bps))]),
  ];
  if (discount_group_id !== null && !known.some((group) => group.id === discount_group_id))
    options.push([String(discount_group_id), `${discount_group_id}`]);
  return (
    <Section title={t.business}>
      <EditForm ofPage label={t.business} form={form} isReadOnly={isReadOnly} nameOf={(name) => t.fields[name]}>
        <Tick label={t.fields.is_b2b} checked={is_b2b} onValue={(on) => form.set('is_b2b', on)} />
        <SelectField
          label={t.fields.discount_group_id}
          hint={t.groupHint}
          pointer="/discount_group_id"
          error={form.errorAt('discount_group_id')}
          value={discount_group_id === null ? '' : String(discount_group_id)}
          options={options}
          onValue={(value) => form.set('discount_group_id', value === '' ? null : Number(value))}
        />
      </EditForm>
    </Section>
  );
}
