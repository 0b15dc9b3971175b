import type { ReactNode } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { type Drawing, Empty } from './empty.tsx';
import { Loaded, type Query } from './loaded.tsx';
import { Table, type TableProps } from './table.tsx';
import './list.css';

type Props<Row> = Omit<TableProps<Row>, 'rows'> & {
  query: Query<readonly Row[]> & { isPlaceholderData?: boolean };
  /** What would be here, when nothing is there and nothing is filtered. */
  empty: string;
  /** How that looks, with an example of what would be here. */
  blank: { drawing: Drawing; example?: string };
  /** The act that fills it, which then stands nowhere else on the page. */
  emptyAct?: ReactNode;
  /** What is said where the filters leave nothing, if that is another thing than that nothing matches. */
  noMatch?: string | undefined;
  /** Drops the filters; given only while there are any. */
  dropFilters?: (() => void) | undefined;
  /** What is filtered by, in words. */
  filteredBy?: string | undefined;
  /** Drops what is searched for alone, where there are other filters, too. */
  dropSearch?: (() => void) | undefined;
};

/** The rows of a list in each of its states: on their way, refused, empty, filtered to nothing, out of date. */
export function List<Row>(props: Props<Row>) {
  const { query, empty, blank, emptyAct, noMatch = text.list.noMatch, dropFilters, filteredBy = '', dropSearch, ...table } = props;
  return (
    <Loaded query={query} rows={12}>
      {(rows) =>
        rows.length > 0 ? (
          <div className={query.isPlaceholderData || query.error ? 'list stale' : 'list'}>
            <Table {...table} rows={rows} />
          </div>
        ) : dropFilters ? (
          <Empty drawing="search" title={noMatch} example={filteredBy === '' ? undefined : text.list.filteredBy(filteredBy)}>
            {dropSearch ? <Button onClick={dropSearch}>{text.list.dropSearch}</Button> : null}
            <Button onClick={dropFilters}>{text.list.drop}</Button>
          </Empty>
        ) : (
          <Empty {...blank} title={empty}>
            {emptyAct}
          </Empty>
        )
      }
    </Loaded>
  );
}
