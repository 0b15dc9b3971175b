import type { EventFilter } from '../../../../contract/triggers.ts';

/** One condition as a person writes it: a field of the event, and the values it may have, separated by commas. */
export type FilterRow = { field: string; values: string };

type FilterValue = string | number | boolean | null;

export function rowsOfFilter(filter: EventFilter): FilterRow[] {
  return Object.entries(filter).map(([field, accepted]) => ({
    field,
    values: (Array.isArray(accepted) ? accepted : [accepted]).map(writtenOf).join(', '),
  }));
}

/** Rows without a field say nothing. */
export function filterOfRows(rows: readonly FilterRow[]): EventFilter {
  return Object.fromEntries(
    rows.flatMap(({ field, values }) => {
      if (field.trim() === '') return [];
      const accepted = values.match(/"(?:[^"\\]|\\.)*"|[^,]+/g)?.map((written) => filterValueOf(written.trim())) ?? [];
      const [first] = accepted;
      return [[field.trim(), accepted.length === 1 && first !== undefined ? first : accepted] as const];
    }),
  );
}

/** A text that would be read as something else is written in quotes. */
function writtenOf(value: FilterValue): string {
  if (typeof value !== 'string') return String(value);
  return filterValueOf(value) === value && !value.includes(',') && value.trim() === value && value !== '' ? value : JSON.stringify(value);
}

function filterValueOf(written: string): FilterValue {
  if (written === 'true' || written === 'false') return written === 'true';
  if (written === 'null') return null;
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/.test(written)) return Number(written);
  if (!/^".*"$/s.test(written)) return written;
  try {
    const text: unknown = JSON.parse(written);
    return typeof text === 'string' ? text : written;
  } catch {
    return written;
  }
}
