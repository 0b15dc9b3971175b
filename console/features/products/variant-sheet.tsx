import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Variant } from '../../../contract/products.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { type Field, type FieldRows, Fields, labelledBy, valuesIn } from '../../parts/fields.tsx';
import type { Steps } from '../../parts/list-page.tsx';
import { changedOnly, type RecordForm, rereadAs, useRecordForm } from '../../parts/record-form.ts';
import { NewSheet } from '../../parts/record-sheet.tsx';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { useMay } from '../../parts/shop.ts';
import { productsText } from '../../texts/products.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { calls, variantRecord } from './queries.ts';
import { Stock } from './stock.tsx';

const t = productsText.variants;

type SheetProps = { productId: number; id: number | undefined; steps: Steps; close(): void };

/** One variant of a product, or a new one. */
export function VariantSheet({ productId, id, steps, close }: SheetProps) {
  if (id === undefined) return <NewVariant productId={productId} close={close} />;
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

const at = labelledBy(t.fields);
const rows = [
  [
    { kind: 'text', ...at('label') },
    { kind: 'text', ...at('sku') },
  ],
  [
    { kind: 'money', ...at('price_cents') },
    { kind: 'money', ...at('compare_at_price_cents'), hint: t.compareHint },
  ],
  { kind: 'number', ...at('weight_grams') },
] as const satisfies FieldRows<Variant>;
const ticks = [
  { kind: 'tick', ...at('track_stock') },
  { kind: 'tick', ...at('allow_backorder') },
  { kind: 'tick', ...at('active') },
] as const satisfies FieldRows<Variant>;
const position = { kind: 'number', ...at('position'), hint: t.positionHint } as const satisfies Field<Variant>;

const valuesOf = (variant: Variant) => valuesIn([...rows, ...ticks, position], variant);
type KnownValues = ReturnType<typeof valuesOf>;
type Values = Omit<KnownValues, 'position'>;

const start: Values & { stock: number | null } = {
  ...{ sku: '', label: '', price_cents: null, compare_at_price_cents: null, weight_grams: null },
  ...{ track_stock: true, allow_backorder: false, active: true, stock: null },
};

/** What the server refuses at its field, since a price is required. */
const MISSING = Number.NaN;
const sent = (values: Values) => ({ ...values, price_cents: values.price_cents ?? MISSING, weight_grams: values.weight_grams ?? 0 });
const sentOfKnown = (values: KnownValues) => ({ ...sent(values), position: values.position ?? 0 });

function VariantForm({ value: variant, etag, close }: Tagged<Variant> & { close(): void }) {
  const { id } = variant;
  const reload = useReload();
  const mayChange = useMay()('admin_api.products.write');
  const form = useRecordForm({
    values: valuesOf(variant),
    etag,
    send: (values, options, base) => calls.update_variant(id, changedOnly(sentOfKnown(values), sentOfKnown(base)), options),
    reread: rereadAs(() => calls.get_variant(id), valuesOf),
    onSaved: () => void reload('products'),
  });
  const removed = (): void => {
    close();
    void reload('products');
  };
  return (
    <EditForm
      label={t.details}
      form={form}
      isReadOnly={!mayChange}
      nameOf={(field) => t.fields[field]}
      acts={
        <Remove name={variant.label || variant.sku} run={() => calls.delete_variant(id)} onDone={removed}>
          <p>{t.removeDetail}</p>
        </Remove>
      }
    >
      <VariantFields form={form} />
      <Fields fields={[position]} form={form} />
    </EditForm>
  );
}

function NewVariant({ productId, close }: { productId: number; close(): void }) {
  return (
    <NewSheet
      title={t.create}
      submit={productsText.add}
      another={t.another}
      start={() => start}
      create={({ stock, ...values }, options) => calls.create_variant(productId, { ...sent(values), stock: stock ?? 0 }, options)}
      resources={['products']}
      fields={(form) => (
        <VariantFields form={form}>
          <Fields fields={[{ kind: 'number', ...at('stock'), isShown: ({ track_stock }) => track_stock }]} form={form} />
        </VariantFields>
      )}
      opened={close}
      close={close}
    />
  );
}

type FieldsProps = { form: Pick<RecordForm<Values, unknown>, 'values' | 'set' | 'errors'>; children?: ReactNode };

function VariantFields({ form, children }: FieldsProps) {
  return (
    <>
      <Fields fields={rows} form={form} />
      {children}
      <div>
        <Fields fields={ticks} form={form} />
      </div>
    </>
  );
}
