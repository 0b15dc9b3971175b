import type { ReactNode } from 'react';
import { Skeleton } from './page.tsx';
import { Problem } from './problem.tsx';

/** What a query knows of what it reads. */
export type Query<T> = { data: T | undefined; error: unknown; isPending: boolean; refetch(): unknown };

/** What was read, in each of its states: on its way, refused, there, out of date. */
export function Loaded<T>({ query, rows, children }: { query: Query<T>; rows?: number; children(data: T): ReactNode }) {
  if (query.isPending) return <Skeleton rows={rows} />;
  return (
    <>
      {query.error ? <Problem error={query.error} retry={() => void query.refetch()} /> : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  );
}

type RowsProps<T> = { query: Query<readonly T[]>; none: string; children(row: T): ReactNode };

/** Records, one under the other, each as an item of a list; `none` is said where there are none. */
export function Rows<T>({ query, none, children }: RowsProps<T>) {
  return (
    <Loaded query={query} rows={2}>
      {(list) => (list.length === 0 ? <p className="muted">{none}</p> : <ul className="rows">{list.map(children)}</ul>)}
    </Loaded>
  );
}
