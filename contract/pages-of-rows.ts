/** The largest page that the server gives, so that a long list costs few calls. */
const ROWS_PER_PAGE = 100;

type Query = Record<string, unknown>;

/**
 * Makes the iterator of a list; `ask` gets the body of one page. With `after` the iterator also has the cursor from which the next loop goes
 * on, once the first page is there. `name` is how errors call the list.
 */
export function eachRow(name: string, query: unknown, ask: (query: Query) => Promise<unknown>): object {
  const rows = allRows(name, query, ask, (cursor) => {
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
  name: string,
  given: unknown,
  ask: (query: Query) => Promise<unknown>,
  follow: (cursor: string) => void,
): AsyncGenerator<unknown, void> {
  let query: Query = { per_page: ROWS_PER_PAGE, ...(typeof given === 'object' ? given : {}) };
  const isNew = newRows(query['sort']);
  for (;;) {
    const body = await ask(query);
    if (Array.isArray(body)) return yield* body;
    const [rows, cursor, changes] = [rowsOf(body), textIn(body, 'next_cursor'), textIn(body, 'changes_cursor')];
    if (!rows || cursor === undefined) throw new TypeError(`${name} gives no next_cursor, so each cannot follow it: call list instead`);
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
