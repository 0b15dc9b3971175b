import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EditForm } from '../../parts/edit-form.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { Moment } from '../../parts/values.tsx';
import { customersText as t } from '../../texts/customers.ts';
import { TextArea } from '../../ui/field.tsx';
import { Rows } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { calls, customerNotes } from './queries.ts';

export function Notes({ id, mayChange }: { id: number; mayChange: boolean }) {
  const notes = useQuery(customerNotes(id));
  const reload = useReload();
  const [written, setWritten] = useState(0);
  return (
    <Section title={t.notes.title}>
      {mayChange ? <NewNote key={written} id={id} onSaved={() => setWritten(written + 1)} /> : null}
      <Rows query={notes} none={t.notes.none}>
        {(note) => (
          <li key={note.id}>
            <div>
              <p className="written">{note.body}</p>
              <p className="muted">
                {note.author} · <Moment at={note.created_at} />
              </p>
            </div>
            {mayChange ? (
              <Remove
                name={t.notes.one(note.author)}
                kind="quiet"
                run={() => calls.delete_note(id, note.id)}
                onDone={() => reload('customers')}
              >
                <p className="written">{note.body}</p>
              </Remove>
            ) : null}
          </li>
        )}
      </Rows>
    </Section>
  );
}

function NewNote({ id, onSaved }: { id: number; onSaved(): void }) {
  const reload = useReload();
  const form = useRecordForm({
    values: { body: '' },
    send: (values, options) => calls.create_note(id, values, options),
    onSaved: () => {
      void reload('customers');
      onSaved();
    },
  });
  return (
    <EditForm ofPage label={t.notes.create} form={form} submit={t.notes.create}>
      <TextArea label={t.notes.body} rows={2} {...form.text('body')} />
    </EditForm>
  );
}
