import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId, useState } from 'react';
import type { Json } from '../../contract/run-events.ts';
import { decimalMark } from '../language/formats.ts';
import { text } from '../texts/app.ts';
import './field.css';

/** `pointer`: the JSON pointer of the value in the request's body, by which a refusal finds the field. */
export type Shared = {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** Stands beside the value, in the words of people: days, GB, %. */
  unit?: ReactNode;
  pointer?: string | undefined;
  /** The label is read out but not shown, where the place of the field says what it is. */
  isLabelHidden?: boolean | undefined;
};
export type Valued<T> = { value: T; onValue(value: T): void };

export function Field({ label, error, hint, unit, isLabelHidden, id, children }: Shared & { id: string; children: ReactNode }) {
  return (
    <div className={error === undefined ? 'field' : 'field wrong'}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {unit === undefined ? (
        children
      ) : (
        <div className="with-unit">
          {children}
          <span className="unit" id={`${id}-unit`}>
            {unit}
          </span>
        </div>
      )}
      {error === undefined ? null : (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint === undefined ? null : (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export const described = (id: string, { error, hint, unit, pointer }: Shared) => ({
  id,
  'data-pointer': pointer,
  'aria-invalid': error === undefined ? undefined : true,
  'aria-describedby': describers(id, { unit, error, hint }),
});

/** What is read out after the name of a field. */
function describers(id: string, parts: Pick<Shared, 'unit' | 'error' | 'hint'>): string | undefined {
  const shown = Object.entries(parts).filter(([, part]) => part !== undefined);
  return shown.length === 0 ? undefined : shown.map(([name]) => `${id}-${name}`).join(' ');
}

export type Own<Props> = Omit<Props, 'value' | 'onChange' | 'id'>;

/** What a field shows around its input, and what the input itself takes. */
function parted<P extends Shared>({ label, error, hint, unit, pointer, isLabelHidden, ...own }: P) {
  return { shared: { label, error, hint, unit, pointer, isLabelHidden }, own };
}

export function TextField(props: Shared & Valued<string> & Own<InputHTMLAttributes<HTMLInputElement>>) {
  const id = useId();
  const { shared, own } = parted(props);
  const { value, onValue, ...rest } = own;
  return (
    <Field {...shared} id={id}>
      <input className="input" {...rest} {...described(id, shared)} value={value} onChange={(event) => onValue(event.target.value)} />
    </Field>
  );
}

export function TextArea(props: Shared & Valued<string> & Own<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const id = useId();
  const { shared, own } = parted(props);
  const { value, onValue, ...rest } = own;
  return (
    <Field {...shared} id={id}>
      <textarea
        className="input"
        rows={4}
        {...rest}
        {...described(id, shared)}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
    </Field>
  );
}

/** A text of one or more lines that is not shown as it is typed, and that the browser does not remember. */
export function SecretField(props: Shared & Valued<string>) {
  return <TextArea {...props} rows={2} className="input secret-input" autoComplete="off" spellCheck={false} />;
}

type Option<T extends string> = readonly [value: T, label: string];
type SelectProps<T extends string> = Shared & Valued<T> & { options: readonly Option<T>[] } & Own<SelectHTMLAttributes<HTMLSelectElement>>;

export function SelectField<T extends string>(props: SelectProps<T>) {
  const id = useId();
  const { shared, own } = parted(props);
  const { value, onValue, options, ...rest } = own;
  return (
    <Field {...shared} id={id}>
      <select
        className="input"
        {...rest}
        {...described(id, shared)}
        value={value}
        onChange={(event) => {
          const chosen = options.find(([one]) => one === event.target.value);
          if (chosen) onValue(chosen[0]);
        }}
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

export type NumberProps = Shared & Valued<number | null> & Own<InputHTMLAttributes<HTMLInputElement>>;

/** A whole number; nothing typed is null. What is no number stays in the field and is marked. */
export function NumberField(props: NumberProps) {
  return <ParsedField {...props} format={String} parse={(typed) => (/^-?\d{1,15}$/.test(typed) ? Number(typed) : undefined)} />;
}

/** A number with or without decimals; nothing typed is null. */
export function DecimalField(props: NumberProps) {
  return <ParsedField {...props} format={String} parse={decimalOf} />;
}

function decimalOf(typed: string): number | undefined {
  return /^-?\d{1,15}([.,]\d{1,15})?(e[+-]?\d{1,3})?$/i.test(typed) ? Number(typed.replace(',', '.')) : undefined;
}

const WHOLE_BPS = 10_000;

/** Basis points of a whole, typed as per cent: 27, 12.5. */
export function PercentField(props: NumberProps) {
  return <ParsedField unit="%" {...props} format={percentTyped} parse={bpsOf} refusal={text.form.noPercent} />;
}

/** The same for a change: -10 takes a tenth away. */
export function SignedPercentField(props: NumberProps) {
  return <ParsedField unit="%" {...props} format={percentTyped} parse={(typed) => minorOf(typed, 2)} refusal={text.form.noNumber} />;
}

function bpsOf(typed: string): number | undefined {
  const bps = minorOf(typed, 2);
  return bps !== undefined && bps >= 0 && bps <= WHOLE_BPS ? bps : undefined;
}

/** 2700 basis points are 27, 1250 are 12.5. */
function percentTyped(bps: number): string {
  return amountText(bps, 2).replace(/\.?0+$/, '');
}

type ParsedProps = NumberProps & {
  format(value: number): string;
  parse(typed: string): number | undefined;
  refusal?: string;
  /** Takes out of what is typed what is shown elsewhere. */
  tidy?(typed: string): string;
};

export function ParsedField(props: ParsedProps) {
  const id = useId();
  const { shared, own } = parted(props);
  const { value, onValue, format, parse, refusal = text.form.noNumber, tidy, ...rest } = own;
  const { isWrong, onChange, ...typed } = useTyped(
    value,
    onValue,
    (known) => (known === null ? '' : format(known).replace('.', decimalMark)),
    (text) => {
      const parsed = text === '' ? null : parse(text);
      return parsed === undefined ? undefined : { value: parsed };
    },
    tidy,
  );
  const told = { ...shared, error: shared.error ?? (isWrong ? refusal : undefined) };
  return (
    <Field {...told} id={id}>
      <input
        className="input"
        inputMode="decimal"
        autoComplete="off"
        {...rest}
        {...described(id, told)}
        {...typed}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}

/** A value as it is typed. A text that is no value stays, and leaves the value as it was; `read` gives undefined for it. */
function useTyped<T>(
  value: T,
  onValue: (value: T) => void,
  write: (value: T) => string,
  read: (typed: string) => { value: T } | undefined,
  tidy = (typed: string): string => typed,
) {
  const [typed, setTyped] = useState(() => write(value));
  const [known, setKnown] = useState(value);
  const [isWrong, setWrong] = useState(false);
  if (JSON.stringify(known) !== JSON.stringify(value)) {
    setKnown(value);
    setWrong(false);
    setTyped(write(value));
  }
  function onChange(next: string): void {
    const parsed = read(next.trim());
    setTyped(tidy(next));
    setWrong(parsed === undefined);
    if (parsed === undefined) return;
    setKnown(parsed.value);
    onValue(parsed.value);
  }
  return { value: typed, onChange, isWrong, 'data-unread': isWrong || undefined };
}

type JsonProps = Shared & Valued<Json | undefined> & Own<TextareaHTMLAttributes<HTMLTextAreaElement>>;

/** Any JSON; nothing typed is undefined. What is no JSON stays in the field and is marked. */
export function JsonField(props: JsonProps) {
  const id = useId();
  const { shared, own } = parted(props);
  const { value, onValue, ...rest } = own;
  const { isWrong, onChange, ...typed } = useTyped(
    value,
    onValue,
    (known) => (known === undefined ? '' : JSON.stringify(known, null, 2)),
    jsonOf,
  );
  const told = { ...shared, error: shared.error ?? (isWrong ? text.form.noJson : undefined) };
  return (
    <Field {...told} id={id}>
      <textarea
        className="input json-input"
        rows={4}
        spellCheck={false}
        {...rest}
        {...described(id, told)}
        {...typed}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}

/** undefined: it is no JSON. */
function jsonOf(typed: string): { value: Json | undefined } | undefined {
  if (typed === '') return { value: undefined };
  try {
    return { value: JSON.parse(typed) };
  } catch {
    return undefined;
  }
}

export function amountText(minor: number, exponent: number): string {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  return `${minor < 0 ? '-' : ''}${whole}${exponent === 0 ? '' : `.${digits.slice(-exponent)}`}`;
}

/** undefined: not an amount with at most that many decimals. */
export function minorOf(typed: string, exponent: number): number | undefined {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d{1,12})(?:[.,](\d+))?$/.exec(typed) ?? [];
  if (whole === '' || decimals.length > exponent) return undefined;
  return Number(`${sign}${whole}${decimals.padEnd(exponent, '0')}`);
}

type TickProps = { label: ReactNode; checked: boolean; onValue(checked: boolean): void; pointer?: string };

export function Tick({
  label,
  checked,
  onValue,
  pointer,
  ...rest
}: TickProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'>) {
  return (
    <label className="tick-field">
      <input type="checkbox" {...rest} data-pointer={pointer} checked={checked} onChange={(event) => onValue(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}

type FileProps = Shared & { onFile(file: File | null): void; accept?: string };

export function FileField({ label, error, hint, pointer = '/file', onFile, accept }: FileProps) {
  const id = useId();
  const shared = { label, error, hint, pointer };
  return (
    <Field {...shared} id={id}>
      <input
        type="file"
        className="file-input"
        accept={accept}
        {...described(id, shared)}
        onChange={(event) => onFile(event.target.files?.[0] ?? null)}
      />
    </Field>
  );
}

type FilesProps = Shared & { onFiles(files: File[]): void; accept: string };

/** Takes any number of files, and can be asked for the same ones again. */
export function FilesField({ onFiles, accept, ...shared }: FilesProps) {
  const id = useId();
  return (
    <Field {...shared} id={id}>
      <input
        type="file"
        multiple
        className="file-input"
        accept={accept}
        {...described(id, shared)}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </Field>
  );
}
