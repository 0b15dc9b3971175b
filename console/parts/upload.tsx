import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { FilePart } from '../../contract/calls.ts';
import { ApiError, once, partOf } from '../api/client.ts';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { FileField } from '../ui/field.tsx';
import '../ui/form.css';
import { Problem } from '../ui/problem.tsx';

type Props = {
  label: string;
  accept?: string;
  hint?: string;
  /** Further fields, whose values `send` adds. */
  children?: ReactNode;
  send(file: FilePart, options: { headers: Record<string, string> }): Promise<unknown>;
  onDone(): unknown;
};

/** Sends one file. A second try after a lost answer has no second effect. */
export function Upload({ label, accept, hint, children, send, onDone }: Props) {
  const [chosen, setChosen] = useState<{ file: File; key: string } | null>(null);
  const upload = useMutation({
    mutationFn: ({ file, key }: { file: File; key: string }) => send(partOf(file), once(key)),
    onSuccess: onDone,
  });
  const { error } = upload;
  const refused = error instanceof ApiError && error.status === 422 ? error.errors.map(({ detail }) => detail).join(' ') : '';
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (chosen !== null && !upload.isPending) upload.mutate(chosen);
  }
  return (
    <form className="form" aria-label={label} onSubmit={onSubmit} noValidate>
      {error && refused === '' ? <Problem error={error} /> : null}
      <FileField
        label={label}
        hint={hint}
        error={refused || undefined}
        {...(accept === undefined ? {} : { accept })}
        onFile={(file) => {
          upload.reset();
          setChosen(file === null ? null : { file, key: crypto.randomUUID() });
        }}
      />
      {children}
      <div className="form-acts">
        <Button kind="first" type="submit" disabled={chosen === null || upload.isPending}>
          {text.upload.act}
        </Button>
        <span className="muted" role="status">
          {upload.isPending ? text.upload.busy : ''}
        </span>
      </div>
    </form>
  );
}
