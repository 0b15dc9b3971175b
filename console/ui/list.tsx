import type { ReactNode } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { Loaded, type Query } from './loaded.tsx';
import { Empty } from './page.tsx';
import { Table, type TableProps } from './table.tsx';
import './list.css';

type Props<Row> = Omit<TableProps<Row>, 'rows'> & {
  query: Query<readonly Row[]> & { isPlaceholderData?: boolean };
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
  return (
    <Loaded query={query} rows={12}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={dropFilters ? noMatch : empty}>
            {dropFilters ? <Button onClick={dropFilters}>{text.list.drop}</Button> : emptyAct}
          </Empty>
        ) : (
          <div className={query.isPlaceholderData || query.error ? 'list stale' : 'list'}>
            <Table {...table} rows={rows} />
          </div>
        )
      }
    </Loaded>
  );
}
