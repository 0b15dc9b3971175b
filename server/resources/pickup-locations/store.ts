import type { Db } from '../../db/open.ts';

export function selectActiveName(db: Db, id: number): Promise<{ name: string } | undefined> {
  return db.selectFrom('pickup_locations').select('name').where('id', '=', id).where('active', '=', 1).executeTakeFirst();
}
