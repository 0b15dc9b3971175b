import type { Product } from '../../../contract/products.ts';
import { changedOnly, rereadAs, useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { TaxRateField } from '../../parts/tax-rate-field.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { productsText as t } from '../../texts/products.ts';
import { NumberField, SelectField, TextArea, TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { CustomFields } from './custom-fields.tsx';
import { calls } from './queries.ts';
import { productStatuses } from './search.ts';

const kinds = ['physical', 'digital'] as const;
const intervals = ['day', 'week', 'month', 'year'] as const;
const policies = ['immediate', 'period_end'] as const;

function valuesOf(product: Product) {
  const { name, slug, description, status, kind, tax_rate_id, low_stock_threshold, custom_fields } = product;
  const { is_subscription, billing_interval, billing_interval_count, cancellation_policy, max_billing_cycles } = product;
  return {
    name,
    slug,
    description,
    status,
    kind,
    tax_rate_id,
    low_stock_threshold,
    custom_fields,
    is_subscription,
    billing_interval,
    billing_interval_count,
    cancellation_policy,
    max_billing_cycles,
  };
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
      <Form label={t.details} form={form} isReadOnly={isReadOnly} nameOf={(name) => t.fields[name]}>
        <TextField label={t.fields.name} {...form.text('name')} autoComplete="off" />
        <TextField label={t.fields.slug} {...form.text('slug')} autoComplete="off" />
        <TextArea label={t.fields.description} rows={6} {...form.text('description')} />
        <div className="form-row">
          <SelectField
            label={t.fields.status}
            value={values.status}
            options={productStatuses.map((one) => [one, t.status[one]] as const)}
            onValue={(status) => set('status', status)}
          />
          <SelectField
            label={t.fields.kind}
            value={values.kind}
            options={kinds.map((one) => [one, t.kinds[one]] as const)}
            onValue={(kind) => set('kind', kind)}
          />
        </div>
        <div className="form-row">
          <TaxRateField
            label={t.fields.tax_rate_id}
            error={errorAt('tax_rate_id')}
            value={values.tax_rate_id}
            onValue={(id) => set('tax_rate_id', id)}
          />
          <NumberField
            label={t.fields.low_stock_threshold}
            hint={t.thresholdHint}
            pointer="/low_stock_threshold"
            error={errorAt('low_stock_threshold')}
            value={values.low_stock_threshold}
            onValue={(threshold) => set('low_stock_threshold', threshold)}
          />
        </div>
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
                options={intervals.map((one) => [one, t.intervals[one]] as const)}
                onValue={(interval) => set('billing_interval', interval)}
              />
            </div>
            <div className="form-row">
              <SelectField
                label={t.fields.cancellation_policy}
                value={values.cancellation_policy}
                options={policies.map((one) => [one, t.policies[one]] as const)}
                onValue={(policy) => set('cancellation_policy', policy)}
              />
              <NumberField
                label={t.fields.max_billing_cycles}
                hint={t.cyclesHint}
                pointer="/max_billing_cycles"
                error={errorAt('max_billing_cycles')}
                value={values.max_billing_cycles}
                onValue={(cycles) => set('max_billing_cycles', cycles)}
              />
            </div>
          </>
        ) : null}
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} ofPage />
    </Section>
  );
}
