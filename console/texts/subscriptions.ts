import { counted, countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Subscriptions',
  count: (total: number) => counted(total, 'subscription', 'subscriptions'),
  search: 'Customer, product or number',
  all: 'All',
  anyStatus: 'Any status',
  empty: 'There is no subscription yet. One begins with the order of a product that is a subscription.',
  status: {
    active: 'Active',
    trialing: 'On trial',
    past_due: 'Payment failed',
    unpaid: 'Unpaid',
    incomplete: 'First payment missing',
    incomplete_expired: 'Never paid',
    canceled: 'Cancelled',
  },
  ending: 'Ends with the period',
  columns: { number: 'Number', customer: 'Customer', product: 'Product', status: 'Status', until: 'Paid until', price: 'Price' },
  only: {
    customer: (id: number) => `Customer ${id}`,
    product: (id: number) => `Product ${id}`,
    order: (id: number) => `Order ${id}`,
  },
  dropOnly: {
    customer: 'Show those of all customers',
    product: 'Show those of all products',
    order: 'Show those of all orders',
  },
  every: (count: number, interval: 'day' | 'week' | 'month' | 'year') =>
    count === 1 ? `each ${interval}` : `every ${countText(count)} ${interval}s`,
  period: 'Period',
  policy: 'A cancellation ends it',
  policies: { immediate: 'at once', period_end: 'at the end of the period' },
  cycles: 'Ends by itself',
  after: (count: number) => `after ${counted(count, 'payment', 'payments')}`,
  unlimited: 'never',
  atProvider: 'At the payment provider',
  keep: 'Keep it',
  order: 'First order',
  began: 'Began',
  canceled: 'Cancelled',
  ended: 'Ended',
  cancel: 'Cancel the subscription…',
  cancelTitle: (customer: string) => `Cancel the subscription of ${customer}?`,
  cancelAtOnce: 'It ends at once, and the access that it gives ends with it. Nothing is paid back. This cannot be undone.',
  cancelThoughPaid: (at: string) =>
    `Its terms let a cancellation end it at the end of the period, but this one does not wait. It is paid until ${at}.`,
  cancelAtProvider: 'It is cancelled at the payment provider, too, and is not charged again.',
  cancelHereOnly: 'No payment provider is set up on this server: there it goes on, and is charged, until it is cancelled there as well.',
  invoices: 'Invoices',
  noInvoices: 'There is no invoice yet.',
  openInvoice: 'Open the invoice',
  invoiceStatus: { draft: 'draft', open: 'open', paid: 'paid', void: 'void', uncollectible: 'given up' } as Record<string, string>,
} as const;

export type SubscriptionsText = Words<typeof english>;
export const subscriptionsText = translated('subscriptions', english);
