import type { OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import { ordersText as t } from '../../texts/orders.ts';
import { TextField } from '../../ui/field.tsx';
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

/** A failed payment is the exception, and has the colour of one. */
export function PaymentStage({ status }: { status: PaymentStatus }) {
  if (status === 'failed') return <Status tone="fail">{t.payment.failed}</Status>;
  return <Lifecycle stage={paid[status]}>{t.payment[status]}</Lifecycle>;
}

type CountryProps = {
  label: string;
  hint: string;
  pointer: string;
  value: string;
  error: string | undefined;
  onValue(value: string): void;
};

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** A country by its two letters; what they stand for is shown beneath. */
export function CountryField({ hint, value, onValue, ...rest }: CountryProps) {
  return (
    <TextField
      {...rest}
      value={value}
      hint={countryName(value) ?? hint}
      maxLength={2}
      autoComplete="country"
      onValue={(typed) => onValue(typed.toUpperCase())}
    />
  );
}

export function countryName(code: string): string | undefined {
  return /^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined;
}
