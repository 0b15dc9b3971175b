/** All that a mail says, in one language; `{name}` stands for a value. A language is complete or does not compile. */
export type Phrases = {
  hello: string;
  helloUnnamed: string;
  bye: string;
  order_confirmation: { subject: string; intro: string };
  order_updated: { subject: string; intro: string; totalBefore: string };
  set_password: { subject: string; intro: string; choose: string; ignore: string };
  orderNumber: string;
  deliveryDate: string;
  pickUpAt: string;
  shippedTo: string;
  notes: string;
  subtotal: string;
  discount: string;
  shipping: string;
  tax: string;
  taxIncluded: string;
  total: string;
};
