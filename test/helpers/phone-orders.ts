import type { PhoneOrderPayload, PreviewLine } from '../../contract/order-edits.ts';
import type { OrderItem } from '../../contract/orders.ts';
import type { TestApp } from './app.ts';

let made = 0;

/** The body of a phone order by a walk-in buyer who takes the goods along; `values` replace the defaults. */
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

/** A line of an order in the form that previews have. */
export function previewed({ product_sku: _, tax_rate: __, custom_fields: ___, ...shown }: OrderItem): PreviewLine {
  return shown;
}

/** Requests that many tests of orders need. */
export function ordersAt(app: () => TestApp) {
  return {
    stockOf: async (variantId: number) => (await app().client.products.get_variant(variantId)).stock,
    create: async (payload: PhoneOrderPayload) => app().client.orders.get((await app().client.orders.create(payload)).id),
    mailsTo: (address: string) =>
      app().store.reader.selectFrom('mails').select(['template', 'text_body']).where('to_address', '=', address).orderBy('id').execute(),
  };
}
