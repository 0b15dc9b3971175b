import { useNavigate } from '@tanstack/react-router';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { customersText as t } from '../../texts/customers.ts';
import { TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { calls } from './queries.ts';

export function NewCustomer({ close }: { close(): void }) {
  const navigate = useNavigate();
  const reload = useReload();
  const form = useRecordForm({
    values: { name: '', email: '', phone: '', registered: false },
    send: (values, options) => calls.create({ ...values, phone: values.phone || null }, options),
    onSaved: async ({ id }) => {
      void reload('customers');
      await navigate({ to: '/customers/$id', params: { id } });
    },
  });
  return (
    <Sheet title={t.create} close={close}>
      <Form label={t.create} form={form} submit={t.add} canSendUnedited>
        <TextField label={t.fields.name} {...form.text('name')} autoFocus autoComplete="off" />
        <TextField label={t.fields.email} type="email" {...form.text('email')} autoComplete="off" />
        <TextField label={t.fields.phone} {...form.text('phone')} autoComplete="off" />
        <Tick label={t.fields.registered} checked={form.values.registered} onValue={(on) => form.set('registered', on)} />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Sheet>
  );
}
