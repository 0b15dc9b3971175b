import { createShop, type ShopClient, type ShopOptions } from './connect.ts';
import { operations } from './operations.ts';

/**
 * `backroom/client`: a typed client of a shop's API, for Node, browsers and Deno.
 *
 *     import { connect } from 'backroom/client';
 *
 *     const shop = connect({ url: 'https://shop.example', token });
 *     for await (const order of shop.api.orders.each({ status: 'pending' })) console.log(order.number);
 *     for await (const { event, data } of shop.follow('/ai-tasks/3/runs/7/stream')) console.log(event, data);
 */
export function connect(options: ShopOptions): ShopClient {
  return createShop(operations, options);
}

export { ApiError } from '../contract/calls.ts';
export type { ShopClient, ShopOptions } from './connect.ts';
export { NotBackroom, Unreachable } from './errors.ts';
export type { Retries } from './retries.ts';
export type { StreamMessage } from './streams.ts';
