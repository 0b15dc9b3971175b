import type { AdminApi } from './calls.ts';

/**
 * `each` yields the rows of a paginated list one by one and asks for a hundred rows per call. Each call continues after the
 * last row of the one before, so a loop may change fields that the list filters or is sorted by: it still gets each row once.
 * With `after` it yields what changed since an earlier loop; when it has ended, `changes_cursor` is what the next loop gives as
 * `after`.
 */
type Each<List> = List extends (...args: infer Args) => Promise<infer Body>
  ? Row<Body> extends never
    ? unknown
    : { each(...args: Args): AsyncIterableIterator<Row<Body>> & Followed<Body> }
  : unknown;
type Followed<Body> = 'changes_cursor' extends keyof Body ? { readonly changes_cursor: string | null } : unknown;
type Row<Body> = Body extends { next_cursor: string | null } ? Extract<Body[keyof Body], readonly unknown[]>[number] : never;

/** The calls of the API, with `each` beside each `list` that has pages. */
export type ApiWithEach = {
  [Resource in keyof AdminApi]: AdminApi[Resource] & ('list' extends keyof AdminApi[Resource] ? Each<AdminApi[Resource]['list']> : unknown);
};
