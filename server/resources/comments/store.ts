import { sql } from 'kysely';
import type { OrderComment } from '../../../contract/comments.ts';
import type { At, Db } from '../../db/open.ts';
import { idRows } from '../../db/queries/about.ts';
import { insertInto, rowStatement, updateVersioned } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

type Place = { orderId: number; id: number };

const selectRow = rowStatement<Place, Row<'order_comments'>>(
  (value) => sql`SELECT * FROM order_comments WHERE id = ${value('id')} AND order_id = ${value('orderId')}`,
);
const insertRow = insertInto('order_comments', sql<Row<'order_comments'>>`*`);

export async function selectVersion(db: Db, place: Place): Promise<number | null> {
  return (await selectRow(db, place))?.row_version ?? null;
}

export async function selectComment(db: Db, place: Place): Promise<OrderComment | null> {
  const row = await selectRow(db, place);
  return row ? toWire(row) : null;
}

export async function insertComment(db: Db, comment: Omit<OrderComment, 'id'>): Promise<OrderComment> {
  const [row] = await insertRow(db, comment);
  if (!row) throw new Error('an insert into order_comments gave no row');
  return toWire(row);
}

export const updateComment = updateVersioned('order_comments');

export async function deleteComment(db: Db, id: number): Promise<void> {
  await db.deleteFrom('order_comments').where('id', '=', id).execute();
}

export async function deleteCommentsOf({ db, dialect }: At, orderIds: readonly number[]): Promise<void> {
  await sql`DELETE FROM order_comments WHERE order_id IN ${idRows(dialect, orderIds)}`.execute(db);
}

function toWire({ row_version: _, ...comment }: Row<'order_comments'>): OrderComment {
  return comment;
}
