import { useState } from 'react';
import type { Json } from '../../contract/run-events.ts';
import { Picked } from '../ui/picked.tsx';
import { Picker } from '../ui/picker.tsx';
import { ValueField, type ValueFieldProps } from '../ui/value-field.tsx';
import { ProductImage } from './product-image.tsx';
import { foundRecords, type RecordKind, readPermission } from './record-choices.ts';
import { useMay } from './shop.ts';

/** A list of records, each found by its name. Who may not read them gives their ids. */
export function RecordsField({ kind, ...props }: ValueFieldProps & { kind: RecordKind }) {
  const may = useMay();
  if (!may(readPermission[kind])) return <ValueField {...props} kind="json" />;
  return <PickedRecords {...props} kind={kind} />;
}

function PickedRecords({ kind, label, value, onValue, error, hint, pointer }: ValueFieldProps & { kind: RecordKind }) {
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map());
  const ids = idsOf(value);
  const set = (next: readonly number[]): void => onValue(next.length === 0 ? undefined : [...next]);
  const nameOf = (id: number): string => names.get(id) ?? `${id}`;
  return (
    <div className="picks">
      <Picker
        label={label}
        error={error}
        pointer={pointer}
        search={foundRecords(kind)}
        {...(kind === 'product_ids' ? { imageOf: ({ id }) => <ProductImage id={id} isSmall /> } : {})}
        onPick={({ id, name }) => {
          setNames(new Map(names).set(id, name));
          if (!ids.includes(id)) set([...ids, id]);
        }}
      />
      {hint === undefined || ids.length > 0 ? null : <p className="muted">{hint}</p>}
      <Picked
        label={label}
        choices={ids.map((id) => ({ id, name: nameOf(id) }))}
        drop={(id) => set(ids.filter((one) => one !== id))}
        dropAll={() => set([])}
      />
    </div>
  );
}

function idsOf(value: Json | undefined): readonly number[] {
  return Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : [];
}
