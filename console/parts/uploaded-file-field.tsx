import { useMutation, useQuery } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { bytesText } from '../language/formats.ts';
import { runPartsText } from '../texts/run-parts.ts';
import { Button } from '../ui/button.tsx';
import { FileField } from '../ui/field.tsx';
import { Picker } from '../ui/picker.tsx';
import type { ValueFieldProps } from '../ui/value-field.tsx';
import { fileRecord, foundFiles, uploadFile } from './record-choices.ts';
import { useMay } from './shop.ts';

const t = runPartsText.fields;

/** The id of a file. One that is chosen here is uploaded at once, so that the form has its id when it is sent. */
export function UploadedFileField({ label, value, onValue, error, hint, pointer }: Omit<ValueFieldProps, 'kind'>) {
  const may = useMay();
  const upload = useMutation({ mutationFn: uploadFile, onSuccess: ({ id }) => onValue(id) });
  const id = typeof value === 'number' ? value : undefined;
  const known = useQuery({ ...fileRecord(id ?? 0), enabled: id !== undefined && id !== upload.data?.id && may('admin_api.files.read') });
  const file = id === upload.data?.id ? upload.data : known.data;
  const refusal = error ?? refusalOf(upload.error);
  if (id !== undefined && refusal === undefined) {
    return (
      <div className="field">
        <span className="field-name">{label}</span>
        <span className="given-file">
          {file ? `${file.original_filename} · ${bytesText(file.file_size)}` : t.file(id)}
          <Button data-pointer={pointer} onClick={() => onValue(undefined)}>
            {t.otherFile}
          </Button>
        </span>
      </div>
    );
  }
  const note = upload.isPending ? t.uploading(upload.variables.name) : hint;
  return (
    <>
      {may('admin_api.files.write') ? (
        <FileField label={label} error={refusal} hint={note} pointer={pointer} onFile={(chosen) => chosen && upload.mutate(chosen)} />
      ) : null}
      {may('admin_api.files.read') ? (
        <Picker
          label={may('admin_api.files.write') ? t.uploaded : label}
          search={foundFiles}
          onPick={(found) => {
            upload.reset();
            onValue(found.id);
          }}
        />
      ) : null}
      {may('admin_api.files.write') || may('admin_api.files.read') ? null : (
        <div className="field wrong">
          <span className="field-name">{label}</span>
          <p className="muted">{t.mayNotUpload}</p>
        </div>
      )}
    </>
  );
}

function refusalOf(failure: Error | null): string | undefined {
  if (failure === null) return undefined;
  return failure instanceof ApiError ? failure.detail : String(failure.message);
}
