import type { Json } from '../../contract/run-events.ts';
import { runPartsText } from '../texts/run-parts.ts';
import { valueText } from './change.tsx';
import { DateField } from './date-field.tsx';
import { DecimalField, JsonField, SelectField, TextArea, TextField, Tick } from './field.tsx';

const t = runPartsText.fields;

export type ValueFieldProps = {
  kind: string;
  label: string;
  value: Json | undefined;
  /** undefined: nothing is given. */
  onValue(value: Json | undefined): void;
  options?: readonly Json[] | undefined;
  /** Whether the field always has a value, as one with a default has; true or false is then a tick. */
  isSet?: boolean;
  required?: boolean | undefined;
  error?: string | undefined;
  hint?: string | undefined;
  pointer: string;
};

/** One value that a run asks for, in the form of its kind; a kind that is unknown here is given as JSON. */
export function ValueField({ kind, label, value, onValue, options, isSet, required, error, hint, pointer }: ValueFieldProps) {
  const shared = { label, error, hint, pointer, 'aria-required': required || undefined };
  const text = typeof value === 'string' ? value : '';
  const onText = (next: string): void => onValue(next === '' ? undefined : next);
  if (options) return <OptionField {...shared} options={options} value={value} onValue={onValue} />;
  switch (kind) {
    case 'string':
      return <TextField {...shared} value={text} onValue={onText} />;
    case 'text':
      return <TextArea {...shared} value={text} onValue={onText} />;
    case 'date':
      return <DateField {...shared} value={text} onValue={onText} />;
    case 'number':
      return <DecimalField {...shared} value={typeof value === 'number' ? value : null} onValue={(next) => onValue(next ?? undefined)} />;
    case 'boolean':
      if (isSet && error === undefined) return <Tick label={label} pointer={pointer} checked={value === true} onValue={onValue} />;
      return (
        <OptionField {...shared} options={[true, false]} value={value} onValue={onValue} nameOf={(one) => (one === true ? t.yes : t.no)} />
      );
    default:
      return <JsonField {...shared} value={value} onValue={onValue} />;
  }
}

type OptionProps = Omit<ValueFieldProps, 'kind' | 'options' | 'isSet'> & { options: readonly Json[]; nameOf?(option: Json): string };

/** Options are told apart by their JSON: `1` and `"1"` are two. */
function OptionField({ options, value, onValue, nameOf = valueText, ...shared }: OptionProps) {
  const named = options.map((option): readonly [string, string] => [JSON.stringify(option), nameOf(option)]);
  return (
    <SelectField
      {...shared}
      options={[['', t.choose], ...named]}
      value={value === undefined ? '' : JSON.stringify(value)}
      onValue={(chosen) => onValue(options.find((option) => JSON.stringify(option) === chosen))}
    />
  );
}
