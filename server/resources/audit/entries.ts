import { AuditRow } from '../../../contract/audit-log.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { isRealDate } from '../../../contract/values.ts';
import type { SortColumn } from '../../db/queries/keyset.ts';
import type { Row } from '../../db/tables.ts';
import { instantsOf } from '../../values/dates.ts';
import type { Actor, Ctx } from '../../verbs/context.ts';
import { pageForm, readingOf } from '../../verbs/list-pages.ts';
import * as store from './store.ts';
import { mayUndo } from './undo-plan.ts';

const sortColumns: Record<string, SortColumn> = { id: { name: 'id', type: 'integer' } };

/** Lists audit entries, newest first. Ids rise with time, so the list is always read in the order of ids. */
export async function listAudit(ctx: Ctx, query: InputOf<Endpoints['audit_log.list']>['query']) {
  const { timezone } = ctx.settings;
  const filter = {
    actor_id: query.actor_id,
    action: query.action,
    resource_type: query.resource_type,
    resource_id: query.resource_id,
    from:
      query.from === undefined
        ? null
        : isRealDate(query.from)
          ? instantsOf({ from: query.from, to: undefined, timeZone: timezone }).from
          : query.from,
    before:
      query.to === undefined
        ? null
        : isRealDate(query.to)
          ? instantsOf({ from: undefined, to: query.to, timeZone: timezone }).before
          : query.to,
  };
  const reading = readingOf(query, '-id', sortColumns);
  const keys = await store.selectAuditKeys(ctx.db, filter, reading);
  const rows = await store.selectAudit(
    ctx.db,
    keys.slice(0, reading.perPage).map(({ id }) => id),
  );
  const { data, next_cursor } = pageForm(
    reading,
    0,
    keys,
    rows.map((row) => toEntry(ctx.actor, row)),
  );
  return { data, next_cursor };
}

function toEntry(actor: Actor, row: Row<'audit_log'>): AuditRow {
  const { id, at, action, request_id, ip } = row;
  return AuditRow.parse({
    id,
    at,
    actor: { type: row.actor_type, id: row.actor_id, token_id: row.token_id, run_id: row.run_id },
    action,
    resource: { type: row.resource_type, id: row.resource_id },
    changes: JSON.parse(row.changes),
    undo_of_entry_id: row.undo_of_entry_id,
    may_undo: mayUndo(actor, row),
    request_id,
    ip,
  });
}
