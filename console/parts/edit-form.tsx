import type { ReactNode } from 'react';
import { Form, type FormProps } from '../ui/form.tsx';
import { type FieldRows, Fields, fieldLabels } from './fields.tsx';
import type { RecordForm } from './record-form.ts';
import { Unsaved } from './unsaved.tsx';

type Props<V extends object, R> = Omit<FormProps<keyof V & string>, 'form' | 'children'> & {
  form: RecordForm<V, R>;
  /** Its fields as a table; what is special about the form are its children, below them. */
  fields?: FieldRows<V>;
  children?: ReactNode;
  /** The form belongs to the page, not to the record that is open in a sheet beside it. */
  ofPage?: boolean;
};

/** A form over one record, which asks before what was typed there is left. */
export function EditForm<V extends object, R>({ form, fields = [], children, ofPage = false, ...props }: Props<V, R>) {
  return (
    <>
      <Form nameOf={fieldLabels(fields)} {...props} form={form}>
        <Fields fields={fields} form={form} />
        {children}
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} ofPage={ofPage} />
    </>
  );
}
