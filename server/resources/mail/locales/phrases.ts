/** All texts of mails in one language; `{name}` stands for a value. A language that lacks a text does not compile. */
export type Phrases = {
  hello: string;
  helloUnnamed: string;
  bye: string;
  order_confirmation: { subject: string; intro: string };
  order_updated: { subject: string; intro: string; totalBefore: string };
  order_placed: { subject: string; intro: string; by: string };
  inquiry_received: { subject: string; intro: string; from: string; about: string };
  inquiry_answer: { subject: string; question: string };
  task_run_failed: { subject: string; intro: string };
  task_run_interrupted: { subject: string; intro: string };
  task_run_stuck: { subject: string; intro: string };
  task_missed: { subject: string; intro: string };
  task_news: { task: string; times: string; run: string; reason: string };
  set_password: { subject: string; intro: string; choose: string; ignore: string };
  unsubscribe: { link: string; question: string; button: string; done: string; unknown: string };
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
