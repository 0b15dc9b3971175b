import type { NewRow } from '../../db/tables.ts';
import type { Basket } from './basket.ts';
import type { StockedVariant } from './products.ts';
import { randomOf } from './random.ts';

const HOUR_MS = 3_600_000;

export type StockBook = {
  /** Takes an order's goods out of the stock, after a delivery if there are too few. Puts them back if the order was cancelled. */
  sell(basket: Basket, orderId: number, atMs: number, cancelledAt: string | null): void;
  /** Books the last stock count, after which some variants are low or out of stock. */
  count(seed: number, nowMs: number): void;
  /** The stock movements since the last call. */
  take(): NewRow<'stock_movements'>[];
  /** The sum of each variant's stock movements since the last call, by variant id. */
  takeDeltas(): Map<number, number>;
};

/** The stock movements that bring the variants to their opening stock. */
export function openingStock(stocked: readonly StockedVariant[], opensMs: number): NewRow<'stock_movements'>[] {
  const tracked = stocked.filter(({ isTracked }) => isTracked);
  return tracked.map(({ id, stock }) => movement(id, stock, 'opening stock', null, new Date(opensMs).toISOString()));
}

/** Keeps the variants' stock while orders are made; starts with the stock that the variants have now. */
export function createStockBook(stocked: readonly StockedVariant[], opensMs: number): StockBook {
  const tracked = stocked.filter(({ isTracked }) => isTracked);
  let movements: NewRow<'stock_movements'>[] = [];
  let deltas = new Map<number, number>();

  function move(variant: StockedVariant, delta: number, reason: string, orderId: number | null, at: string): void {
    variant.stock += delta;
    deltas.set(variant.id, (deltas.get(variant.id) ?? 0) + delta);
    movements.push(movement(variant.id, delta, reason, orderId, at));
  }

  return {
    sell(basket, orderId, atMs, cancelledAt) {
      const at = new Date(atMs).toISOString();
      for (const { variant, quantity } of basket) {
        if (!variant.isTracked) continue;
        const reserve = Math.ceil(variant.lot / 5);
        if (variant.stock - quantity < reserve) {
          move(variant, variant.lot, 'delivery', null, new Date(Math.max(opensMs, atMs - HOUR_MS)).toISOString());
        }
        move(variant, -quantity, 'sale', orderId, at);
        if (cancelledAt !== null) move(variant, quantity, 'order cancelled', orderId, cancelledAt);
      }
    },
    count(seed, nowMs) {
      tracked.forEach((variant, i) => {
        const random = randomOf(seed, 'count', i);
        if (!random.chance(0.15)) return;
        const left = random.chance(0.25) ? 0 : random.int(1, 5);
        if (left < variant.stock) move(variant, left - variant.stock, 'stock count', null, new Date(nowMs - HOUR_MS).toISOString());
      });
    },
    take() {
      const taken = movements;
      movements = [];
      return taken;
    },
    takeDeltas() {
      const taken = deltas;
      deltas = new Map();
      return taken;
    },
  };
}

function movement(variantId: number, delta: number, reason: string, orderId: number | null, at: string): NewRow<'stock_movements'> {
  return { variant_id: variantId, delta, reason, order_id: orderId, actor: 'system', at };
}
