import { useState } from 'react';
import type { AccessGroupDetail } from '../../../contract/access-groups.ts';
import { AccessRow } from '../../parts/access.tsx';
import { EditForm } from '../../parts/edit-form.tsx';
import { Fields } from '../../parts/fields.tsx';
import { foundRecords } from '../../parts/record-choices.ts';
import { useRecordForm } from '../../parts/record-form.ts';
import { RecordLink } from '../../parts/record-link.tsx';
import { useReload } from '../../parts/reload.ts';
import { useMay } from '../../parts/shop.ts';
import { accessGroupsText as t } from '../../texts/access-groups.ts';
import { text } from '../../texts/app.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Picked } from '../../ui/picked.tsx';
import { Picker } from '../../ui/picker.tsx';
import { calls } from './queries.ts';

const SHOWN = 50;

/** Who has access, by what, and until when; access by hand is granted and revoked here. */
export function Members({ group: { id, members }, mayChange }: { group: AccessGroupDetail; mayChange: boolean }) {
  const [isGranting, setGranting] = useState(false);
  const [shown, setShown] = useState(SHOWN);
  const act = mayChange && !isGranting ? <Button onClick={() => setGranting(true)}>{t.members.grant}</Button> : null;
  return (
    <Section title={t.members.title} act={act}>
      {isGranting ? <Grant groupId={id} close={() => setGranting(false)} /> : null}
      {members.length === 0 ? <p className="muted">{t.members.none}</p> : null}
      <ul className="rows">
        {members.slice(0, shown).map((member) => {
          const name = member.customer_name || member.customer_email || String(member.customer_id);
          return (
            <AccessRow
              key={`${member.customer_id} ${member.source} ${member.source_id}`}
              name={name}
              link={
                <RecordLink permission="admin_api.customers.read" to="/customers/$id" params={{ id: member.customer_id }}>
                  {name}
                </RecordLink>
              }
              access={member}
              revokeTitle={t.members.revokeTitle(name)}
            />
          );
        })}
      </ul>
      {members.length > shown ? <Button onClick={() => setShown(shown + SHOWN)}>{text.list.more}</Button> : null}
    </Section>
  );
}

function Grant({ groupId, close }: { groupId: number; close(): void }) {
  const may = useMay();
  const reload = useReload();
  const [name, setName] = useState('');
  const form = useRecordForm({
    values: { customer_id: null as number | null, expires_at: null as string | null, note: '' },
    send: ({ customer_id, expires_at, note }, options) =>
      calls.create_grant(groupId, { customer_id: customer_id ?? MISSING, expires_at, note: note || null }, options),
    onSaved: () => {
      void reload('access_groups', 'customers');
      close();
    },
  });
  const { customer_id } = form.values;
  const customer = { label: t.members.customer, pointer: '/customer_id', error: form.errorAt('customer_id') };
  return (
    <EditForm ofPage label={t.members.grant} form={form} submit={t.members.give} close={close}>
      {may('admin_api.customers.read') ? (
        <>
          <Picker
            {...customer}
            autoFocus
            search={foundRecords('customer_ids')}
            onPick={(choice) => {
              setName(choice.name);
              form.set('customer_id', choice.id);
            }}
          />
          <Picked
            label={t.members.customer}
            choices={customer_id === null ? [] : [{ id: customer_id, name }]}
            drop={() => form.set('customer_id', null)}
            dropAll={() => form.set('customer_id', null)}
          />
        </>
      ) : (
        <NumberField {...customer} value={customer_id} onValue={(id) => form.set('customer_id', id)} />
      )}
      <Fields
        form={form}
        fields={[
          { kind: 'moment', name: 'expires_at', label: t.members.expires, hint: t.members.expiresHint },
          { kind: 'text', name: 'note', label: t.members.note },
        ]}
      />
    </EditForm>
  );
}

/** What the server refuses at its field, since a customer is required. */
const MISSING = Number.NaN;
