import type { Dashboard, Insights, Trends } from '../../../contract/dashboard.ts';
import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Db } from '../../db/open.ts';
import { attentionTimes } from '../../db/queries/order-needs.ts';
import { dayIn, nextDay, startOfDay, startsOfDays } from '../../values/dates.ts';
import type { Ctx } from '../../verbs/context.ts';
import { firstStepsFor } from './first-steps.ts';
import { daysUpTo, monthlyRevenue, monthOf, repeatRate } from './rules.ts';
import * as store from './store.ts';

const LISTED = 10;
/** A shop with so many orders is not new any more. */
const NO_LONGER_NEW = 10;

export async function getDashboard(ctx: Ctx): Promise<Dashboard> {
  const { db, settings } = ctx;
  const today = dayIn(ctx.now, settings.timezone);
  const [month, nextMonth] = monthOf(today);
  const figures = await store.selectFigures(db, {
    monthStart: startOfDay(month, settings.timezone),
    nextMonthStart: startOfDay(nextMonth, settings.timezone),
    threshold: settings.low_stock_threshold,
    ...attentionTimes(ctx.now, settings.timezone),
  });
  const states = await store.selectStateCounts(db);
  const byStatus = { pending: 0, processing: 0, shipped: 0, delivered: 0, cancelled: 0 };
  for (const { status, n } of states) byStatus[status] += n;
  const orders = states.reduce((sum, { n }) => sum + n, 0);
  return {
    total_orders: orders,
    total_revenue: figures.total_revenue,
    total_products: figures.total_products,
    recent_orders: await store.selectRecentOrders(db, { limit: LISTED }),
    low_stock_products: await store.selectLowStock(db, { threshold: settings.low_stock_threshold, limit: LISTED }),
    orders_by_status: byStatus,
    orders_needing_attention: figures.needing_attention,
    failed_payment_orders: states.reduce((sum, { payment_status, n }) => sum + (payment_status === 'failed' ? n : 0), 0),
    out_of_stock_count: figures.out_of_stock,
    low_stock_count: figures.low_stock,
    unanswered_inquiries: figures.unanswered_inquiries,
    total_customers: figures.total_customers,
    new_customers_this_month: figures.new_customers,
    first_steps: orders < NO_LONGER_NEW ? await firstStepsFor(ctx) : null,
  };
}

/** Figures for days in the shop's time zone. Yesterday's are always in the answer, even for `days` 1 (spec TR1). */
export async function getTrends(ctx: Ctx, { days, compare }: { days: number; compare: boolean }): Promise<Trends> {
  const {
    db,
    now,
    settings: { timezone },
  } = ctx;
  const today = dayIn(now, timezone);
  const dates = daysUpTo(today, Math.max(compare ? 2 * days : days, 2));
  const starts = startsOfDays([...dates, nextDay(today) ?? today], timezone);
  const spans = dates.map((date, i) => ({ date, start: starts[i] ?? '', before: starts[i + 1] ?? '' }));
  const figures = await store.selectDays(db, spans);
  const none = { revenue: 0, orders: 0 };
  const all = spans.map((span, i) => ({ span, figures: { date: span.date, ...(figures[i] ?? none) } }));
  const [shown, before] = [all.slice(-days), all.slice(-2 * days, -days)];
  return {
    ...(await periodOf(db, shown)),
    today: figures.at(-1) ?? none,
    yesterday: figures.at(-2) ?? none,
    previous: compare ? await periodOf(db, before) : null,
  };
}

type Day = { span: store.DaySpan; figures: Trends['daily'][number] };

/** Some days that follow one another, and what they come to. */
async function periodOf(db: Db, days: readonly Day[]) {
  const daily = days.map(({ figures }) => figures);
  const sum = (name: 'revenue' | 'orders'): number => daily.reduce((total, day) => total + day[name], 0);
  const new_customers = await store.countNewCustomers(db, { start: days[0]?.span.start ?? '', before: days.at(-1)?.span.before ?? '' });
  return { daily, totals: { revenue: sum('revenue'), orders: sum('orders'), new_customers } };
}

/** Figures of all time (spec IN1). Top products and customers count only orders that are paid and not cancelled. */
export async function getInsights({ db }: Ctx): Promise<Insights> {
  return {
    top_products: await store.selectTopProducts(db, { limit: LISTED }),
    top_customers: await store.selectTopCustomers(db, { limit: LISTED }),
    repeat_customer_rate: repeatRate(await store.countBuyers(db)),
    mrr: monthlyRevenue(await store.selectCharged(db)),
    recently_canceled: await store.selectCanceled(db, { limit: LISTED }),
  };
}

export async function countSubscriptions({ db }: Ctx): Promise<ResponseOf<Endpoints['dashboard.subscriptions']>> {
  const byStatus = { active: 0, past_due: 0, canceled: 0, incomplete: 0, incomplete_expired: 0, trialing: 0, unpaid: 0 };
  const counts = await store.countSubscriptions(db);
  for (const { status, n } of counts) byStatus[status] += n;
  return { total: counts.reduce((sum, { n }) => sum + n, 0), by_status: byStatus };
}
