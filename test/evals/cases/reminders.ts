import { type EvalCase, usualTurns } from '../case.ts';

const mailing = ['admin_api.orders.read', 'mail_send'];
const notifying = (read: string): string[] => [`admin_api.${read}.read`, 'admin_api.notifications.write'];

export const reminderCases: readonly EvalCase[] = [
  {
    name: 'remind-failed-payments',
    topic: 'reminders',
    wish: 'Write a mail to everybody whose order is pending because the payment failed, with the subject "Your payment did not go through".',
    permissions: mailing,
    grants: { mail_to: ['customers'] },
    changes: ({ orders }) =>
      orders
        .filter(({ status, payment_status }) => status === 'pending' && payment_status === 'failed')
        .map(({ customer_email: to }) => ({ type: 'mail', id: null, after: { to, subject: 'Your payment did not go through' } })),
    turns: usualTurns({
      query: 'mail to customers, orders payment failed',
      source: `
export default async function main() {
  let mailed = 0;
  for await (const { id, public_id, customer_email, customer_name } of admin.orders.each({ status: 'pending', payment_status: 'failed' })) {
    await once(\`mail \${id}\`, () =>
      mail({
        to: customer_email,
        subject: 'Your payment did not go through',
        text: \`Hello \${customer_name},\\n\\nthe payment of your order \${public_id} failed. Please try again.\`,
      }),
    );
    mailed += 1;
  }
  return { mailed };
}
`,
      permissions: mailing,
      mail_to: ['customers'],
      says: 'Each customer whose payment failed gets one mail. Decide how often it runs: each run mails again.',
    }),
  },
  {
    name: 'notify-waiting-inquiries',
    topic: 'reminders',
    wish: 'Tell us in one notification how many inquiries nobody has answered yet, with their subjects.',
    permissions: notifying('inquiries'),
    changes: () => [{ type: 'notification', id: null, after: {} }],
    shows: ({ inquiries }) => inquiries.filter(({ answered_at }) => answered_at === null).map(({ subject }) => subject),
    turns: usualTurns({
      query: 'inquiries without answer, notification',
      source: `
export default async function main() {
  const subjects: string[] = [];
  for await (const { subject } of admin.inquiries.each({ answered: false })) subjects.push(subject);
  if (subjects.length > 0) await notify({ title: \`Inquiries without an answer: \${subjects.length}\`, body: subjects.join('\\n'), link: '/inquiries' });
  return { waiting: subjects.length, subjects };
}
`,
      permissions: notifying('inquiries'),
      says: 'One notification lists the inquiries that wait.',
    }),
  },
  {
    name: 'remind-unpaid-subscriptions',
    topic: 'reminders',
    wish: 'Customers whose subscription is unpaid or past due should get a mail with the subject "Please check your payment details".',
    permissions: ['admin_api.subscriptions.read', 'mail_send'],
    grants: { mail_to: ['customers'] },
    changes: ({ subscriptions }) => {
      const due = subscriptions.filter(({ status }) => status === 'unpaid' || status === 'past_due');
      return due.map(({ customer_email: to }) => ({ type: 'mail', id: null, after: { to, subject: 'Please check your payment details' } }));
    },
    // A tool that there is not.
    turns: [
      { text: 'I look them up.', calls: [{ name: 'run_sql', input: { query: 'select * from subscriptions' } }] },
      ...usualTurns({
        query: 'subscriptions status',
        source: `
export default async function main() {
  let mailed = 0;
  for (const status of ['unpaid', 'past_due'] as const) {
    for await (const { id, customer_email, product_name } of admin.subscriptions.each({ status })) {
      const text = \`The last payment of your subscription to \${product_name} failed. Please check your payment details.\`;
      await once(\`mail \${id}\`, () => mail({ to: customer_email, subject: 'Please check your payment details', text }));
      mailed += 1;
    }
  }
  return { mailed };
}
`,
        permissions: ['admin_api.subscriptions.read', 'mail_send'],
        mail_to: ['customers'],
        says: 'Each customer with an unpaid subscription gets a mail.',
      }),
    ],
  },
  {
    name: 'notify-sold-out',
    topic: 'reminders',
    wish: 'Send the admins one notification that lists the SKUs of active products whose tracked stock is zero.',
    permissions: notifying('products'),
    changes: () => [{ type: 'notification', id: null, after: {} }],
    shows: ({ products }) =>
      products
        .filter(({ status }) => status === 'active')
        .flatMap(({ variants }) => variants.filter(({ active, track_stock, stock }) => active && track_stock && stock <= 0))
        .map(({ sku }) => sku),
    turns: usualTurns({
      query: 'products stock',
      source: `
export default async function main() {
  const skus: string[] = [];
  for await (const { variants } of admin.products.each({ status: 'active' }))
    for (const { sku, active, track_stock, stock } of variants) if (active && track_stock && stock <= 0) skus.push(sku);
  if (skus.length > 0) await notify({ title: \`Sold out: \${skus.length}\`, body: skus.join(', '), severity: 'warning' });
  return { skus };
}
`,
      permissions: notifying('products'),
      says: 'One notification lists what is sold out.',
    }),
  },
];
