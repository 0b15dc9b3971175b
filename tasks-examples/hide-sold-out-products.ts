/**
 * Hides sold-out products and shows them again: an active product becomes a draft when no piece of it is left to order, and active again
 * once there is stock. The state remembers which products the task has hidden, so what people have made a draft, or archived, stays so.
 * It remembers 5,000 products at most, and hides none beyond them. Products that are not tracked, or may be ordered without stock, are
 * never hidden. Give it a schedule such as every ten minutes.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, state } from 'backroom';
import type { Script } from './hide-sold-out-products.permissions.ts';

declare const admin: Script['admin'];

const KEY = 'hidden';
const IDS_MAX = 5000;
type Product = { id: number; name: string; to: 'draft' | 'active' };
type Work = { changes: Product[]; hidden: number[]; left: number };

export default async function main() {
  const { changes, hidden, left } = await once('products', findChanges);
  let done = Number(last_checkpoint?.done ?? 0);
  let changed = Number(last_checkpoint?.changed ?? 0);
  // Remembered first: a product that was hidden and forgotten would never be shown again.
  if (done === 0 && changes.length > 0) await state.set(KEY, hidden);
  while (done < changes.length) {
    const outcomes = await Promise.all(changes.slice(done, done + 10).map(change));
    done += outcomes.length;
    changed += outcomes.filter(Boolean).length;
    progress(done, changes.length, 'products');
    await checkpoint({ done, changed });
  }
  if (left > 0) log(`${left} more products are left for the next run`);
  const to = (status: Product['to']) => changes.filter((product) => product.to === status).length;
  return { hide: to('draft'), show: to('active'), changed, left };
}

async function change({ id, name, to }: Product): Promise<boolean> {
  try {
    await admin.products.update(id, { status: to });
    result(to === 'draft' ? 'hidden' : 'shown', name, { product_id: id });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', name, { product_id: id, code: error.code });
    return false;
  }
}

/** What to change, and which products will be hidden by the task then: those that it has hidden and that are still drafts, and the new ones. */
async function findChanges(): Promise<Work> {
  const known = new Set((await state.get<number[]>(KEY)) ?? []);
  const found: Product[] = [];
  const hidden: number[] = [];
  for await (const { id, name, status, variants } of admin.products.each({ per_page: 100 })) {
    const isOut = isSoldOut(variants);
    if (status === 'active' && isOut) found.push({ id, name, to: 'draft' });
    if (status === 'draft' && known.has(id)) {
      if (isOut) hidden.push(id);
      else found.push({ id, name, to: 'active' });
    }
  }
  const max = Math.min(Number(parameters.max), IDS_MAX - hidden.length);
  const changes = found.slice(0, max);
  const waiting = found.slice(max).flatMap(({ id, to }) => (to === 'active' ? [id] : []));
  const now = changes.flatMap(({ id, to }) => (to === 'draft' ? [id] : []));
  return { changes, hidden: [...hidden, ...waiting, ...now], left: found.length - changes.length };
}

type Variant = { active: boolean; track_stock: boolean; allow_backorder: boolean; stock: number };

function isSoldOut(variants: readonly Variant[]): boolean {
  const offered = variants.filter(({ active }) => active);
  return offered.length > 0 && offered.every(({ track_stock, allow_backorder, stock }) => track_stock && !allow_backorder && stock <= 0);
}
