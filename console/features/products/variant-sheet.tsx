import { useQuery } from '@tanstack/react-query';
import type { Variant } from '../../../contract/products.ts';
import type { Tagged } from '../../api/client.ts';
import type { Steps } from '../../parts/list-page.tsx';
import { MoneyField } from '../../parts/money-field.tsx';
import { changedOnly, rereadAs, useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { useMay } from '../../parts/shop.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { productsText } from '../../texts/products.ts';
import { NumberField, TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { calls, variantRecord } from './queries.ts';
import { Stock } from './stock.tsx';

const t = productsText.variants;

type SheetProps = { productId: number; id: number | undefined; steps: Steps; close(): void };

/** One variant of a product, or a new one. */
export function VariantSheet({ productId, id, steps, close }: SheetProps) {
  if (id === undefined) {
    return (
      <Sheet title={t.create} close={close}>
        <NewVariant productId={productId} close={close} />
      </Sheet>
    );
  }
  return <KnownVariant id={id} steps={steps} close={close} />;
}

function KnownVariant({ id, steps, close }: { id: number; steps: Steps; close(): void }) {
  const variant = useQuery(variantRecord(id));
  const { value } = variant.data ?? {};
  return (
    <Sheet title={value ? value.label || value.sku : t.one} close={close} {...steps}>
      <Loaded query={variant}>
        {(record) => (
          <>
            <Stock variant={record.value} />
            <VariantForm {...record} close={close} />
          </>
        )}
      </Loaded>
    </Sheet>
  );
}

/** What the server refuses at its field, since a price is required. */
const MISSING = Number.NaN;

const start = {
  sku: '',
  label: '',
  price_cents: null as number | null,
  compare_at_price_cents: null as number | null,
  weight_grams: 0 as number | null,
  track_stock: true,
  allow_backorder: false,
  active: true,
};
type Values = typeof start;

const valuesOf = ({
  sku,
  label,
  price_cents,
  compare_at_price_cents,
  weight_grams,
  track_stock,
  allow_backorder,
  active,
}: Variant): Values => ({
  sku,
  label,
  price_cents,
  compare_at_price_cents,
  weight_grams,
  track_stock,
  allow_backorder,
  active,
});

function VariantForm({ value: variant, etag, close }: Tagged<Variant> & { close(): void }) {
  const { id } = variant;
  const reload = useReload();
  const mayChange = useMay()('admin_api.products.write');
  const form = useRecordForm({
    values: { ...valuesOf(variant), position: variant.position as number | null },
    etag,
    send: (values, options, base) => {
      const { price_cents, weight_grams, position, ...rest } = changedOnly(values, base);
      return calls.update_variant(
        id,
        {
          ...rest,
          ...(price_cents === undefined ? {} : { price_cents: price_cents ?? MISSING }),
          ...(weight_grams === undefined ? {} : { weight_grams: weight_grams ?? 0 }),
          ...(position === undefined ? {} : { position: position ?? 0 }),
        },
        options,
      );
    },
    reread: rereadAs(
      () => calls.get_variant(id),
      (value) => ({ ...valuesOf(value), position: value.position as number | null }),
    ),
    onSaved: () => void reload('products'),
  });
  const name = variant.label || variant.sku;
  return (
    <>
      <Form
        label={t.details}
        form={form}
        isReadOnly={!mayChange}
        nameOf={(field) => t.fields[field]}
        acts={
          <Remove
            name={name}
            run={() => calls.delete_variant(id)}
            onDone={() => {
              close();
              void reload('products');
            }}
          >
            <p>{t.removeDetail}</p>
          </Remove>
        }
      >
        <VariantFields form={form} />
        <NumberField
          label={t.fields.position}
          hint={t.positionHint}
          pointer="/position"
          error={form.errorAt('position')}
          value={form.values.position}
          onValue={(value) => form.set('position', value)}
        />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </>
  );
}

function NewVariant({ productId, close }: { productId: number; close(): void }) {
  const reload = useReload();
  const form = useRecordForm({
    values: { ...start, stock: 0 as number | null },
    send: ({ price_cents, weight_grams, stock, ...values }, options) =>
      calls.create_variant(
        productId,
        { ...values, price_cents: price_cents ?? MISSING, weight_grams: weight_grams ?? 0, stock: stock ?? 0 },
        options,
      ),
    onSaved: () => {
      void reload('products');
      close();
    },
  });
  return (
    <>
      <Form label={t.create} form={form} submit={productsText.add} canSendUnedited>
        <VariantFields form={form} />
        {form.values.track_stock ? (
          <NumberField
            label={t.fields.stock}
            pointer="/stock"
            error={form.errorAt('stock')}
            value={form.values.stock}
            onValue={(value) => form.set('stock', value)}
          />
        ) : null}
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </>
  );
}

type FieldsProps = {
  form: {
    values: Values;
    set<K extends keyof Values>(name: K, value: Values[K]): void;
    errorAt(name: string): string | undefined;
  };
};

function VariantFields({ form: { values, set, errorAt } }: FieldsProps) {
  const at = (name: keyof Values) => ({ label: t.fields[name], pointer: `/${name}`, error: errorAt(name) });
  return (
    <>
      <div className="form-row">
        <TextField {...at('label')} value={values.label} onValue={(value) => set('label', value)} autoComplete="off" />
        <TextField {...at('sku')} value={values.sku} onValue={(value) => set('sku', value)} autoComplete="off" />
      </div>
      <div className="form-row">
        <MoneyField {...at('price_cents')} value={values.price_cents} onValue={(value) => set('price_cents', value)} />
        <MoneyField
          {...at('compare_at_price_cents')}
          hint={t.compareHint}
          value={values.compare_at_price_cents}
          onValue={(value) => set('compare_at_price_cents', value)}
        />
      </div>
      <NumberField {...at('weight_grams')} value={values.weight_grams} onValue={(value) => set('weight_grams', value)} />
      <div>
        <Tick label={t.fields.track_stock} checked={values.track_stock} onValue={(on) => set('track_stock', on)} />
        <Tick label={t.fields.allow_backorder} checked={values.allow_backorder} onValue={(on) => set('allow_backorder', on)} />
        <Tick label={t.fields.active} checked={values.active} onValue={(on) => set('active', on)} />
      </div>
    </>
  );
}
