import { keepPreviousData, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { List } from '../ui/list.tsx';
import { PageHead } from '../ui/page.tsx';
import { WithSheet } from '../ui/sheet.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import type { Column, TableProps } from '../ui/table.tsx';
import { MoreFilters, Pager, SearchField, SelectionPlace, Toolbar } from '../ui/toolbar.tsx';
import type { Blank } from './blanks.ts';
import type { ListSearch, Patch } from './search.ts';

export const PAGE_SIZE = 50;

export type Rows<Row> = { data: readonly Row[]; total: number; next_cursor: string | null };
export type RowsQuery<Row> = UseQueryOptions<Rows<Row>, Error, Rows<Row>, readonly unknown[]>;

/** One page of a list, as queries of features give it. */
export function rowsQuery<Row>(operation: string, query: object, read: () => Promise<Rows<Row>>): RowsQuery<Row> {
  return { queryKey: [operation, query], queryFn: read };
}

/** A list that the API gives as a whole. */
export function wholeList<Row>(operation: string, query: object, read: () => Promise<readonly Row[]>): RowsQuery<Row> {
  return rowsQuery(operation, query, async () => {
    const data = await read();
    return { data, total: data.length, next_cursor: null };
  });
}

type Props<Row extends { id: number }> = {
  title: string;
  /** What stands beneath the title. Without it, the list is a part of a page that has a head of its own. */
  note?(total: number): string;
  search: ListSearch;
  patch: Patch<ListSearch>;
  /** The query of one page of the list. */
  page(cursor: string | undefined): RowsQuery<Row>;
  columns: readonly Column<Row>[];
  nameOf(row: Row): string;
  /** What the search looks at; without it, the list has none. */
  searchLabel?: string;
  /** The views of the list, in a row of their own. */
  views?: ReactNode;
  /** Filters, in front of the search. */
  filters?: ReactNode;
  /** Filters that are used less often, behind a button at the end; open while one of them is set. */
  moreFilters?: ReactNode;
  /** What acts on the list as it is shown: its view, its columns. */
  acts?: ReactNode;
  /** Drops these filters; given while any is set. */
  dropFilters?: (() => void) | undefined;
  sort?: TableProps<Row>['sort'];
  /** The bar of the selected rows; with it, rows can be selected. */
  bulk?(selection: Selection): ReactNode;
  empty: string;
  /** How an empty list looks. */
  blank: Blank;
  /** The filters that are set, in words. */
  filteredBy?: string;
  /** The name of the act that makes a record; left out where that is not allowed. */
  create?: string | undefined;
  /** Opens a record on its own page. Without it, the record opens in the sheet. */
  onOpen?(row: Row): void;
  /** The sheet of the record that is open or new. */
  sheet?(steps: Steps): ReactNode;
};

/** What is selected of how many that match. */
export type Selection = { ids: ReadonlySet<number>; total: number; select(ids: ReadonlySet<number>): void };

/** To the records before and after the open one; of a new one there are none. */
export type Steps = { previous?: (() => void) | null; next?: (() => void) | null };

/** A list of records: found, paged, opened, with the sheet of the one that is open or new. The address has its whole state. */
export function ListPage<Row extends { id: number }>(props: Props<Row>) {
  const { title, note, search, patch, page, create, sheet, searchLabel, dropFilters, bulk } = props;
  const { q, cursor, open } = search;
  const queries = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const list = useQuery({ ...page(cursor), placeholderData: keepPreviousData });
  const [selected, select] = useState<ReadonlySet<number>>(new Set());
  const rows = list.data?.data ?? [];
  const next = list.data?.next_cursor;
  const isOpen = open !== undefined || search.new === true;
  const prefetch = useEffectEvent((to: string) => void queries.prefetchQuery(page(to)));
  useEffect(() => {
    if (next) prefetch(next);
  }, [next]);

  const openNew = (): void => patch({ new: true, open: undefined });
  const at = rows.findIndex(({ id }) => id === open);
  function stepTo(row: Row | undefined): (() => void) | null {
    return at >= 0 && row ? () => patch({ open: row.id }) : null;
  }
  const steps: Steps = open === undefined ? {} : { previous: stepTo(rows[at - 1]), next: stepTo(rows[at + 1]) };
  useShortcuts({
    '/': () => field.current?.focus(),
    ...(create === undefined ? {} : { n: openNew }),
    ...(isOpen ? { escape: () => patch({ open: undefined, new: undefined }) } : {}),
  });
  const isSearchable = searchLabel !== undefined;
  const isFiltered = q !== undefined || dropFilters !== undefined;
  const drop = (): void => {
    if (dropFilters) dropFilters();
    else patch({ q: undefined, cursor: undefined });
  };
  // An empty list has the act in its middle, and nowhere else.
  const isEmpty = list.data !== undefined && rows.length === 0 && !isFiltered && cursor === undefined;
  const act =
    create === undefined ? null : (
      <Button kind="first" keys="n" {...(note === undefined && isSearchable && !isEmpty ? { className: 'end' } : {})} onClick={openNew}>
        {create}
      </Button>
    );

  const inToolbar = note === undefined && !isEmpty ? act : null;

  return (
    <>
      {note === undefined ? null : (
        <PageHead title={title} note={list.data ? note(list.data.total) : ' '}>
          {isEmpty ? null : act}
        </PageHead>
      )}
      {props.views === undefined ? null : <Toolbar>{props.views}</Toolbar>}
      {props.filters === undefined && !isSearchable && inToolbar === null ? null : (
        <Toolbar>
          {props.filters}
          {searchLabel === undefined ? null : (
            <SearchField
              field={field}
              label={searchLabel}
              value={q ?? ''}
              set={(typed) => patch({ q: typed === '' ? undefined : typed, cursor: undefined })}
            />
          )}
          {props.moreFilters === undefined ? null : <MoreFilters isSet={dropFilters !== undefined}>{props.moreFilters}</MoreFilters>}
          {props.acts === undefined ? null : <div className="acts end">{props.acts}</div>}
          {inToolbar}
        </Toolbar>
      )}
      <WithSheet sheet={isOpen && sheet ? sheet(steps) : null}>
        <List
          label={title}
          query={{ ...list, data: list.data?.data }}
          columns={props.columns}
          idOf={({ id }) => id}
          nameOf={props.nameOf}
          open={open}
          onOpen={props.onOpen ?? (({ id }) => patch({ open: id, new: undefined }))}
          {...(bulk ? { selection: { ids: selected, set: select } } : {})}
          {...(props.sort ? { sort: props.sort } : {})}
          empty={props.empty}
          blank={props.blank}
          emptyAct={isEmpty ? act : null}
          filteredBy={filterWords(q, dropFilters && (props.filteredBy ?? text.list.furtherFilters))}
          dropSearch={q !== undefined && dropFilters ? () => patch({ q: undefined, cursor: undefined }) : undefined}
          dropFilters={isFiltered ? drop : undefined}
        />
        <Pager cursor={cursor} next={next} go={(to) => patch({ cursor: to })} />
        {bulk ? (
          <SelectionPlace>{selected.size > 0 ? bulk({ ids: selected, total: list.data?.total ?? 0, select }) : null}</SelectionPlace>
        ) : null}
      </WithSheet>
    </>
  );
}

/** What is searched for, and the other filters. */
function filterWords(q: string | undefined, others: string | undefined): string {
  return [...(q === undefined ? [] : [text.list.quoted(q)]), ...(others === undefined ? [] : [others])].join(', ');
}
