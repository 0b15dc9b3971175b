import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

/** A literal in the SQL text, not a bound value: otherwise the planner could not use the partial index on this status. */
const PENDING = sql.lit('pending' as const);

export type Refund = Row<'label_refunds'>;
export type NewRefund = NewRow<'label_refunds'>;

export async function insertRefund(db: Db, refund: NewRefund): Promise<void> {
  await db.insertInto('label_refunds').values(refund).execute();
}

export async function hasDue(db: Db, nowMs: number): Promise<boolean> {
  const due = db.selectFrom('label_refunds').select('id').where('status', '=', PENDING).where('next_at', '<=', nowMs);
  return (await due.limit(1).execute()).length > 0;
}

/** Takes the refunds that are due. They become due again at `untilMs`, for other servers in case this one dies. */
export async function takeDue({ db, dialect }: At, nowMs: number, untilMs: number, limit: number): Promise<Refund[]> {
  const due = await db
    .selectFrom('label_refunds')
    .selectAll()
    .where('status', '=', PENDING)
    .where('next_at', '<=', nowMs)
    .orderBy('next_at')
    .limit(limit)
    .modifyEnd(dialect.skipLocked)
    .execute();
  const ids = due.map(({ id }) => id);
  if (ids.length > 0) await db.updateTable('label_refunds').set({ next_at: untilMs }).where('id', 'in', ids).execute();
  return due;
}

type Changes = Partial<Pick<Refund, 'status' | 'attempts' | 'next_at' | 'last_error'>>;

export async function updateRefund(db: Db, id: number, changes: Changes, now: string): Promise<void> {
  await db
    .updateTable('label_refunds')
    .set({ ...changes, updated_at: now })
    .where('id', '=', id)
    .execute();
}
