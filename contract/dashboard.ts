import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { OrderStatus } from './orders.ts';
import type { SubscriptionStatus } from './subscriptions.ts';
import { CalendarDate, Cents, Id, Timestamp } from './values.ts';

/** Every status is listed, also with a count of 0 (spec DA1, DS1). */
const OrderCounts = z.object({
  pending: z.int(),
  processing: z.int(),
  shipped: z.int(),
  delivered: z.int(),
  cancelled: z.int(),
} satisfies Record<OrderStatus, z.ZodInt>);

const SubscriptionCounts = z.object({
  active: z.int(),
  past_due: z.int(),
  canceled: z.int(),
  incomplete: z.int(),
  incomplete_expired: z.int(),
  trialing: z.int(),
  unpaid: z.int(),
} satisfies Record<SubscriptionStatus, z.ZodInt>);

/** What a new shop still needs, in the order in which it is done. */
export const firstSteps = ['shop', 'product', 'courier', 'mail', 'passkey', 'person', 'task'] as const;
const FirstStep = z.object({
  step: z.enum(firstSteps).meta({
    description:
      '`shop`: it has a name of its own; `product`: there is one; `courier`: there is a sender, and the key of a courier that needs one; ' +
      '`mail`: there is a mail account; `passkey`: the caller has one; `person`: a second one is active or invited; `task`: there is one',
  }),
  done: z.boolean(),
});
export type FirstStep = z.infer<typeof FirstStep>;

export const Dashboard = z
  .object({
    total_orders: z.int(),
    total_revenue: Cents,
    total_products: z.int(),
    recent_orders: z.array(z.object({ id: Id, status: OrderStatus, customer_name: z.string(), total: Cents, created_at: Timestamp })),
    low_stock_products: z.array(z.object({ id: Id, name: z.string(), stock: z.int() })),
    orders_by_status: OrderCounts,
    orders_needing_attention: z.int(),
    failed_payment_orders: z.int(),
    out_of_stock_count: z.int(),
    low_stock_count: z.int(),
    unanswered_inquiries: z.int(),
    total_customers: z.int(),
    new_customers_this_month: z.int(),
    first_steps: z.array(FirstStep).nullable().meta({
      description: 'Of a shop with fewer than ten orders: what a new shop needs, as far as the calling admin may do it; otherwise null',
    }),
  })
  .meta({ id: 'Dashboard' });
export type Dashboard = z.infer<typeof Dashboard>;

const DayFigures = z.object({ revenue: Cents, orders: z.int() });

const Daily = z.array(z.object({ date: CalendarDate, revenue: Cents, orders: z.int() }));

const PeriodFigures = DayFigures.extend({ new_customers: z.int() });

export const Trends = z
  .object({
    daily: Daily,
    today: DayFigures,
    yesterday: DayFigures,
    totals: PeriodFigures.meta({ description: 'Of all days in `daily`' }),
    previous: z
      .object({ daily: Daily, totals: PeriodFigures })
      .nullable()
      .meta({ description: 'As many days before those in `daily`; null unless `compare` is true' }),
  })
  .meta({ id: 'Trends' });
export type Trends = z.infer<typeof Trends>;

export const Insights = z
  .object({
    top_products: z.array(z.object({ product_id: Id, name: z.string(), revenue: Cents, quantity: z.int() })),
    top_customers: z.array(z.object({ customer_id: Id, name: z.string(), email: z.string(), total_spent: Cents, order_count: z.int() })),
    repeat_customer_rate: z
      .number()
      .meta({ description: 'Customers with two or more orders divided by customers with at least one; from 0 to 1, four decimals' }),
    mrr: Cents,
    recently_canceled: z.array(z.object({ id: Id, public_id: z.string(), product_name: z.string(), canceled_at: Timestamp })),
  })
  .meta({ id: 'Insights' });
export type Insights = z.infer<typeof Insights>;

export const dashboardEndpoints = endpointsOf(
  {
    id: 'dashboard.get',
    method: 'GET',
    path: '/dashboard',
    summary: 'Get the key figures of the shop; test orders do not count',
    permission: 'admin_api.dashboard.read',
    response: Dashboard,
  },
  {
    id: 'dashboard.trends',
    method: 'GET',
    path: '/dashboard/trends',
    summary: 'Get revenue and orders by day, up to today',
    permission: 'admin_api.dashboard.read',
    query: z.object({
      days: z.int().min(1).max(90).default(30),
      compare: z.boolean().default(false).meta({ description: 'true: also the same number of days before' }),
    }),
    response: Trends,
  },
  {
    id: 'dashboard.insights',
    method: 'GET',
    path: '/dashboard/insights',
    summary: 'Get the best products and customers, the repeat rate and the recurring revenue',
    permission: 'admin_api.dashboard.read',
    response: Insights,
  },
  {
    id: 'dashboard.subscriptions',
    method: 'GET',
    path: '/dashboard/subscriptions',
    summary: 'Count subscriptions by status',
    permission: 'admin_api.dashboard.read',
    response: z.object({ total: z.int(), by_status: SubscriptionCounts }),
  },
);
