import { fold } from '../../contract/values.ts';

/** Values as columns hold them: booleans as 0 and 1, lists and objects as JSON; `folded` names texts that have a folded twin. */
export function toColumns(values: object, folded: readonly string[] = []): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    columns[name] =
      typeof value === 'boolean' ? Number(value) : typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    if (folded.includes(name) && typeof value === 'string') columns[`${name}_folded`] = fold(value);
  }
  return columns;
}
