import { counted, countText, isOne } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Customers',
  count: (total: number) => counted(total, 'customer', 'customers'),
  search: 'Name or email',
  accounts: { all: 'All', with: 'With an account', without: 'Guests' },
  guest: 'guest',
  removed: 'Deleted customer',
  columns: { name: 'Name', email: 'Email', phone: 'Phone', since: 'Since' },
  filters: { account: 'Account', from: 'Since', to: 'Until' },
  bulk: {
    grant: 'Give access…',
    grantTitle: (count: string, raw: number) => `Give ${count} ${isOne(raw) ? 'customer' : 'customers'} access`,
    group: 'Access group',
    choose: 'Choose …',
    until: 'Until (empty: for good)',
    note: 'Why',
    give: 'Give access',
    done: {
      grant: (count: string, raw: number) => `${count} ${isOne(raw) ? 'customer has' : 'customers have'} access now.`,
      discount: (count: string, raw: number) =>
        `${count} ${isOne(raw) ? 'customer has' : 'customers have'} the discount now that was chosen.`,
      credits: (count: string, raw: number) => `The credits of ${count} ${isOne(raw) ? 'customer' : 'customers'} were adjusted.`,
    },
    preview: 'Show what happens',
    discount: 'Discount group…',
    discountTitle: (count: string, raw: number) => `Discount group of ${count} ${isOne(raw) ? 'customer' : 'customers'}`,
    giveGroup: (count: string, raw: number, name: string) =>
      `Give ${count} ${isOne(raw) ? 'customer' : 'customers'} the discount group ${name}?`,
    takeGroup: (count: string, raw: number) =>
      `Take ${count} ${isOne(raw) ? 'customer' : 'customers'} out of ${isOne(raw) ? 'its' : 'their'} discount group?`,
    giveGroupAct: 'Give the discount group',
    takeGroupAct: 'Take the discount group away',
    credits: 'Credits…',
    creditsTitle: (count: string, raw: number) => `Adjust the credits of ${count} ${isOne(raw) ? 'customer' : 'customers'}`,
    giveCredits: (count: string, raw: number, each: string) =>
      isOne(raw) ? `Give ${count} customer ${each} credits?` : `Give ${count} customers ${each} credits each?`,
    takeCredits: (count: string, raw: number, each: string) =>
      isOne(raw) ? `Take ${each} credits from ${count} customer?` : `Take ${each} credits from each of ${count} customers?`,
    giveCreditsAct: 'Give the credits',
    takeCreditsAct: 'Take the credits',
    worth: (money: string) => `All of it is worth ${money}.`,
    nothing: 'Nothing would change',
    effects: {
      other_group: (count: string, raw: number) => `${count} ${isOne(raw) ? 'leaves' : 'leave'} another discount group.`,
      new_businesses: (count: string, raw: number) =>
        `${count} ${isOne(raw) ? 'becomes a business customer' : 'become business customers'}.`,
      insufficient: (count: string, raw: number) =>
        `${count} ${isOne(raw) ? 'has fewer credits and keeps' : 'have fewer credits and keep'} them.`,
      unchanged: (count: string, raw: number) => `${count} ${isOne(raw) ? 'has' : 'have'} it so already.`,
      deleted: (count: string, raw: number) =>
        `${count} ${isOne(raw) ? 'was deleted and stays' : 'were deleted and stay'} as ${isOne(raw) ? 'it is' : 'they are'}.`,
      missing: (count: string, raw: number) => `${count} ${isOne(raw) ? 'does' : 'do'} not exist any more.`,
    },
    codes: {
      customer_not_found: 'does not exist any more',
      customer_deleted: 'was deleted',
      insufficient_credit: 'has fewer credits',
    } as Record<string, string>,
  },
  empty: 'The shop has no customers yet. They come with their first order, or are added here.',
  create: 'New customer',
  add: 'Add',
  edit: 'Edit',
  back: 'All customers',
  since: (at: string) => `customer since ${at}`,
  anonymised: (at: string) => `The personal data of this customer was deleted on ${at}.`,
  details: 'Details',
  business: 'Business',
  fields: {
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    registered: 'Has an account in the shop',
    marketing_opt_out: 'Wants no marketing mails',
    is_b2b: 'Is a business',
    discount_group_id: 'Discount group',
  },
  facts: { spent: 'Spent in all', registerIp: 'Registered from', loginIp: 'Last signed in from' },
  noGroup: 'No discount',
  group: (name: string, percent: string) => `${name}, ${percent}`,
  groupHint: 'Taken off each price of the customer’s next orders.',
  remove: {
    act: 'Delete…',
    gone: 'Addresses, notes, files and mails are deleted for good. Name, email and phone are removed everywhere, also from the logs.',
    ordersStay: (count: number) =>
      `${count === 1 ? 'One order stays' : `${countText(count)} orders stay`} without personal data, so that sums still add up.`,
    recordsStay: 'Orders, subscriptions and inquiries that refer to the customer stay without personal data.',
    subscriptions: (count: number) =>
      `${count === 1 ? 'A subscription is active. It goes on and is charged' : `${countText(count)} subscriptions are active. They go on and are charged`}: cancel first.`,
    showSubscriptions: 'Show',
  },
  orders: {
    title: 'Orders',
    none: 'The customer has ordered nothing yet.',
    all: (count: number) => `All ${countText(count)}`,
    count: (count: number) => (count === 1 ? 'One order' : `${countText(count)} orders`),
  },
  addresses: {
    title: 'Addresses',
    none: 'There is no address yet.',
    one: 'Address',
    gone: 'This address does not exist any more.',
    create: 'New address',
    edit: (address: string) => `Edit: ${address}`,
    default: 'default',
    types: { shipping: 'Delivery', billing: 'Invoice' } as Record<string, string>,
    fields: {
      address_type: 'For',
      label: 'Label',
      line1: 'Street and number',
      line2: 'Further line',
      postal_code: 'Postal code',
      city: 'City',
      state: 'State or county',
      country: 'Country',
      is_default: 'Use it unless another one is chosen',
    },
  },
  files: { title: 'Files', none: 'There is no file yet.', create: 'New file', note: 'Note' },
  credits: {
    title: 'Credits',
    balance: (shown: string, credits: number) => `${shown} ${credits === 1 ? 'credit' : 'credits'}`,
    worth: (money: string) => `worth ${money}`,
    until: (count: string, at: string) => `${count} until ${at}`,
    forever: (count: string) => `${count} without an end`,
    ledger: 'Changes',
    kinds: { manual_grant: 'Granted', deduct: 'Deducted', expire: 'Expired' },
    adjust: 'Adjust',
    delta: 'Credits',
    deltaHint: '50 grants, -50 deducts.',
    days: 'Ends in days',
    daysHint: 'Empty: never.',
    note: 'Note',
  },
  access: {
    title: 'Access',
    none: 'The customer is in no access group.',
    revokeTitle: (name: string) => `Revoke the access to ${name}?`,
  },
} as const;

export type CustomersText = Words<typeof english>;
export const customersText = translated('customers', english);
