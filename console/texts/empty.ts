import { translated, type Words } from '../language/translated.ts';

/** Beneath what would be in a list that is empty: one example of it. */
const english = {
  orders: 'For example: two tins of tea for Anna, paid by transfer, to be sent on Friday.',
  products: 'For example: a kettle in three colours, each with its own stock.',
  customers: 'For example: Anna, with her two addresses and a note on how she likes her parcels.',
  inquiries: 'For example: “Do you deliver to Ireland?”, answered here and by mail.',
  subscriptions: 'For example: a box of tea each month, until it is cancelled.',
  pages: 'For example: “About us”, or how returns work.',
  themes: 'For example: the look of the shop before Christmas, prepared beside the one that is shown.',
  accessGroups: 'For example: “Course members”, who may read the pages and load the files of the course.',
  media: 'For example: the photo of a kettle, for its product and for a page.',
  files: 'For example: a guide as PDF, which whoever buys it can download.',
  vouchers: 'For example: SPRING10, ten per cent off until the end of May.',
  discountGroups: 'For example: “Cafés”, who pay 15 per cent less.',
  pickupLocations: 'For example: the shop in the Main Street, open until six.',
  shippingMethods: 'For example: “Standard”, 4.90 within the country, free above 60.',
  orderStatuses: 'For example: “Waits for the engraver”.',
  taxRates: 'For example: 20 per cent for most goods, 10 for books.',
  secrets: 'For example: the key of the service that prints your labels.',
  variables: 'For example: the number of days after which an unpaid order is cancelled.',
  tasks: 'For example: cancel orders that were not paid for a week, each morning at six.',
  runs: 'For example: “Cancel unpaid orders” at six this morning, 21 orders cancelled.',
  schedules: 'For example: every weekday at 6:00.',
  triggers: 'For example: whenever an order is placed.',
  hooks: 'For example: your stock system calls it when goods have arrived.',
  errors: 'For example: “Order 4711 has no address”, 12 runs since Tuesday, in versions 3 and 4.',
  approvals: 'For example: a colleague’s new version of a task, or a question that a run asks.',
  notifications: 'For example: a task that failed, or a comment that names you.',
  log: 'For example: the server was started.',
  audit: 'For example: Anna changed the price of a kettle from 35 to 39.',
  mails: 'For example: the confirmation of an order.',
  deliveries: 'For example: that an order was placed, told to your bookkeeping.',
  webhooks: 'For example: your bookkeeping, which is told of each payment.',
  people: 'For example: a colleague who packs parcels and sees orders alone.',
  roles: 'For example: a front desk that sees orders and answers inquiries.',
  tokens: 'For example: one for the program that reads your orders at night.',
  agents: 'For example: Claude, which looks for what sells badly and proposes a task.',
} as const;

export type EmptyText = Words<typeof english>;
export const emptyText = translated('empty', english);
