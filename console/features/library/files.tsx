import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DigitalFile } from '../../../contract/files.ts';
import { download } from '../../api/download.ts';
import { bytesText } from '../../language/formats.ts';
import { useAdminName } from '../../parts/admin-names.ts';
import { blanks } from '../../parts/blanks.ts';
import { Remove } from '../../parts/remove.tsx';
import { Upload } from '../../parts/upload.tsx';
import { Moment } from '../../parts/values.tsx';
import { text } from '../../texts/app.ts';
import { libraryText } from '../../texts/library.ts';
import { Button } from '../../ui/button.tsx';
import { Tick } from '../../ui/field.tsx';
import { Facts } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { libraryPage } from './library-page.tsx';
import { calls } from './queries.ts';

const t = libraryText.files;

function NewFile({ done }: { done(): void }) {
  return <Upload label={t.file} send={(file, options) => calls.files.create({ file }, options)} onDone={done} />;
}

function About({ row: { id, original_filename, file_size, content_type, created_at, uploaded_by } }: { row: DigitalFile }) {
  const nameOf = useAdminName();
  const save = useMutation({ mutationFn: () => download(`/files/${id}/content`, original_filename) });
  return (
    <>
      {save.error ? <Problem error={save.error} /> : null}
      <Facts
        facts={[
          [t.size, bytesText(file_size)],
          [t.type, content_type],
          [libraryText.uploaded, <Moment key="at" at={created_at} />],
          [t.by, nameOf(uploaded_by) ?? t.unknown],
        ]}
      />
      <p className="acts above-form">
        <Button onClick={() => save.mutate()}>{text.upload.download}</Button>
      </p>
    </>
  );
}

/** Buyers who may still download the file keep it from being deleted, unless their links are deleted with it. */
function Removal({ row: { id, original_filename }, done }: { row: DigitalFile; done(): void }) {
  const [clear, setClear] = useState(false);
  return (
    <Remove name={original_filename} run={() => calls.files.delete(id, { clear })} onDone={done}>
      <Tick label={t.clear} checked={clear} onValue={setClear} />
    </Remove>
  );
}

export const FilesPage = libraryPage<DigitalFile, { original_filename: string }>({
  path: '/library/files',
  resource: 'files',
  blank: blanks.files,
  texts: t,
  nameOf: ({ original_filename }) => original_filename,
  columns: [
    { name: 'name', head: t.fields.original_filename, cell: ({ original_filename }) => original_filename },
    { name: 'type', head: t.type, cell: ({ content_type }) => <span className="muted">{content_type}</span>, isMinor: true },
    { name: 'size', head: t.size, cell: ({ file_size }) => bytesText(file_size), isNumber: true },
    { name: 'at', head: libraryText.uploaded, cell: ({ created_at }) => <Moment at={created_at} kind="day" />, isMinor: true },
  ],
  calls: calls.files,
  update: calls.files.update,
  valuesOf: ({ original_filename }) => ({ original_filename }),
  creation: { View: NewFile },
  Above: About,
  Removal,
  fields: [{ kind: 'text', name: 'original_filename', label: t.fields.original_filename }],
});
