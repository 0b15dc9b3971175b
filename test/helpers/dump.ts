import { sql } from 'kysely';
import type { Store } from '../../server/db/open.ts';

/** Tables with what a run writes about itself, and with who was here and when. */
const OF_RUNS = new Set([
  'runs',
  'run_checkpoints',
  'run_claims',
  'crash_signs',
  'run_effects',
  'effect_images',
  'captured_rows',
  'run_events',
  'run_permissions',
  'run_results',
  'runners',
  'lineages',
  'lineage_checkpoints',
  'lineage_memory',
  'journal',
  'planned_writes',
  'followed_ids',
  'idempotency',
  'tasks',
  'task_versions',
  'compiled_sources',
  'version_approvals',
  'version_comments',
  'started_calls',
  'answer_orders',
  // Who is working on a request or a run, not what it changes.
  'leases',
  'run_prompts',
  'artifacts',
  // The stored content of artifacts.
  'stored_objects',
  'storage_use',
  'tokens',
  'migrations',
]);

/** Columns with sums. PostgreSQL keeps a sum as several rows until a loop adds them up. */
const SUMS: Record<string, readonly string[]> = {
  order_buyers: ['orders', 'tests'],
  order_counts: ['n'],
  order_part_counts: ['n'],
  order_quarters: ['orders', 'revenue'],
  customer_sales: ['orders', 'sales', 'spent'],
  product_sales: ['quantity', 'revenue'],
};

/** Every row of the shop as JSON, by table, without the rows of runs, the log entries about them, and the number of the transaction. */
export async function dumpShop(store: Store): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  const told = await store.reader.selectFrom('notifications').select('id').where('type', 'like', 'ai_task%').execute();
  const toldOfRuns = new Set(told.map(({ id }) => id));
  for (const name of await tableNames(store)) {
    if (OF_RUNS.has(name)) continue;
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(store.reader);
    const sums = SUMS[name];
    const ofShop = rows.flatMap(({ last_seen_at: _, stored_in: __, ...row }) =>
      isOfRuns(row) || toldOfRuns.has(Number(row['notification_id'])) ? [] : [row],
    );
    dump[name] = (sums ? summed(rows, sums) : ofShop.map((row) => JSON.stringify(row))).sort();
  }
  return dump;
}

/** Of a run, its task or what was decided about one. */
function isOfRuns({ action, type, subject_type: subject }: Record<string, unknown>): boolean {
  return String(action).includes('ai_tasks.') || String(type).startsWith('ai_task') || /^task(_version)?$/.test(String(subject));
}

/** For each text the tables and search indexes that contain it, in any case. Texts that no table contains are left out. */
export async function tablesNaming(store: Store, texts: readonly string[], but: readonly string[] = []): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const name of await tableNames(store)) {
    if (but.includes(name)) continue;
    const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(store.reader);
    const dump = JSON.stringify(rows, (_, value: unknown) =>
      isBytes(value) ? Buffer.from(value.data).toString('latin1') : value,
    ).toUpperCase();
    for (const text of texts) {
      if (dump.includes(text.toUpperCase())) found[text] = [...(found[text] ?? []), name];
    }
  }
  return found;
}

/** Whether the value is a buffer in the form that its `toJSON` gives. */
function isBytes(value: unknown): value is { data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
}

/** The rows that only one of the two dumps has. */
export function changedRows(before: Record<string, string[]>, after: Record<string, string[]>): string[] {
  return Object.keys({ ...before, ...after }).flatMap((table) => {
    const [old, now] = [before, after].map((dump) => new Set(dump[table]));
    const gone = [...(old ?? [])].filter((row) => !now?.has(row)).map((row) => `- ${table} ${row}`);
    return [...gone, ...[...(now ?? [])].filter((row) => !old?.has(row)).map((row) => `+ ${table} ${row}`)];
  });
}

function summed(rows: readonly Record<string, unknown>[], sums: readonly string[]): string[] {
  const totals = new Map<string, number[]>();
  for (const { merged: _, ...row } of rows) {
    const key = JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => !sums.includes(column))));
    const before = totals.get(key) ?? [];
    totals.set(
      key,
      sums.map((column, i) => (before[i] ?? 0) + Number(row[column])),
    );
  }
  return [...totals].flatMap(([key, values]) => (values.some((value) => value !== 0) ? [`${key} ${values.join()}`] : []));
}

async function tableNames({ reader, dialect }: Store): Promise<string[]> {
  const { rows } = await (dialect.engine === 'sqlite'
    ? sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`
    : sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`
  ).execute(reader);
  return rows.map(({ name }) => name);
}
