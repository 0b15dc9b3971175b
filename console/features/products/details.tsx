import type { Product } from '../../../contract/products.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { type FieldRows, Fields, labelledBy, valuesIn } from '../../parts/fields.tsx';
import { changedOnly, rereadAs, useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { productsText as t } from '../../texts/products.ts';
import { NumberField, SelectField, Tick } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { CustomFields } from './custom-fields.tsx';
import { calls } from './queries.ts';
import { productStatuses } from './search.ts';

const kinds = ['physical', 'digital'] as const;
const intervals = ['day', 'week', 'month', 'year'] as const;
const policies = ['immediate', 'period_end'] as const;

const at = labelledBy(t.fields);
const choices = <T extends string>(names: readonly T[], labels: Record<T, string>) => names.map((one) => [one, labels[one]] as const);

const rows = [
  { kind: 'text', ...at('name') },
  { kind: 'text', ...at('slug') },
  { kind: 'area', ...at('description'), rows: 6 },
  [
    { kind: 'choice', ...at('status'), options: choices(productStatuses, t.status) },
    { kind: 'choice', ...at('kind'), options: choices(kinds, t.kinds) },
  ],
  [
    { kind: 'taxRate', ...at('tax_rate_id') },
    { kind: 'number', ...at('low_stock_threshold'), hint: t.thresholdHint },
  ],
] as const satisfies FieldRows<Product>;
const ending = [
  [
    { kind: 'choice', ...at('cancellation_policy'), options: choices(policies, t.policies) },
    { kind: 'number', ...at('max_billing_cycles'), hint: t.cyclesHint },
  ],
] as const satisfies FieldRows<Product>;

function valuesOf(product: Product) {
  const { custom_fields, is_subscription, billing_interval, billing_interval_count } = product;
  return { ...valuesIn([...rows, ...ending], product), custom_fields, is_subscription, billing_interval, billing_interval_count };
}

type Props = { product: Product; etag: string | undefined; isReadOnly: boolean };

export function Details({ product, etag, isReadOnly }: Props) {
  const reload = useReload();
  const form = useRecordForm({
    values: valuesOf(product),
    etag,
    send: (values, options, base) => calls.update(product.id, changedOnly(values, base), options),
    reread: rereadAs(() => calls.get(product.id), valuesOf),
    onSaved: () => void reload('products'),
  });
  const { values, set, errorAt } = form;
  return (
    <Section title={t.details}>
      <EditForm ofPage label={t.details} form={form} isReadOnly={isReadOnly} nameOf={(name) => t.fields[name]} fields={rows}>
        <CustomFields fields={values.custom_fields} set={(fields) => set('custom_fields', fields)} errorAt={errorAt} />
        <Tick label={t.fields.is_subscription} checked={values.is_subscription} onValue={(on) => set('is_subscription', on)} />
        {values.is_subscription ? (
          <>
            <div className="form-row">
              <NumberField
                label={t.fields.billing_interval_count}
                pointer="/billing_interval_count"
                error={errorAt('billing_interval_count')}
                value={values.billing_interval_count}
                onValue={(count) => set('billing_interval_count', count ?? 1)}
              />
              <SelectField
                label={t.fields.billing_interval}
                pointer="/billing_interval"
                error={errorAt('billing_interval')}
                value={values.billing_interval ?? 'month'}
                options={choices(intervals, t.intervals)}
                onValue={(interval) => set('billing_interval', interval)}
              />
            </div>
            <Fields fields={ending} form={form} />
          </>
        ) : null}
      </EditForm>
    </Section>
  );
}
