import { useNavigate } from '@tanstack/react-router';
import { NewSheet } from '../../parts/record-sheet.tsx';
import { SlugFields } from '../../parts/slug-fields.tsx';
import { productsText as t } from '../../texts/products.ts';
import { SelectField, Tick } from '../../ui/field.tsx';
import { calls } from './queries.ts';

const kinds = ['physical', 'digital'] as const;

/** A new product is a draft: its variants and prices come next. */
export function NewProduct({ close }: { close(): void }) {
  const navigate = useNavigate();
  return (
    <NewSheet
      title={t.create}
      submit={t.add}
      start={() => ({ name: '', slug: '', kind: 'physical' as (typeof kinds)[number], is_subscription: false })}
      create={(values, options) => calls.create({ ...values, status: 'draft' }, options)}
      resources={['products']}
      fields={(form) => (
        <>
          <SlugFields
            name={{ label: t.fields.name, ...form.text('name') }}
            slug={{ label: t.fields.slug, hint: t.slugHint, ...form.text('slug') }}
          />
          <SelectField
            label={t.fields.kind}
            value={form.values.kind}
            options={kinds.map((kind) => [kind, t.kinds[kind]] as const)}
            onValue={(kind) => form.set('kind', kind)}
          />
          <Tick label={t.fields.is_subscription} checked={form.values.is_subscription} onValue={(on) => form.set('is_subscription', on)} />
        </>
      )}
      opened={({ id }) => void navigate({ to: '/products/$id', params: { id } })}
      close={close}
    />
  );
}
