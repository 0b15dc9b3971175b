import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { text } from '../texts/app.ts';
import './table.css';

export type Column<Row> = {
  name: string;
  head: ReactNode;
  cell(row: Row): ReactNode;
  /** Numbers stand at the end of their column. */
  isNumber?: boolean;
  /** Left out where the screen is narrow. */
  isMinor?: boolean;
  /** Where the screen is narrow, it stands below the row in its whole width. The rows must not open. */
  isBelow?: boolean;
  /** What the list can be sorted by: the name as the API has it. */
  sort?: string;
};

export type TableProps<Row> = {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  idOf(row: Row): number;
  open?: number | undefined;
  onOpen?(row: Row): void;
  selection?: { ids: ReadonlySet<number>; set(ids: ReadonlySet<number>): void };
  nameOf(row: Row): string;
  /** What the list is sorted by; with `-` before it, downwards. */
  sort?: { by: string; set(by: string): void };
  /** What a dry run would do has a dashed edge. */
  isDry?: boolean;
};

/**
 * Rows of records. One row is in the tab order; arrows, J and K, Home and End go from row to row, Enter opens, X selects.
 */
export function Table<Row>({ label, rows, columns, idOf, open, onOpen, selection, nameOf, sort, isDry }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const selected = selection?.ids ?? new Set<number>();
  const allSelected = rows.length > 0 && rows.every((row) => selected.has(idOf(row)));

  function toggle(id: number): void {
    const ids = new Set(selected);
    if (!ids.delete(id)) ids.add(id);
    selection?.set(ids);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTableRowElement>, row: Row): void {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    const all = [...(body.current?.rows ?? [])];
    const at = all.indexOf(event.currentTarget);
    const goTo = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (goTo !== undefined) all[Math.min(Math.max(goTo, 0), all.length - 1)]?.focus();
    else if (event.key === 'Enter') onOpen?.(row);
    else if (event.key === 'x' && selection) toggle(idOf(row));
    else return;
    event.preventDefault();
  }

  const focusable = rows.findIndex((row) => idOf(row) === open);
  return (
    // Rows that open take the focus and so scroll the frame; without them the frame must take it itself.
    <div
      className={`table-frame ${isDry ? 'dry' : ''}`}
      {...(onOpen || selection ? {} : { role: 'region', 'aria-label': label, tabIndex: 0 })}
    >
      <table aria-label={label} className={onOpen ? 'table opens' : 'table'}>
        <thead>
          <tr>
            {selection ? (
              <th className="tick" scope="col">
                <input
                  type="checkbox"
                  aria-label={text.list.selectAll(rows.length)}
                  checked={allSelected}
                  onChange={() => selection.set(allSelected ? new Set() : new Set(rows.map(idOf)))}
                />
              </th>
            ) : null}
            {columns.map((column) => (
              <th key={column.name} scope="col" className={classOf(column)} aria-sort={sortOf(column, sort?.by)}>
                <Head column={column} sort={sort} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => {
            const id = idOf(row);
            return (
              <tr
                key={id}
                data-id={id}
                tabIndex={onOpen ? (index === Math.max(focusable, 0) ? 0 : -1) : undefined}
                aria-current={id === open ? 'true' : undefined}
                className={selected.has(id) ? 'selected' : undefined}
                onKeyDown={(event) => onKeyDown(event, row)}
                onClick={(event) => {
                  if (!(event.target instanceof Element) || event.target.closest('a, button, input')) return;
                  onOpen?.(row);
                }}
              >
                {selection ? (
                  <td className="tick">
                    <input
                      type="checkbox"
                      tabIndex={-1}
                      aria-label={text.list.select(nameOf(row))}
                      checked={selected.has(id)}
                      onChange={() => toggle(id)}
                    />
                  </td>
                ) : null}
                {columns.map((column) => (
                  <td key={column.name} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type HeadProps<Row> = { column: Column<Row>; sort: TableProps<Row>['sort'] };

/** The head of a column; of one that the list can be sorted by, the act that sorts it, or turns the order. */
function Head<Row>({ column: { head, sort: name, isNumber }, sort }: HeadProps<Row>) {
  if (name === undefined || !sort) return head;
  const isUp = sort.by === name;
  const isDown = sort.by === `-${name}`;
  return (
    <button type="button" className="sort-head" onClick={() => sort.set(isUp || (!isDown && isNumber) ? `-${name}` : name)}>
      {head}
      <span aria-hidden="true">{isUp ? '↑' : isDown ? '↓' : ''}</span>
    </button>
  );
}

function sortOf(column: { sort?: string }, by: string | undefined): 'ascending' | 'descending' | undefined {
  if (column.sort === undefined || by === undefined) return undefined;
  return by === column.sort ? 'ascending' : by === `-${column.sort}` ? 'descending' : undefined;
}

function classOf({ isNumber, isMinor, isBelow }: { isNumber?: boolean; isMinor?: boolean; isBelow?: boolean }): string | undefined {
  return [isNumber ? 'number' : '', isMinor ? 'minor' : '', isBelow ? 'below' : ''].filter(Boolean).join(' ') || undefined;
}
