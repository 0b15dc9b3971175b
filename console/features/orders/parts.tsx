import type { OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import { ordersText as t } from '../../texts/orders.ts';
import { Lifecycle, type Stage, Status } from '../../ui/status.tsx';

const stages: Record<OrderStatus, Stage> = {
  pending: 'empty',
  processing: 'half',
  shipped: 'three',
  delivered: 'full',
  cancelled: 'barred',
};
const paid: Record<Exclude<PaymentStatus, 'failed'>, Stage> = { none: 'empty', pending: 'empty', paid: 'full', refunded: 'barred' };

export function OrderStage({ status }: { status: OrderStatus }) {
  return <Lifecycle stage={stages[status]}>{t.status[status]}</Lifecycle>;
}

/** A failed payment is the exception, and has the colour of one. `names`: longer ones, where no head says that it is the payment. */
export function PaymentStage({ status, names = t.payment }: { status: PaymentStatus; names?: Record<PaymentStatus, string> }) {
  if (status === 'failed') return <Status tone="fail">{names.failed}</Status>;
  return <Lifecycle stage={paid[status]}>{names[status]}</Lifecycle>;
}
