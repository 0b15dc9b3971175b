import { type ReactNode, useState } from 'react';
import { type FieldRows, Fields, fieldsOf } from '../../../parts/fields.tsx';
import type { EditValues } from './edit-values.ts';
import type { OrderEdit } from './use-order-edit.ts';

type Props = { title: string; edit: OrderEdit; rows: FieldRows<EditValues>; isOpen: boolean; children?: ReactNode };

/** Fields that most edits do not need: folded, but never while one of them is edited or refused. */
export function FoldedFields({ title, edit: { form, shown, errorAt }, rows, isOpen, children }: Props) {
  const [isUnfolded, unfold] = useState(isOpen);
  const isTouched = fieldsOf(rows).some(({ name }) => form.values[name] !== form.base[name] || errorAt(`/${name}`) !== undefined);
  return (
    <details className="folded" open={isUnfolded || isTouched} onToggle={(event) => unfold(event.currentTarget.open)}>
      <summary>{title}</summary>
      <div className="folded-fields">
        {children}
        <Fields fields={rows} form={shown} />
      </div>
    </details>
  );
}
