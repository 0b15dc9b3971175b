import type { Rows } from '../../parts/list-page.tsx';
import { useTaskName } from '../../parts/task-field.tsx';
import type { ListQuery } from './kind.ts';

/** What secrets and variables share: they count for one task or for all, and the API lists them all at once. */

export function ForTask({ id, all }: { id: number | null; all: string }) {
  return id === null ? <span className="muted">{all}</span> : <NamedTask id={id} />;
}

function NamedTask({ id }: { id: number }) {
  return <span>{useTaskName(id)}</span>;
}

/** The rows in which what is typed occurs, as the page of a list. */
export function foundIn<Row>(rows: readonly Row[], { search }: ListQuery, textsOf: (row: Row) => readonly string[]): Rows<Row> {
  const typed = search?.toLowerCase();
  const data = typed === undefined ? rows : rows.filter((row) => textsOf(row).some((one) => one.toLowerCase().includes(typed)));
  return { data, total: data.length, next_cursor: null };
}
