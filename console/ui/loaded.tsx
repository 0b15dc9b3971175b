import type { ReactNode } from 'react';
import { Skeleton } from './page.tsx';
import { Problem } from './problem.tsx';

type Query<T> = { data: T | undefined; error: unknown; isPending: boolean; refetch(): unknown };

/** What was read, in each of its states: on its way, refused, there, out of date. */
export function Loaded<T>({ query, rows, children }: { query: Query<T>; rows?: number; children(data: T): ReactNode }) {
  if (query.isPending) return <Skeleton {...(rows === undefined ? {} : { rows })} />;
  return (
    <>
      {query.error ? <Problem error={query.error} retry={() => void query.refetch()} /> : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  );
}
