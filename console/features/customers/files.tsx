import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomerFile } from '../../../contract/customers.ts';
import { download } from '../../api/download.ts';
import { bytesText } from '../../language/formats.ts';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { Upload } from '../../parts/upload.tsx';
import { Moment } from '../../parts/values.tsx';
import { text } from '../../texts/app.ts';
import { customersText as t } from '../../texts/customers.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Rows } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { calls, customerFiles } from './queries.ts';

export function Files({ id, mayChange }: { id: number; mayChange: boolean }) {
  const files = useQuery(customerFiles(id));
  const reload = useReload();
  const [sent, setSent] = useState(0);
  const save = useMutation({ mutationFn: (file: CustomerFile) => download(`/customers/${id}/files/${file.id}/content`, file.name) });
  return (
    <Section title={t.files.title}>
      {mayChange ? <NewFile key={sent} id={id} onDone={() => setSent(sent + 1)} /> : null}
      {save.error ? <Problem error={save.error} /> : null}
      <Rows query={files} none={t.files.none}>
        {(file) => (
          <li key={file.id}>
            <div>
              <p>{file.name}</p>
              {file.note ? <p className="written">{file.note}</p> : null}
              <p className="muted">
                {bytesText(file.size_bytes)} · <Moment at={file.created_at} />
              </p>
            </div>
            <div className="acts">
              <Button kind="quiet" aria-label={text.upload.downloadNamed(file.name)} onClick={() => save.mutate(file)}>
                {text.upload.download}
              </Button>
              {mayChange ? (
                <Remove name={file.name} kind="quiet" run={() => calls.delete_file(id, file.id)} onDone={() => reload('customers')} />
              ) : null}
            </div>
          </li>
        )}
      </Rows>
    </Section>
  );
}

function NewFile({ id, onDone }: { id: number; onDone(): void }) {
  const reload = useReload();
  const [note, setNote] = useState('');
  return (
    <Upload
      label={t.files.create}
      send={(file, options) => calls.upload_file(id, { file, ...(note.trim() === '' ? {} : { note }) }, options)}
      onDone={() => {
        void reload('customers');
        onDone();
      }}
    >
      <TextField label={t.files.note} value={note} onValue={setNote} maxLength={1000} />
    </Upload>
  );
}
