import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { text } from '../texts/app.ts';
import { Empty } from './empty.tsx';
import { Skeleton } from './page.tsx';
import { Problem } from './problem.tsx';

/** What a query knows of what it reads. */
export type Query<T> = { data: T | undefined; error: unknown; isPending: boolean; refetch(): unknown };

/** What was read, in each of its states: on its way, refused, there, out of date. */
export function Loaded<T>({ query, rows, children }: { query: Query<T>; rows?: number; children(data: T): ReactNode }) {
  if (query.isPending) return <Skeleton rows={rows} />;
  return (
    <>
      {query.error ? <Failed error={query.error} isAll={query.data === undefined} retry={() => void query.refetch()} /> : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  );
}

type FailedProps = { error: unknown; isAll: boolean; retry(): void };

/** Why nothing is there: what may not be seen and what is gone is no fault, and to try again does not help. */
function Failed({ error, isAll, retry }: FailedProps) {
  const status = error instanceof ApiError && isAll ? error.status : 0;
  if (status !== 403 && status !== 404) return <Problem error={error} retry={retry} />;
  const mayNot = status === 403;
  return (
    <div role="alert">
      <Empty
        drawing={mayNot ? 'lock' : 'sign'}
        title={mayNot ? text.app.mayNot : text.app.noRecord}
        example={mayNot ? text.app.mayNotDetail : text.app.notFoundDetail}
      />
    </div>
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
