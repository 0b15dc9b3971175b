import { useNavigate } from '@tanstack/react-router';
import { Fields, labelledBy } from '../../parts/fields.tsx';
import { NewSheet } from '../../parts/record-sheet.tsx';
import { customersText as t } from '../../texts/customers.ts';
import { calls } from './queries.ts';

const at = labelledBy(t.fields);
const fields = [
  { kind: 'text', ...at('name'), autoFocus: true },
  { kind: 'email', ...at('email') },
  { kind: 'phone', ...at('phone') },
  { kind: 'tick', ...at('registered') },
] as const;

export function NewCustomer({ close }: { close(): void }) {
  const navigate = useNavigate();
  return (
    <NewSheet
      title={t.create}
      submit={t.add}
      start={() => ({ name: '', email: '', phone: '', registered: false })}
      create={(values, options) => calls.create({ ...values, phone: values.phone || null }, options)}
      resources={['customers']}
      fields={(form) => <Fields fields={fields} form={form} />}
      opened={({ id }) => void navigate({ to: '/customers/$id', params: { id } })}
      close={close}
    />
  );
}
