import type { ReactNode } from 'react';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Form, type FormProps } from '../ui/form.tsx';
import { type FieldRows, Fields, fieldLabels } from './fields.tsx';
import { changedOnly, type RecordForm } from './record-form.ts';
import { Unsaved } from './unsaved.tsx';

type Props<V extends object, R> = Omit<FormProps<keyof V & string>, 'form' | 'children'> & {
  form: RecordForm<V, R>;
  /** Its fields as a table; what is special about the form are its children, below them. */
  fields?: FieldRows<V>;
  /** The same in groups with a head, of a form that is a page. */
  groups?: readonly FieldGroup<V>[];
  children?: ReactNode;
  /** It was opened by an act and closes again: by what drops the edit or, where there is none, by "Cancel". */
  close?(): void;
  /** The form belongs to the page, not to the record that is open in a sheet beside it. */
  ofPage?: boolean;
};

export type FieldGroup<V extends object> = { title: string; note?: ReactNode; fields: FieldRows<V> };

/** A form over one record, which asks before what was typed there is left. */
export function EditForm<V extends object, R>({ form, fields = [], groups = [], children, ofPage = false, close, ...props }: Props<V, R>) {
  const { isPage = false, acts, nameOf = fieldLabels([...fields, ...groups.flatMap((group) => group.fields)]) } = props;
  return (
    <>
      <Form
        {...props}
        nameOf={nameOf}
        form={close ? { ...form, reset: () => [form.reset(), close()] } : form}
        acts={
          close ? (
            form.isEdited ? (
              acts
            ) : (
              <>
                {acts}
                <Button kind="quiet" onClick={close}>
                  {text.app.cancel}
                </Button>
              </>
            )
          ) : isPage ? (
            <>
              {acts}
              <WhatIsSaved form={form} nameOf={nameOf} />
            </>
          ) : (
            acts
          )
        }
      >
        <Fields fields={fields} form={form} />
        {groups.map((group) => (
          <FormGroup key={group.title} title={group.title} note={group.note}>
            <Fields fields={group.fields} form={form} />
          </FormGroup>
        ))}
        {children}
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} ofPage={ofPage} />
    </>
  );
}

type GroupProps = { title: string; note?: ReactNode; act?: ReactNode; children: ReactNode };

/** Some fields of a form that is a page, beneath a head. */
export function FormGroup({ title, note, act, children }: GroupProps) {
  return (
    <fieldset className="form-group" aria-label={title}>
      <div className="form-group-head">
        <h2>{title}</h2>
        {act}
      </div>
      {note === undefined ? null : <p className="muted">{note}</p>}
      <div className="form-rows">{children}</div>
    </fieldset>
  );
}

type SavedProps<V extends object> = { form: RecordForm<V, unknown>; nameOf(name: keyof V & string): string };

/** Beside the act that saves: what it would save. */
function WhatIsSaved<V extends object>({ form, nameOf }: SavedProps<V>) {
  const names: string[] = [];
  for (const name in changedOnly(form.values, form.base)) names.push(nameOf(name));
  if (names.length === 0) return null;
  return <span className="form-saves">{text.form.saves([...new Set(names)].join(', '))}</span>;
}
