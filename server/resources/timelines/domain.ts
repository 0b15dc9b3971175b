import { z } from 'zod';
import type { TimelineEntry } from '../../../contract/timeline.ts';
import type { Ctx } from '../../verbs/context.ts';
import { jsonIn } from '../../verbs/list-pages.ts';
import { refuseParameter } from '../../verbs/problem.ts';
import { withActors } from './actors.ts';
import type { WantedKind } from './audit-sources.ts';
import { customerSources } from './customer-sources.ts';
import { merge, type Places } from './merge.ts';
import { orderSources } from './order-sources.ts';
import { readable } from './sources.ts';

type Query = { kind?: WantedKind; cursor?: string | undefined; per_page: number };
type Page = { data: TimelineEntry[]; next_cursor: string | null };

const sources = { order: orderSources, customer: customerSources };

/** One page of what an order or a customer went through, newest first (spec TI1). */
export async function readTimeline(ctx: Ctx, type: 'order' | 'customer', id: number, query: Query): Promise<Page> {
  const { kind, cursor, per_page } = query;
  const places = cursor === undefined ? {} : placesIn(cursor, kind);
  const read = [];
  for (const source of readable(ctx, type, sources[type], kind)) {
    const window = { after: places[source.name] ?? null, limit: per_page + 1 };
    read.push({ name: source.name, entries: await source.read(ctx, id, window) });
  }
  const merged = merge(read, places, per_page);
  return { data: await withActors(ctx, merged.shown), next_cursor: merged.isMore ? cursorOf(kind, merged.places) : null };
}

/** A cursor has the kind that is listed, and of each source the time and id of its last entry. */
const Cursor = z.tuple([
  z.string(),
  z.record(
    z.string(),
    z.tuple([
      z
        .string()
        .max(40)
        .regex(/^[^\0]*$/),
      z.int().min(0),
    ]),
  ),
]);

function cursorOf(kind: WantedKind, places: Places): string {
  const left = Object.entries(places).map(([name, { at, id }]): [string, [string, number]] => [name, [at, id]]);
  const cursor: z.infer<typeof Cursor> = [kind ?? '', Object.fromEntries(left)];
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function placesIn(text: string, kind: WantedKind): Places {
  const cursor = Cursor.safeParse(jsonIn(text));
  if (!cursor.success) throw refuseParameter('invalid_value', 'cursor', 'must be next_cursor of this timeline');
  const [ofKind, left] = cursor.data;
  if (ofKind !== (kind ?? '')) throw refuseParameter('invalid_value', 'cursor', 'the cursor belongs to a timeline of another kind');
  return Object.fromEntries(Object.entries(left).map(([name, [at, id]]) => [name, { at, id }]));
}
