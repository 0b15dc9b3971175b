import type { Json } from '../../contract/run-events.ts';
import { DateField } from '../ui/date-field.tsx';
import { JsonField, NumberField, PercentField, SecretField, SelectField, TextArea, TextField, Tick } from '../ui/field.tsx';
import { SizeField } from '../ui/size-field.tsx';
import { MomentField } from './moment-field.tsx';
import { MoneyField } from './money-field.tsx';
import { NamedField, NamedListField } from './named-field.tsx';
import { namedKinds } from './named-kinds.ts';
import type { RecordForm } from './record-form.ts';
import { TaskField } from './task-field.tsx';
import { TaxRateField } from './tax-rate-field.tsx';

type NamesOf<V, T> = { [K in keyof V]: V[K] extends T ? K : never }[keyof V] & string;

/** One field of a form. `isShown`: only with these values. `pointer`: the place of its value in the request, if that is not its name. */
export type Field<V extends object> = {
  label: string;
  hint?: string | undefined;
  pointer?: string;
  disabled?: boolean;
  autoFocus?: boolean;
  isShown?(values: V): boolean;
  /** Stands beside the value: days, grams. */
  unit?: string;
} & (
  | { kind: 'text' | 'email' | 'phone' | 'country' | 'zone' | 'currency' | 'language' | 'colour' | 'date'; name: NamesOf<V, string> }
  | { kind: 'countries' | 'languages'; name: NamesOf<V, readonly string[]> }
  | { kind: 'area'; name: NamesOf<V, string>; rows?: number }
  | { kind: 'number' | 'money' | 'percent' | 'size' | 'taxRate'; name: NamesOf<V, number | null> }
  | { kind: 'task'; name: NamesOf<V, number | null>; none: string }
  | { kind: 'json'; name: NamesOf<V, Json | undefined> }
  /** Not shown as they are typed; a password is one line. */
  | { kind: 'secret' | 'password'; name: NamesOf<V, string> }
  | { kind: 'tick'; name: NamesOf<V, boolean> }
  | { kind: 'moment'; name: NamesOf<V, string | null> }
  | { kind: 'choice'; name: NamesOf<V, string>; options: readonly (readonly [value: string, label: string])[] }
);
/** Fields beside one another stand in one list. */
export type FieldRows<V extends object> = Rows<Field<V>>;
export type Rows<F> = readonly (F | readonly F[])[];

type Form<V extends object> = Pick<RecordForm<V, unknown>, 'values' | 'set' | 'errors'>;
/** `at`: where the values stand in the request, if they are not the request itself: `/courier/sender`. */
type Props<V extends object> = { fields: FieldRows<V>; form: Form<V>; at?: string };

/** Fields, in the order and rows of their description. */
export function Fields<V extends object>({ fields, form, at = '' }: Props<V>) {
  return fields.map((field) => {
    const shown = fieldsOf([field]).filter(({ isShown }) => isShown?.(form.values) ?? true);
    const [first] = shown;
    if (first === undefined) return null;
    if (!isRow(field)) return <OneField key={first.name} field={first} form={form} at={at} />;
    return (
      <div key={first.name} className="form-row">
        {shown.map((one) => (
          <OneField key={one.name} field={one} form={form} at={at} />
        ))}
      </div>
    );
  });
}

function isRow<F>(field: F | readonly F[]): field is readonly F[] {
  return Array.isArray(field);
}

/** All fields of the rows. */
export function fieldsOf<F>(rows: Rows<F>): F[] {
  return rows.flatMap((row) => (isRow(row) ? row : [row]));
}

/** What a form holds of a record: of a number that was emptied, null. */
export type Typed<T> = { [K in keyof T]: T[K] extends number ? number | null : T[K] };

/** The values of a record that these fields show. */
export function valuesIn<T extends object, K extends keyof T & string>(rows: Rows<{ name: K }>, record: T): Typed<Pick<T, K>> {
  // Each name is a key of the record, and no others are asked for.
  return Object.fromEntries(fieldsOf(rows).map(({ name }) => [name, record[name]])) as Typed<Pick<T, K>>;
}

/** Fields that are called as these texts say: `at('name')` gives name and label of one. */
export function labelledBy<L extends Record<string, string>>(labels: L) {
  return <N extends keyof L & string>(name: N) => ({ name, label: labels[name] });
}

/** What the fields are called on the page. */
export function fieldLabels(rows: Rows<{ name: string; label: string }>): (name: string) => string {
  const labels = new Map(fieldsOf(rows).map(({ name, label }) => [name, label]));
  return (name) => labels.get(name) ?? name;
}

/** The form of a part of a form's values, such as one of its list. */
export function partOf<V extends object>(values: V, set: (values: V) => void, errors: Form<V>['errors']): Form<V> {
  return { values, set: (name, value) => set({ ...values, [name]: value }), errors };
}

/** What a field of countries or languages holds. */
function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

type OneProps<V extends object> = { field: Field<V>; form: Form<V>; at: string };

function OneField<V extends object>({ field, form, at }: OneProps<V>) {
  const { values } = form;
  const { pointer = `${at}/${field.name}`, disabled, autoFocus } = field;
  // A value that is a list is refused at one of its places.
  const error = form.errors.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))?.detail;
  const shared = { label: field.label, pointer, error, hint: field.hint, unit: field.unit, autoFocus };
  // Each kind of field names values of its own type only, so what it gives is what the value takes, and the other way round.
  const set = (next: V[typeof field.name] | unknown): void => form.set(field.name, next as V[typeof field.name]);
  const value: unknown = values[field.name];
  const typed = typeof value === 'string' ? value : '';
  const counted = typeof value === 'number' ? value : null;
  switch (field.kind) {
    case 'text':
      return <TextField {...shared} value={typed} onValue={set} autoComplete="off" />;
    case 'email':
      return <TextField {...shared} value={typed} onValue={set} inputMode="email" autoComplete="off" />;
    case 'phone':
      return <TextField {...shared} value={typed} onValue={set} inputMode="tel" autoComplete="off" />;
    case 'colour':
      return <TextField {...shared} type="color" className="input colour-input" value={typed} onValue={set} />;
    case 'area':
      return <TextArea {...shared} {...(field.rows === undefined ? {} : { rows: field.rows })} value={typed} onValue={set} />;
    case 'country':
    case 'zone':
    case 'currency':
    case 'language':
      return <NamedField {...shared} disabled={disabled} kind={namedKinds[field.kind]} value={typed} onValue={set} />;
    case 'countries':
      return <NamedListField {...shared} kind={namedKinds.country} value={isTexts(value) ? value : []} onValue={set} />;
    case 'languages':
      return <NamedListField {...shared} kind={namedKinds.language} value={isTexts(value) ? value : []} onValue={set} />;
    case 'date':
      return <DateField {...shared} value={typed} onValue={set} />;
    case 'number':
      return <NumberField {...shared} disabled={disabled} value={counted} onValue={set} />;
    case 'money':
      return <MoneyField {...shared} value={counted} onValue={set} />;
    case 'percent':
      return <PercentField {...shared} value={counted} onValue={set} />;
    case 'size':
      return <SizeField {...shared} value={counted} onValue={set} />;
    case 'task':
      return <TaskField {...shared} none={field.none} value={counted} onValue={set} />;
    case 'json':
      return <JsonField {...shared} value={value as Json | undefined} onValue={set} />;
    case 'secret':
      return <SecretField {...shared} value={typed} onValue={set} />;
    case 'password':
      return <TextField {...shared} type="password" autoComplete="new-password" value={typed} onValue={set} />;
    case 'tick':
      return <Tick label={field.label} pointer={pointer} checked={value === true} onValue={set} />;
    case 'moment':
      return <MomentField {...shared} value={typed === '' ? null : typed} onValue={set} />;
    case 'taxRate':
      return <TaxRateField label={field.label} error={error} value={counted} onValue={set} />;
    case 'choice':
      return <SelectField {...shared} disabled={disabled} value={typed} options={field.options} onValue={set} />;
  }
}
