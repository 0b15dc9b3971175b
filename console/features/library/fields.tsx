import type { Json } from '../../../contract/run-events.ts';
import { MomentField } from '../../parts/moment-field.tsx';
import { MoneyField } from '../../parts/money-field.tsx';
import { TaskField } from '../../parts/task-field.tsx';
import { TaxRateField } from '../../parts/tax-rate-field.tsx';
import { CountryField } from '../../ui/country-field.tsx';
import { JsonField, NumberField, PercentField, SecretField, SelectField, TextArea, TextField, Tick } from '../../ui/field.tsx';
import type { Field, KindForm } from './kind.ts';

type Props<V extends object> = { fields: readonly (Field<V> | readonly Field<V>[])[]; form: KindForm<V> };

/** The fields of a kind, in the order and rows of its description. */
export function Fields<V extends object>({ fields, form }: Props<V>) {
  const isShown = (field: Field<V>): boolean => field.isShown?.(form.values) ?? true;
  return fields.map((field) => {
    if (!isRow(field)) return isShown(field) ? <OneField key={field.name} field={field} form={form} /> : null;
    const shown = field.filter(isShown);
    return shown.length === 0 ? null : (
      <div key={shown[0]?.name} className="form-row">
        {shown.map((one) => (
          <OneField key={one.name} field={one} form={form} />
        ))}
      </div>
    );
  });
}

function isRow<V extends object>(field: Field<V> | readonly Field<V>[]): field is readonly Field<V>[] {
  return Array.isArray(field);
}

function OneField<V extends object>({ field, form }: { field: Field<V>; form: KindForm<V> }) {
  const { values } = form;
  const pointer = field.kind === 'secret' && field.pointer !== undefined ? field.pointer : `/${field.name}`;
  // A value that is a list is refused at one of its places.
  const error = form.errors.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))?.detail;
  const shared = { label: field.label, pointer, error, hint: field.hint };
  // Each kind of field names values of its own type only (kind.ts), so what it gives is what the value takes, and the other way round.
  const set = (next: V[typeof field.name] | unknown): void => form.set(field.name, next as V[typeof field.name]);
  const value: unknown = values[field.name];
  const typed = typeof value === 'string' ? value : '';
  const counted = typeof value === 'number' ? value : null;
  switch (field.kind) {
    case 'text':
      return <TextField {...shared} value={typed} onValue={set} autoComplete="off" />;
    case 'colour':
      return <TextField {...shared} type="color" className="input colour-input" value={typed} onValue={set} />;
    case 'area':
      return <TextArea {...shared} value={typed} onValue={set} />;
    case 'country':
      return <CountryField label={field.label} pointer={pointer} error={error} value={typed} onValue={set} />;
    case 'number':
      return <NumberField {...shared} value={counted} onValue={set} />;
    case 'money':
      return <MoneyField {...shared} value={counted} onValue={set} />;
    case 'percent':
      return <PercentField {...shared} value={counted} onValue={set} />;
    case 'task':
      return <TaskField {...shared} none={field.none} value={counted} onValue={set} />;
    case 'json':
      return <JsonField {...shared} value={value as Json | undefined} onValue={set} />;
    case 'secret':
      return <SecretField {...shared} value={typed} onValue={set} />;
    case 'tick':
      return <Tick label={field.label} pointer={pointer} checked={value === true} onValue={set} />;
    case 'moment':
      return <MomentField {...shared} value={typed === '' ? null : typed} onValue={set} />;
    case 'taxRate':
      return <TaxRateField label={field.label} error={error} value={counted} onValue={set} />;
    case 'choice':
      return <SelectField {...shared} value={typed} options={field.options} onValue={set} />;
  }
}
