import { useNavigate } from '@tanstack/react-router';
import { NewSheet } from '../../parts/record-sheet.tsx';
import { customersText as t } from '../../texts/customers.ts';
import { TextField, Tick } from '../../ui/field.tsx';
import { calls } from './queries.ts';

export function NewCustomer({ close }: { close(): void }) {
  const navigate = useNavigate();
  return (
    <NewSheet
      title={t.create}
      submit={t.add}
      start={() => ({ name: '', email: '', phone: '', registered: false })}
      create={(values, options) => calls.create({ ...values, phone: values.phone || null }, options)}
      resources={['customers']}
      fields={(form) => (
        <>
          <TextField label={t.fields.name} {...form.text('name')} autoFocus autoComplete="off" />
          <TextField label={t.fields.email} type="email" {...form.text('email')} autoComplete="off" />
          <TextField label={t.fields.phone} {...form.text('phone')} autoComplete="off" />
          <Tick label={t.fields.registered} checked={form.values.registered} onValue={(on) => form.set('registered', on)} />
        </>
      )}
      opened={({ id }) => void navigate({ to: '/customers/$id', params: { id } })}
      close={close}
    />
  );
}
