import { type Field, fieldsOf, type Rows } from '../../../parts/fields.tsx';

/** What a field holds of a value of the contract; of what is no text and no number, nothing. */
type Held<T> = [T] extends [never] ? never : [T] extends [number] ? number | null : string extends T ? string : never;
/** The places of a body, and what is at each: `['voucher_code', string]`, `['customer/name', string]`. */
type Place<B> = {
  [K in keyof B & string]-?: NonNullable<B[K]> extends infer V
    ? V extends readonly unknown[]
      ? never
      : V extends object
        ? { [L in keyof V & string]-?: [`${K}/${L}`, Held<NonNullable<V[L]>>] }[keyof V & string]
        : [K, Held<NonNullable<B[K]>>]
    : never;
}[keyof B & string];
type Typed<B> = { [P in Place<B> as [P[1]] extends [never] ? never : P[0]]: P[1] };

type NumberKind = 'number' | 'money' | 'percent';
type TextKind = 'text' | 'email' | 'phone' | 'country' | 'date' | 'area';
/**
 * A field whose name is the place of its value in the body, and in the pointer of a refusal. `value`: what stands there first.
 * `empty: null`: a text that is left empty is sent as null. A number that is left empty is sent as 0.
 */
export type BodyField<B> = Field<Typed<B>> &
  ({ kind: NumberKind; value?: number | null } | { kind: TextKind; value?: string | null; empty?: null });

type AnyField = { kind: string; name: string; value?: string | number | null; empty?: null };
type ValueOf<F> = F extends { kind: NumberKind } ? number | null : string;
type SentOf<F> = F extends { kind: NumberKind } ? number : F extends { empty: null } ? string | null : string;

/** The fields of some rows. */
export type FieldIn<R> = R extends Rows<infer F> ? F : never;
/** The values of a form with these fields. */
export type ValuesOf<F extends { name: string }> = { [N in F['name']]: ValueOf<Extract<F, { name: N }>> };
/** The body that these fields make. */
type BodyOf<F extends { name: string }> = {
  [N in F['name'] as N extends `${infer Part}/${string}` ? Part : N]: N extends `${infer Part}/${string}`
    ? { [L in F['name'] as L extends `${Part}/${infer Key}` ? Key : never]: SentOf<Extract<F, { name: L }>> }
    : SentOf<Extract<F, { name: N }>>;
};
type Some<T> = { [K in keyof T]?: T[K] extends object ? Partial<T[K]> : T[K] };

const isNumber = (kind: string): kind is NumberKind => /^(number|money|percent)$/.test(kind);

// The three casts say what the types above say of the names of the fields; at run time the names are texts.

export function valuesOf<F extends AnyField>(fields: readonly F[]): ValuesOf<F> {
  return Object.fromEntries(fields.map(({ name, kind, value }) => [name, value ?? (isNumber(kind) ? null : '')])) as ValuesOf<F>;
}

export function bodyOf<F extends AnyField>(fields: readonly F[], values: ValuesOf<F>): BodyOf<F> {
  return assemble(fields, values) as BodyOf<F>;
}

/** The part of the body that was changed: `{}` while nothing is. */
export function changesOf<F extends AnyField>(fields: readonly F[], values: ValuesOf<F>, base: ValuesOf<F>): Some<BodyOf<F>> {
  const read = (of: Readonly<Record<string, unknown>>, name: string): unknown => of[name];
  return assemble(
    fields.filter(({ name }) => read(values, name) !== read(base, name)),
    values,
  ) as Some<BodyOf<F>>;
}

function assemble(fields: readonly AnyField[], values: Readonly<Record<string, unknown>>): object {
  const body: Record<string, unknown> = {};
  for (const { name, kind, empty } of fields) {
    const value = values[name];
    const isEmpty = value === null || (empty === null && String(value).trim() === '');
    const sent = isEmpty ? (isNumber(kind) ? 0 : null) : value;
    const [part = '', key] = name.split('/');
    body[part] = key === undefined ? sent : Object.assign({}, body[part], { [key]: sent });
  }
  return body;
}

/** Whether one of the fields shows a refusal at this place in the body. */
export function isShownBy(rows: Rows<{ name: string }>, pointer: string): boolean {
  return fieldsOf(rows).some(({ name }) => `/${name}/`.startsWith(`${pointer}/`));
}
