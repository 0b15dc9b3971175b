import type { Generated } from 'kysely';
import { sortKey } from '../../values/texts.ts';

type Column<Value> = Value extends boolean ? number : Value extends object ? string : Value;
type TextOf<Values> = { [K in keyof Values]-?: Exclude<Values[K], undefined> extends string ? K : never }[keyof Values] & string;

/** The column types of a type's fields. */
export type Columns<Values, Folded extends string = never> = { [K in keyof Values]: Column<Values[K]> } & {
  [K in keyof Values as K extends Folded ? `${K}_folded` : never]: Column<Values[K]>;
};

/** The table of a record of the contract: its fields, and the folded twins of the named fields. */
export type TableOf<Fields extends { id: number }, Folded extends keyof Fields & string> = Columns<Omit<Fields, 'id'>, Folded> & {
  id: Generated<number>;
  row_version: Generated<number>;
};

/** Converts values to columns: booleans to 0 and 1, lists and objects to JSON. `folded` names texts that have a folded twin. */
export function toColumns<Values extends object, const Folded extends TextOf<Values> = never>(
  values: Values,
  folded?: readonly Folded[],
): Columns<Values, Folded>;
export function toColumns(values: object, folded: readonly string[] = []): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    columns[name] =
      typeof value === 'boolean' ? Number(value) : typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    if (folded.includes(name) && typeof value === 'string') columns[`${name}_folded`] = sortKey(value);
  }
  return columns;
}
