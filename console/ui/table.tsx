import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { countText } from '../language/formats.ts';
import { text } from '../texts/app.ts';
import { useShortcuts } from './shortcuts.ts';
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
  /** Of numbers of which the lowest are looked for: a list is sorted upwards by them first. */
  isLowestFirst?: boolean;
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
 * Rows of records. One row is in the tab order; arrows, J and K, Home and End go from row to row, Enter opens, X selects, and with Shift
 * a click selects all rows from the last one. J, K and X act from anywhere in the page: from the row that had the focus last, else the
 * open one.
 */
export function Table<Row>({ label, rows, columns, idOf, open, onOpen, selection, nameOf, sort, isDry }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [visited, setVisited] = useState<number | undefined>(undefined);
  const selected = selection?.ids ?? new Set<number>();
  const allSelected = rows.length > 0 && rows.every((row) => selected.has(idOf(row)));
  const toggle = useSelect(rows.map(idOf), selection);
  const indexOf = (id: number | undefined): number => rows.findIndex((row) => idOf(row) === id);
  const at = indexOf(visited) < 0 ? indexOf(open) : indexOf(visited);

  function focusRow(index: number): void {
    body.current?.rows[Math.min(Math.max(index, 0), rows.length - 1)]?.focus();
  }

  function selectHere(): void {
    const row = rows[Math.max(at, 0)];
    if (!row) return;
    focusRow(Math.max(at, 0));
    toggle(idOf(row), false);
  }

  useShortcuts({
    ...(onOpen ? { j: () => focusRow(at + 1), k: () => focusRow(at - 1) } : {}),
    ...(onOpen && selection ? { x: selectHere } : {}),
  });

  function onKeyDown(event: KeyboardEvent<HTMLTableRowElement>, row: Row, index: number): void {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    const goTo = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (goTo !== undefined) focusRow(goTo);
    else if (event.key === 'Enter') onOpen?.(row);
    else return;
    event.preventDefault();
  }

  function onClick(event: MouseEvent<HTMLTableRowElement>, row: Row): void {
    if (!(event.target instanceof Element) || event.target.closest('a, button, input')) return;
    if (event.shiftKey && selection) toggle(idOf(row), true);
    else onOpen?.(row);
  }

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
                tabIndex={onOpen ? (index === Math.max(at, 0) ? 0 : -1) : undefined}
                aria-current={id === open ? 'true' : undefined}
                className={selected.has(id) ? 'selected' : undefined}
                onFocus={() => setVisited(id)}
                onKeyDown={(event) => onKeyDown(event, row, index)}
                // With Shift the browser would mark the text between two clicks.
                onMouseDown={(event) => event.shiftKey && selection && event.preventDefault()}
                onClick={(event) => onClick(event, row)}
              >
                {selection ? (
                  <td className="tick">
                    <input
                      type="checkbox"
                      tabIndex={onOpen ? -1 : undefined}
                      aria-label={text.list.select(nameOf(row))}
                      checked={selected.has(id)}
                      onChange={({ nativeEvent }) => toggle(id, nativeEvent instanceof PointerEvent && nativeEvent.shiftKey)}
                    />
                  </td>
                ) : null}
                {columns.map((column) => (
                  <td key={column.name} className={classOf(column)}>
                    {shown(column.cell(row))}
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

/** Selects a row or takes it out. A range has the rows from the last one that was so changed, which all become as that one is. */
function useSelect(ids: readonly number[], selection: TableProps<never>['selection']): (id: number, isRange: boolean) => void {
  const last = useRef<number | undefined>(undefined);
  return (id, isRange) => {
    if (!selection) return;
    const next = new Set(selection.ids);
    const [from, to] = [last.current === undefined ? -1 : ids.indexOf(last.current), ids.indexOf(id)];
    const isRangeHere = isRange && from >= 0;
    const isOn = isRangeHere ? next.has(ids[from] ?? id) : !next.has(id);
    for (const one of isRangeHere ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]) {
      if (isOn) next.add(one);
      else next.delete(one);
    }
    last.current = id;
    selection.set(next);
  };
}

type HeadProps<Row> = { column: Column<Row>; sort: TableProps<Row>['sort'] };

/** The head of a column; of one that the list can be sorted by, the act that sorts it, or turns the order. */
function Head<Row>({ column: { head, sort: name, isNumber, isLowestFirst }, sort }: HeadProps<Row>) {
  if (name === undefined || !sort) return head;
  const isUp = sort.by === name;
  const isDown = sort.by === `-${name}`;
  const isHighestFirst = isNumber && !isLowestFirst;
  return (
    <button type="button" className="sort-head" onClick={() => sort.set(isUp || (!isDown && isHighestFirst) ? `-${name}` : name)}>
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

/** A bare number of a cell is a count. */
function shown(value: ReactNode): ReactNode {
  return typeof value === 'number' ? countText(value) : value;
}
