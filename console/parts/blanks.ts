import { emptyText as t } from '../texts/empty.ts';
import type { Drawing } from '../ui/empty.tsx';

/** How each list looks while it is empty: its drawing, and an example of what would be there. */
export type Blank = { drawing: Drawing; example?: string };

export const blanks = {
  orders: { drawing: 'parcel', example: t.orders },
  products: { drawing: 'parcel', example: t.products },
  customers: { drawing: 'person', example: t.customers },
  inquiries: { drawing: 'talk', example: t.inquiries },
  subscriptions: { drawing: 'cycle', example: t.subscriptions },
  pages: { drawing: 'sheet', example: t.pages },
  themes: { drawing: 'look', example: t.themes },
  accessGroups: { drawing: 'key', example: t.accessGroups },
  media: { drawing: 'picture', example: t.media },
  files: { drawing: 'sheet', example: t.files },
  vouchers: { drawing: 'ticket', example: t.vouchers },
  discountGroups: { drawing: 'ticket', example: t.discountGroups },
  pickupLocations: { drawing: 'pin', example: t.pickupLocations },
  shippingMethods: { drawing: 'lorry', example: t.shippingMethods },
  orderStatuses: { drawing: 'label', example: t.orderStatuses },
  taxRates: { drawing: 'lines', example: t.taxRates },
  secrets: { drawing: 'lock', example: t.secrets },
  variables: { drawing: 'braces', example: t.variables },
  tasks: { drawing: 'flow', example: t.tasks },
  runs: { drawing: 'play', example: t.runs },
  schedules: { drawing: 'cycle', example: t.schedules },
  triggers: { drawing: 'flow', example: t.triggers },
  hooks: { drawing: 'plug', example: t.hooks },
  errors: { drawing: 'done', example: t.errors },
  approvals: { drawing: 'done', example: t.approvals },
  notifications: { drawing: 'bell', example: t.notifications },
  log: { drawing: 'lines', example: t.log },
  audit: { drawing: 'lines', example: t.audit },
  mails: { drawing: 'letter', example: t.mails },
  deliveries: { drawing: 'plug', example: t.deliveries },
  webhooks: { drawing: 'plug', example: t.webhooks },
  people: { drawing: 'person', example: t.people },
  roles: { drawing: 'key', example: t.roles },
  tokens: { drawing: 'key', example: t.tokens },
  agents: { drawing: 'plug', example: t.agents },
  /** The parts of a run: what they would hold depends on its script. */
  ofRun: { drawing: 'lines' },
} satisfies Record<string, Blank>;
