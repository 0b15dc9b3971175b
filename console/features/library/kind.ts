import type { ReactNode } from 'react';
import type { CallOptions } from '../../../contract/calls.ts';
import type { Blank } from '../../parts/blanks.ts';
import type { FieldRows } from '../../parts/fields.tsx';
import type { Rows } from '../../parts/list-page.tsx';
import type { Column } from '../../ui/table.tsx';

export const libraryPaths = [
  '/library/media',
  '/library/files',
  '/library/vouchers',
  '/library/discount-groups',
  '/library/pickup-locations',
  '/library/shipping-methods',
  '/library/order-statuses',
  '/library/tax-rates',
  '/library/secrets',
  '/library/variables',
] as const;

export type ListQuery = { per_page: number; search?: string; cursor?: string };

/** What one kind of records of the library is: how it is listed, edited, and what is special about it. */
export type Kind<Row extends { id: number }, V extends object> = {
  path: (typeof libraryPaths)[number];
  /** The resource in permissions and operations: `vouchers`. */
  resource: string;
  texts: {
    title: string;
    count(total: number): string;
    search: string;
    empty: string;
    create: string;
    /** What the deletion of one takes along. */
    removal?: string;
  };
  /** How the list looks while it is empty. */
  blank: Blank;
  columns: readonly Column<Row>[];
  nameOf(row: Row): string;
  calls: { list(query: ListQuery): Promise<Rows<Row>>; get(id: number): Promise<Row>; delete(id: number): Promise<unknown> };
  update(id: number, values: V, options: CallOptions): Promise<Row>;
  valuesOf(row: Row): V;
  fields: FieldRows<V>;
  /** How a new one is made: by the same form, or in a way of its own, such as an upload. */
  creation: { start: V; create(values: V, options: CallOptions): Promise<Row> } | { View(props: { done(): void }): ReactNode };
  /** What stands above the form of a known record. */
  Above?(props: { row: Row }): ReactNode;
  /** The act that deletes, where it asks for more than a yes. */
  Removal?(props: { row: Row; done(): void }): ReactNode;
};
