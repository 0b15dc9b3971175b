import { eachRow } from '../contract/pages-of-rows.ts';
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
      resources[resource].each = (...args: unknown[]) =>
        eachRow(`admin.${row.id}`, args[row.paramNames.length], async (query) => {
          const { body } = await request(row.method, fillPath(row, args) + queryString(query), undefined);
          return body;
        });
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
