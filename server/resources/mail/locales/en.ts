import type { Phrases } from './phrases.ts';

export const en: Phrases = {
  hello: 'Hello {name},',
  helloUnnamed: 'Hello,',
  bye: 'Kind regards\n{shop}',
  order_confirmation: {
    subject: 'Your order {order} at {shop}',
    intro: 'Thank you for your order. This is what we have noted:',
  },
  order_updated: {
    subject: 'Your order {order} at {shop} was changed',
    intro: 'Your order was changed. This is how it stands now:',
    totalBefore: 'Total before the change',
  },
  order_placed: {
    subject: 'New order {order} at {shop}',
    intro: 'An order was placed:',
    by: 'Ordered by',
  },
  inquiry_received: {
    subject: 'New inquiry at {shop}',
    intro: 'Somebody asks:',
    from: 'From',
    about: 'Subject',
  },
  inquiry_answer: {
    subject: 'Your inquiry at {shop}',
    question: 'You asked:',
  },
  task_run_failed: {
    subject: 'Task "{task}" of {shop} failed',
    intro: 'A run of a task ended without success:',
  },
  task_run_interrupted: {
    subject: 'Task "{task}" of {shop} was interrupted',
    intro: 'A run of a task was interrupted:',
  },
  task_run_stuck: {
    subject: 'Task "{task}" of {shop} may be stuck',
    intro: 'A run of a task is running, but gives no sign of progress:',
  },
  task_paused: {
    subject: 'Task "{task}" of {shop} was paused',
    intro: 'The new version of a task did worse than the one before it. The task starts no runs until somebody decides:',
  },
  task_missed: {
    subject: 'Task "{task}" of {shop} did not start',
    intro: 'A task did not start when it should have:',
  },
  task_news: { task: 'Task', times: 'Times since the last mail', run: 'Latest run', reason: 'Reason' },
  set_password: {
    subject: 'Your account at {shop}',
    intro: 'We have made an account at {shop} for your address {address}.',
    choose: 'It has no password yet. To choose one, ask for a new password on our login page with this address.',
    ignore: 'If you did not ask for an account, you need not do anything.',
  },
  admin_invitation: {
    subject: '{by} invites you to {shop}',
    intro: '{by} invites you to work in the back office of {shop}. Open this link to join:',
    once: 'It works once, until {until}.',
    ignore: 'If you did not expect this, you need not do anything.',
  },
  sign_in_link: {
    subject: 'Your link to sign in at {shop}',
    intro: 'Open this link to sign in to the back office of {shop}. It works once, within {minutes} minutes:',
    ignore: 'If you did not ask for it, you need not do anything: nobody can sign in without this mail.',
  },
  unsubscribe: {
    link: 'You no longer want such mails? Unsubscribe here:',
    question: 'Do you no longer want news and offers from {shop} by mail?',
    button: 'Unsubscribe',
    done: 'You get no more news and offers from {shop}.',
    unknown: 'This link is not valid any more.',
  },
  orderNumber: 'Order number',
  deliveryDate: 'Expected delivery',
  pickUpAt: 'Pick up at',
  shippedTo: 'Delivery address',
  notes: 'Your notes',
  subtotal: 'Subtotal',
  discount: 'Discount',
  shipping: 'Shipping',
  tax: 'Tax',
  taxIncluded: 'Tax included',
  total: 'Total',
};
