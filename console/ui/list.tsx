import type { ReactNode } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { Empty, Skeleton } from './page.tsx';
import { Problem } from './problem.tsx';
import { Table, type TableProps } from './table.tsx';
import './list.css';

/** What a query knows of its rows. */
type Query<Row> = {
  data: readonly Row[] | undefined;
  error: unknown;
  isPending: boolean;
  isPlaceholderData?: boolean;
  refetch(): unknown;
};

type Props<Row> = Omit<TableProps<Row>, 'rows'> & {
  query: Query<Row>;
  /** What would be here, when nothing is there and nothing is filtered; with the act that fills it. */
  empty: string;
  emptyAct?: ReactNode;
  /** What is said where the filters leave nothing, if that is another thing than that nothing matches. */
  noMatch?: string | undefined;
  /** Drops the filters; given only while there are any. */
  dropFilters?: (() => void) | undefined;
};

/** The rows of a list in each of its states: on their way, refused, empty, filtered to nothing, out of date. */
export function List<Row>({ query, empty, emptyAct, noMatch = text.list.noMatch, dropFilters, ...table }: Props<Row>) {
  if (query.isPending) return <Skeleton rows={12} />;
  if (!query.data) return <Problem error={query.error} retry={() => void query.refetch()} />;
  return (
    <>
      {query.error ? <Problem error={query.error} retry={() => void query.refetch()} /> : null}
      {query.data.length === 0 ? (
        <Empty title={dropFilters ? noMatch : empty}>
          {dropFilters ? <Button onClick={dropFilters}>{text.list.drop}</Button> : emptyAct}
        </Empty>
      ) : (
        <div className={query.isPlaceholderData || query.error ? 'list stale' : 'list'}>
          <Table {...table} rows={query.data} />
        </div>
      )}
    </>
  );
}
