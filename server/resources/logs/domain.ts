import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Ctx } from '../../verbs/context.ts';
import { listPage, NEWEST_FIRST } from '../../verbs/list-pages.ts';
import * as store from './store.ts';

/** The page size is fixed (spec PG2). */
const PER_PAGE = 50;

export async function listLogs(ctx: Ctx, { source, page, cursor }: InputOf<Endpoints['logs.list']>['query']) {
  const { data, per_page: _, ...rest } = await listPage({ page, cursor, per_page: PER_PAGE }, NEWEST_FIRST, store.logs(ctx.db, source));
  return { logs: data, ...rest };
}
