import { useState } from 'react';
import type { Json } from '../../contract/run-events.ts';
import { runPartsText } from '../texts/run-parts.ts';
import { Button } from '../ui/button.tsx';
import { Picker } from '../ui/picker.tsx';
import { ValueField, type ValueFieldProps } from '../ui/value-field.tsx';
import { foundRecords, type RecordKind, readPermission } from './record-choices.ts';
import { useMay } from './shop.ts';

const t = runPartsText.fields;
/** A selection may have 10,000 records; this many are shown one by one. */
const SHOWN = 30;
const counts = new Intl.NumberFormat('en');

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
    <div className="records-field">
      <Picker
        label={label}
        error={error}
        pointer={pointer}
        search={foundRecords(kind)}
        onPick={({ id, name }) => {
          setNames(new Map(names).set(id, name));
          if (!ids.includes(id)) set([...ids, id]);
        }}
      />
      {hint === undefined || ids.length > 0 ? null : <p className="muted">{hint}</p>}
      {ids.length === 0 ? null : (
        <ul className="picked" aria-label={`${label}: ${t.chosen(counts.format(ids.length))}`}>
          {ids.slice(0, SHOWN).map((id) => (
            <li key={id}>
              <button type="button" className="picked-one" onClick={() => set(ids.filter((one) => one !== id))}>
                {nameOf(id)} <span aria-hidden="true">×</span>
                <span className="visually-hidden">{t.remove(nameOf(id))}</span>
              </button>
            </li>
          ))}
          {ids.length > SHOWN ? <li className="muted">{t.more(counts.format(ids.length - SHOWN))}</li> : null}
          {ids.length > 1 ? (
            <li>
              <Button kind="quiet" onClick={() => set([])}>
                {t.removeAll}
              </Button>
            </li>
          ) : null}
        </ul>
      )}
    </div>
  );
}

function idsOf(value: Json | undefined): readonly number[] {
  return Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : [];
}
