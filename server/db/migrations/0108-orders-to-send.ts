export { ordersToSend as statements } from '../schema/orders.ts';
