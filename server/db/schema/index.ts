import type { Statement } from '../dialect.ts';
import { access } from './access.ts';
import { admins } from './admins.ts';
import { assistant } from './assistant.ts';
import { calls } from './calls.ts';
import { changes } from './changes.ts';
import { customers } from './customers.ts';
import { decisions, planRequests, policyChanges } from './decisions.ts';
import { files } from './files.ts';
import { gatheredStarts } from './gathered-starts.ts';
import { logs } from './logs.ts';
import { messages } from './messages.ts';
import { orderBuyers } from './order-buyers.ts';
import { orderCounts } from './order-counts.ts';
import { orderParts } from './order-parts.ts';
import { orderSums } from './order-sums.ts';
import { orders, ordersToSend } from './orders.ts';
import { pages } from './pages.ts';
import { products } from './products.ts';
import { runs } from './runs.ts';
import { shipments } from './shipments.ts';
import { shop } from './shop.ts';
import { starts } from './starts.ts';
import { store } from './store.ts';
import { subscriptions } from './subscriptions.ts';
import { tasks } from './tasks.ts';
import { undo } from './undo.ts';
import { statementOf } from './upkeep.ts';

/** What the triggers on orders keep. */
export const orderUpkeeps = [orderCounts, orderSums, orderParts, orderBuyers];

/**
 * The whole schema of today: what a new store is made of, in the order of creation. The SQL is SQLite's; `dialect.ts` translates it for
 * PostgreSQL. A migration brings older stores to the same schema.
 */
export const schema: readonly Statement[] = [
  ...store,
  ...admins,
  ...logs,
  ...shop,
  ...products,
  ...customers,
  ...orders,
  ...files,
  ...shipments,
  ...subscriptions,
  ...pages,
  ...access,
  ...messages,
  ...decisions,
  ...policyChanges,
  ...tasks,
  ...runs,
  ...planRequests,
  ...calls,
  ...undo,
  ...starts,
  ...gatheredStarts,
  ...assistant,
  ...orderUpkeeps.map(statementOf),
  ...changes,
  ...ordersToSend,
];
