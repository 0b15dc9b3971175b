import type { Request } from './admin-api.ts';

/** One row of the contract's `operationTable()`, which the bundler inserts into the prelude. */
export type OperationRow = {
  id: string;
  method: string;
  path: string;
  paramNames: readonly string[];
  hasBody: boolean;
  hasQuery: boolean;
};

/** Makes `admin.<resource>.<operation>(…path parameters, body, query)`, and `each` for each `list`. */
export function createAdmin(rows: readonly OperationRow[], request: Request): object {
  const resources: Record<string, Record<string, unknown>> = {};
  for (const row of rows) {
    const [resource = '', operation = ''] = row.id.split('.');
    resources[resource] ??= {};
    resources[resource][operation] = (...args: unknown[]) => call(row, args, request);
    if (operation === 'list' && row.method === 'GET' && row.hasQuery) {
      resources[resource].each = (...args: unknown[]) => eachRow(row, args, request);
    }
  }
  for (const resource of Object.values(resources)) Object.freeze(resource);
  return Object.freeze(resources);
}

async function call(row: OperationRow, args: readonly unknown[], request: Request): Promise<unknown> {
  const { id, method, paramNames, hasBody, hasQuery } = row;
  const body = hasBody ? (args[paramNames.length] ?? {}) : undefined;
  const query = hasQuery ? args[paramNames.length + (hasBody ? 1 : 0)] : undefined;
  const most = paramNames.length + (hasBody ? 1 : 0) + (hasQuery ? 1 : 0);
  if (args.length > most) throw new TypeError(`admin.${id} takes at most ${most} arguments`);
  const answer = await request(method, fillPath(row, args) + queryString(query), body);
  return answer.body;
}

/** The largest page that the server gives, so that a long list costs few calls. */
const ROWS_PER_PAGE = 100;

/** Makes the iterator of a list. With `after` it also gets the cursor from which the next loop goes on, when the first page is there. */
function eachRow(row: OperationRow, args: readonly unknown[], request: Request): object {
  const rows = allRows(row, args, request, (cursor) => {
    followed.changes_cursor = cursor;
  });
  const followed = Object.assign(rows, { changes_cursor: null as string | null });
  return followed;
}

/**
 * Yields the rows of a list, page after page. Each page begins behind the last row of the one before (`next_cursor`), so a
 * loop that changes rows it has got neither skips later rows nor gets one twice.
 */
async function* allRows(
  row: OperationRow,
  args: readonly unknown[],
  request: Request,
  follow: (cursor: string) => void,
): AsyncGenerator<unknown, void> {
  const given = args[row.paramNames.length];
  let query: Record<string, unknown> = { per_page: ROWS_PER_PAGE, ...(typeof given === 'object' ? given : {}) };
  const isNew = newRows(query['sort']);
  for (;;) {
    const { body } = await request(row.method, fillPath(row, args) + queryString(query), undefined);
    if (Array.isArray(body)) return yield* body;
    const [rows, cursor, changes] = [rowsOf(body), textIn(body, 'next_cursor'), textIn(body, 'changes_cursor')];
    if (!rows || cursor === undefined)
      throw new TypeError(`admin.${row.id} gives no next_cursor, so each cannot follow it: call list instead`);
    if (typeof changes === 'string') follow(changes);
    for (const one of rows) if (isNew(one)) yield one;
    if (cursor === null) return;
    query = { ...query, page: undefined, cursor };
  }
}

/**
 * Tells whether a row comes for the first time. A loop that changes what the list is sorted by moves its rows to a later place; it
 * would get them again, and again if it moves them each time. Nothing moves in the order of creation, so nothing is remembered there.
 */
function newRows(sort: unknown): (row: unknown) => boolean {
  if (typeof sort !== 'string' || /^-?created_at$/.test(sort)) return () => true;
  const seen = new Set<unknown>();
  return (row) => {
    const id: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'id') : undefined;
    if (id === undefined) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  };
}

function textIn(body: unknown, name: string): string | null | undefined {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' || value === null ? value : undefined;
}

function rowsOf(body: unknown): readonly unknown[] | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  return Object.values(body).find((value) => Array.isArray(value));
}

function fillPath({ id, path, paramNames }: OperationRow, args: readonly unknown[]): string {
  let filled = path;
  paramNames.forEach((name, index) => {
    const value = args[index];
    if ((typeof value !== 'number' && typeof value !== 'string') || value === '') {
      throw new TypeError(`admin.${id}: argument ${index + 1} must be the ${name}`);
    }
    filled = filled.replace(`{${name}}`, () => encodeURIComponent(String(value)));
  });
  return filled;
}

function queryString(query: unknown): string {
  if (query === undefined || query === null) return '';
  if (typeof query !== 'object') throw new TypeError('the query must be an object, such as {per_page: 100}');
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== undefined && item !== null)
      .map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(item instanceof Date ? item.toISOString() : String(item))}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
