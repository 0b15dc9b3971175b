import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import { createDatabase } from '../helpers/stores.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tables that only whole statements name, and columns that PostgreSQL alone has. */
const UNTYPED = ['migrations', 'order_buyers', 'order_quarters', 'customer_sales', 'product_sales'];
const POSTGRES_ALONE = `'merged'`;

type Column = { table: string; name: string; type: string; notnull: number; dflt_value: string | null; pk: number; keys: number };

/** What tells the rows of the types from those of the schema. */
const CHECK = `
type Names<T extends keyof Schema & keyof Database> = Exclude<keyof Schema[T] | keyof Row<T>, ${POSTGRES_ALONE}>;
type IsNull<Value> = null extends Value ? 'null' : 'not null';
type Wrong<T extends keyof Schema & keyof Database> = {
  [C in Names<T>]: \`\${T}.\${C & string}: \${C extends keyof Row<T>
    ? C extends keyof Schema[T]
      ? IsNull<Row<T>[C]> extends IsNull<Schema[T][C]>
        ? Row<T>[C] extends Schema[T][C]
          ? C extends Needed[T]
            ? {} extends Pick<NewRow<T>, C & keyof NewRow<T>> ? 'may be left out' : never
            : never
          : 'another type'
        : IsNull<Schema[T][C]>
      : 'not in the schema'
    : 'not in the type'}\`;
}[Names<T>];
type All = { [T in keyof Schema & keyof Database]: Wrong<T> }[keyof Schema & keyof Database];
type Tables = Exclude<keyof Schema, keyof Database> | Exclude<keyof Database, keyof Schema>;
declare const wrong: All | Tables;
export const none: never = wrong;
`;

test('the types of the rows are those of the schema', { timeout: 300_000 }, async () => {
  const database = await createDatabase('sqlite', { empty: true });
  const store = openStore({ url: database.url });
  await migrate(store);
  const { rows } = await sql<Column>`
    SELECT t.name AS "table", c.name, c.type, c."notnull", c.dflt_value, c.pk, max(c.pk) OVER (PARTITION BY t.name) AS keys
    FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`.execute(store.reader);
  await store.close();
  await database.drop();
  const tables = [...Map.groupBy(rows, ({ table }) => table)].filter(([table]) => !UNTYPED.includes(table));
  const types: Readonly<Record<string, string>> = { INTEGER: 'number', TEXT: 'string', BLOB: 'Uint8Array' };
  const isNumbered = ({ type, pk, keys }: Column) => type === 'INTEGER' && pk === 1 && keys === 1;
  const typeOf = ({ type, notnull, pk }: Column) => `${types[type]}${notnull === 1 || pk > 0 ? '' : ' | null'}`;
  const isNeeded = (column: Column) => (column.notnull === 1 || column.pk > 0) && column.dflt_value === null && !isNumbered(column);
  const declaring = globSync('server/{resources,automation}/**/*.ts', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('declare module'),
  );
  const text = [
    `import type { Database, NewRow, Row } from '${root}server/db/tables.ts';`,
    ...declaring.map((file) => `import type {} from '${join(root, file)}';`),
    'type Schema = {',
    ...tables.map(([table, columns]) => `  ${table}: { ${columns.map((column) => `${column.name}: ${typeOf(column)}`).join('; ')} };`),
    '};',
    'type Needed = {',
    ...tables.map(([table, columns]) => {
      const needed = columns.filter(isNeeded).map(({ name }) => `'${name}'`);
      return `  ${table}: ${needed.join(' | ') || 'never'};`;
    }),
    '};',
    CHECK,
  ].join('\n');
  const folder = join(root, 'node_modules/.cache/row-types');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'check.ts'), text);
  const options = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { incremental: false, noErrorTruncation: true },
    include: ['check.ts'],
    exclude: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const told = await promisify(execFile)(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--singleThreaded',
    '-p',
    folder,
  ]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  await rm(folder, { recursive: true, force: true });
  assert.equal(told, '');
});
