import type { PhoneOrderPayload } from '../../contract/order-edits.ts';

let made = 0;

/** A walk-in who takes the goods along; name what is other. */
export function phoneOrder(items: PhoneOrderPayload['items'], values: Partial<PhoneOrderPayload> = {}): PhoneOrderPayload {
  made += 1;
  return {
    customer: { name: `Buyer ${made}`, email: `buyer-${made}@example.com`, phone: '' },
    items,
    shipping: { kind: 'none' },
    payment_status: 'none',
    register_customer: false,
    send_confirmation_email: false,
    ...values,
  };
}

export const ghent = { line1: 'High St 1', city: 'Ghent', postal_code: '9000', country: 'BE' };
