import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import './field.css';

type Shared = { label: string; error?: string | undefined; hint?: ReactNode };

function Field({ label, error, hint, id, children }: Shared & { id: string; children: ReactNode }) {
  return (
    <div className={error === undefined ? 'field' : 'field wrong'}>
      <label htmlFor={id}>{label}</label>
      {children}
      {error === undefined ? null : (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint === undefined ? null : (
        <p className="muted" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

const described = (id: string, { error, hint }: Shared) => ({
  id,
  'aria-invalid': error === undefined ? undefined : true,
  'aria-describedby': [error === undefined ? '' : `${id}-error`, hint === undefined ? '' : `${id}-hint`].join(' ').trim() || undefined,
});

export function TextField({ label, error, hint, ...rest }: Shared & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <Field label={label} error={error} hint={hint} id={id}>
      <input className="input" {...rest} {...described(id, { label, error, hint })} />
    </Field>
  );
}

export function SelectField({ label, error, hint, children, ...rest }: Shared & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <Field label={label} error={error} hint={hint} id={id}>
      <select className="input" {...rest} {...described(id, { label, error, hint })}>
        {children}
      </select>
    </Field>
  );
}

export function Tick({ label, ...rest }: { label: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="tick-field">
      <input type="checkbox" {...rest} />
      <span>{label}</span>
    </label>
  );
}
