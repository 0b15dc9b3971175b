import { counted } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

/** What a change of an order's status does, before it is done. */
const english = {
  cancelTitle: (count: number, shown: string) => (count === 1 ? 'Cancel this order?' : `Cancel ${shown} orders?`),
  cancelAct: (count: number, shown: string) => (count === 1 ? 'Cancel the order' : `Cancel ${shown} orders`),
  deliverTitle: 'Set the order to Delivered?',
  deliverAct: 'Set it to Delivered',
  keep: (count: number) => (count === 1 ? 'Keep it' : 'Keep them'),
  pieces: (count: number) => `${counted(count, 'piece comes', 'pieces come')} back into stock.`,
  noPieces: 'Nothing comes back into stock.',
  sent: (count: number) => `${counted(count, 'was', 'were')} sent already: ${count === 1 ? 'its' : 'their'} stock does not come back.`,
  vouchers: (count: number) => `The voucher of ${counted(count, 'order', 'orders')} can be used again.`,
  paid: (count: number) => `${counted(count, 'is', 'are')} paid, wholly or in part: no money goes back by this.`,
  paidOfOne: (money: string) => `${money} was paid for it: no money goes back by this.`,
  labels: (count: number) =>
    `${counted(count, 'bought label stays', 'bought labels stay')} bought. Remove the shipment to ask for the money.`,
  downloads: (count: number) => `${counted(count, 'download link ends', 'download links end')}.`,
  accesses: (count: number) => `${counted(count, 'access to a group ends', 'accesses to groups end')}.`,
  newDownloads: (count: number) =>
    `${counted(count, 'download link goes', 'download links go')} to the buyers; to set the status back does not end them.`,
  noMail: (count: number) => `The shop sends the ${count === 1 ? 'customer' : 'customers'} no mail about it.`,
  tasks: (count: number) => `${counted(count, 'task listens', 'tasks listen')} to this and may start.`,
  reopening: 'To open it again takes stock and voucher anew, if they are still there.',
  already: (count: number, status: string) => `${counted(count, 'is', 'are')} ${status.toLowerCase()} already.`,
  wasAlready: (count: number, status: string) => `${counted(count, 'order was', 'orders were')} ${status.toLowerCase()} already.`,
  undone: (count: number) => `Taken back: ${counted(count, 'order has its', 'orders have their')} earlier status again.`,
  notUndone: (count: number) =>
    counted(count, 'order was changed since and stays as it is.', 'orders were changed since and stay as they are.'),
  notUndoneFor: (count: number, why: string) => `${counted(count, 'order stays as it is', 'orders stay as they are')}: ${why}.`,
} as const;

export type OrderStatusText = Words<typeof english>;
export const orderStatusText = translated('orderStatus', english);
