import type { NeededPermission } from '../../../contract/endpoint.ts';
import type { TimelineKind } from '../../../contract/timeline.ts';
import { type Ctx, may } from '../../verbs/context.ts';
import { changesAbout, changesOf, type WantedKind } from './audit-sources.ts';
import type { Found } from './entries.ts';
import type { Window } from './merge.ts';

/** Gives the entries of one kind of record, newest first. */
export type Source = {
  name: string;
  kind: TimelineKind;
  /** What a caller needs besides reading the order or customer. */
  permission?: NeededPermission;
  /** Whether it is shown only to who may read the logs. */
  isOfLogs?: boolean;
  read(ctx: Pick<Ctx, 'db'>, id: number, window: Window): Promise<Found[]>;
};

/**
 * Whether the caller is shown who did what, and the mails. Tasks read neither: what a run reads shows in its log, which others may read
 * than those who read the shop's.
 */
export function seesLogs({ actor }: Pick<Ctx, 'actor'>): boolean {
  return actor.type === 'admin' && may(actor, 'admin_api.logs.read');
}

/** The sources that a caller may read, of one kind or of all. What runs did is told by the audit log alone. */
export function readable(
  ctx: Ctx,
  type: 'order' | 'customer',
  sources: readonly Source[],
  kind: WantedKind,
): { name: string; read: Source['read'] }[] {
  const logs = seesLogs(ctx);
  const changes = [
    { name: 'log', read: changesOf(type, kind) },
    { name: 'about', read: changesAbout(type === 'order' ? 'order_id' : 'customer_id', kind) },
  ];
  const ofLog = changes.flatMap(({ name, read }) =>
    logs && read ? [{ name, read: ({ db }: Pick<Ctx, 'db'>, ...rest: [number, Window]) => read(db, ...rest) }] : [],
  );
  const others = sources.filter(
    (source) =>
      (kind === undefined || source.kind === kind) &&
      (source.permission === undefined || may(ctx.actor, source.permission)) &&
      (!source.isOfLogs || logs),
  );
  return [...ofLog, ...others];
}
