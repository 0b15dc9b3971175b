import { useNavigate } from '@tanstack/react-router';
import { Fields } from '../../parts/fields.tsx';
import { NewSheet } from '../../parts/record-sheet.tsx';
import { SlugFields } from '../../parts/slug-fields.tsx';
import { productsText as t } from '../../texts/products.ts';
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
          <Fields
            form={form}
            fields={[
              { kind: 'choice', name: 'kind', label: t.fields.kind, options: kinds.map((kind) => [kind, t.kinds[kind]] as const) },
              { kind: 'tick', name: 'is_subscription', label: t.fields.is_subscription },
            ]}
          />
        </>
      )}
      opened={({ id }) => void navigate({ to: '/products/$id', params: { id } })}
      close={close}
    />
  );
}
