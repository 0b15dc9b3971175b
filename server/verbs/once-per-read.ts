import type { Ctx } from './context.ts';
import type { Answered } from './record-versions.ts';

/**
 * Values of a record that a read shows both in its ETag and in its answer. They are looked up once for both, which are of one snapshot; a
 * write looks them up each time, because it may have changed them.
 */
export function oncePerRead<T, Id extends number | Readonly<Record<string, number>> = number>(find: (ctx: Ctx, id: Id) => Promise<T>) {
  const found = new WeakMap<Ctx, { of: string; value: T }>();
  return {
    async ofEtag(ctx: Ctx, id: Id, answers: Answered): Promise<T> {
      const value = await find(ctx, id);
      if (answers === 'read') found.set(ctx, { of: JSON.stringify(id), value });
      return value;
    },
    async ofAnswer(ctx: Ctx, id: Id): Promise<T> {
      const known = found.get(ctx);
      return known?.of === JSON.stringify(id) ? known.value : find(ctx, id);
    },
  };
}
