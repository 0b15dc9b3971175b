import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { slugProposals } from '../../parts/slug.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { productsText as t } from '../../texts/products.ts';
import { SelectField, TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { calls } from './queries.ts';

const kinds = ['physical', 'digital'] as const;

/** A new product is a draft: its variants and prices come next. */
export function NewProduct({ close }: { close(): void }) {
  const navigate = useNavigate();
  const reload = useReload();
  const [isSlugTyped, setSlugTyped] = useState(false);
  const [proposed] = useState(() => slugProposals());
  const form = useRecordForm({
    values: { name: '', slug: '', kind: 'physical' as (typeof kinds)[number], is_subscription: false },
    send: (values, options) => calls.create({ ...values, status: 'draft' }, options),
    onSaved: ({ id }) => {
      void reload('products');
      void navigate({ to: '/products/$id', params: { id } });
    },
  });
  function setName(name: string): void {
    form.set('name', name);
    if (!isSlugTyped) form.set('slug', proposed(name));
  }
  function setSlug(slug: string): void {
    form.set('slug', slug);
    setSlugTyped(true);
  }
  return (
    <Sheet title={t.create} close={close}>
      <Form label={t.create} form={form} submit={t.add} canSendUnedited>
        <TextField label={t.fields.name} {...form.text('name')} onValue={setName} autoFocus autoComplete="off" />
        <TextField label={t.fields.slug} hint={t.slugHint} {...form.text('slug')} onValue={setSlug} autoComplete="off" />
        <SelectField
          label={t.fields.kind}
          value={form.values.kind}
          options={kinds.map((kind) => [kind, t.kinds[kind]] as const)}
          onValue={(kind) => form.set('kind', kind)}
        />
        <Tick label={t.fields.is_subscription} checked={form.values.is_subscription} onValue={(on) => form.set('is_subscription', on)} />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Sheet>
  );
}
