import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Payments',
  notManual: (provider: string) =>
    provider === ''
      ? 'Nothing is to be paid by hand for this order, so it has no records of payments.'
      : `This order is paid through ${provider}. Payments are recorded only for orders that are paid by hand.`,
  none: 'No payment is recorded yet.',
  paidWithoutRecords:
    'This order was created as paid, without a record. The first record below the total makes it pending, until the records reach the total.',
  progress: 'Progress',
  total: 'Total',
  paid: 'Paid',
  open: 'Still open',
  tooMuch: 'Paid too much',
  paidOn: 'paid',
  notPaid: 'not paid yet',
  markPaid: 'Mark paid',
  markUnpaid: 'Mark unpaid',
  edit: 'Edit',
  up: (label: string) => `Move ${label} up`,
  down: (label: string) => `Move ${label} down`,
  acts: (label: string) => `Payment ${label}`,
  add: 'Add a payment',
  addSubmit: 'Add',
  save: 'Save payment',
  label: 'Label',
  labelHint: 'Such as deposit, bank transfer, cash',
  amount: 'Amount',
  isPaid: 'It is paid',
  note: 'Note',
  deleteTitle: (label: string) => `Delete the payment "${label}"?`,
  deleteDetail: (money: string) => `${money}. The payment status of the order is computed anew. This cannot be undone.`,
} as const;

export type PaymentsText = Words<typeof english>;
export const paymentsText = translated('orderPayments', english);
