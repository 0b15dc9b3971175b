import type { InputOf } from '../../../contract/endpoint.ts';
import type { LogEntry, logsList } from '../../../contract/logs.ts';
import type { Ctx } from '../../context.ts';
import type { SortColumn } from '../../db/keyset.ts';
import { pageForm, readingOf } from '../../pages.ts';
import * as store from './store.ts';

/** The size of a page is fixed (decisions.md PG2). */
const PER_PAGE = 50;
const sortColumns: Record<string, SortColumn> = { created_at: { name: 'created_at', type: 'text' } };

export async function listLogs(ctx: Ctx, { source, page, cursor }: InputOf<typeof logsList>['query']) {
  const reading = readingOf({ page, cursor, per_page: PER_PAGE }, '-created_at', sortColumns);
  const keys = await store.selectLogKeys(ctx.db, source, reading);
  const total = await store.countLogs(ctx.db, source);
  const rows: LogEntry[] = await store.selectLogs(
    ctx.db,
    keys.slice(0, PER_PAGE).map(({ id }) => id),
  );
  const { data, per_page: _, ...rest } = pageForm(reading, total, keys, rows);
  return { logs: data, ...rest };
}
