import type { Inquiry } from '../../../contract/inquiries.ts';
import { moneyFormat } from '../../../contract/money.ts';
import type { OrderDetail } from '../../../contract/orders.ts';
import { phrasesFor } from './locales/index.ts';
import type { Phrases } from './locales/phrases.ts';

/** What of an order the writing of a mail needs: never what is internal. */
type MailedOrder = Pick<
  OrderDetail,
  | (
      | 'id'
      | 'public_id'
      | 'customer_id'
      | 'customer_name'
      | 'customer_email'
      | 'currency'
      | 'items'
      | 'notes'
      | 'delivery_date'
      | 'pickup_location_name'
    )
  | ('shipping_line1' | 'shipping_line2' | 'shipping_city' | 'shipping_state' | 'shipping_postal_code' | 'shipping_country')
  | ('shipping_method' | 'shipping_cost' | 'subtotal' | 'discount_amount' | 'tax_amount' | 'prices_include_tax' | 'total')
>;

/** The data that each template needs. */
export type MailData = {
  order_confirmation: { order: MailedOrder };
  order_updated: { order: MailedOrder; total_before_cents: number };
  set_password: { customer_id: number };
  order_placed: { order: MailedOrder };
  inquiry_received: { inquiry: Inquiry };
  inquiry_answer: { inquiry: Inquiry; answer: string };
  task_run_failed: TaskNotice;
  task_run_interrupted: TaskNotice;
  task_run_stuck: TaskNotice;
  task_paused: TaskNotice;
  task_missed: TaskNotice;
  /** `until`: a date. */
  admin_invitation: { link: string; by: string; until: string };
  sign_in_link: { link: string; minutes: string };
};
/** What happened to a task, `count` times since the last mail; the other fields are of the latest time. */
export type TaskNotice = { task: string; run_id: number | null; reason: string | null; count: number };
export type Template = keyof MailData;
export type MailToWrite = { [T in Template]: { template: T; to: Recipient; data: MailData[T] } }[Template];
export type Recipient = { name: string; email: string };

type Shop = { shop_name: string; locale: string; currency_exponent: number };

/** A mail consists of paragraphs and tables; its plain text and its HTML are both made from these. */
type Block = string | { rows: (readonly [label: string, value: string])[] };
export type Content = { subject: string; text: string; html: string };

/** Writes a mail in the shop's language. */
export function writeMail(mail: MailToWrite, shop: Shop): Content {
  const phrases = phrasesFor(shop.locale);
  const values = { shop: shop.shop_name, name: mail.to.name, address: mail.to.email };
  const order = 'order' in mail.data ? mail.data.order.public_id : '';
  const task = 'task' in mail.data ? mail.data.task : '';
  const ofLink = 'link' in mail.data ? mail.data : {};
  const until = 'until' in mail.data ? { until: longDate(mail.data.until, shop.locale) } : {};
  const times = 'count' in mail.data && mail.data.count > 1 ? ` (× ${mail.data.count})` : '';
  const say = (phrase: string): string => fill(phrase, { ...values, order, task, ...ofLink, ...until });
  const blocks = [say(mail.to.name === '' ? phrases.helloUnnamed : phrases.hello), ...blocksOf(mail, phrases, shop, say), say(phrases.bye)];
  return { subject: `${say(phrases[mail.template].subject)}${times}`.replaceAll(/\s+/g, ' '), text: asText(blocks), html: asHtml(blocks) };
}

function blocksOf(mail: MailToWrite, phrases: Phrases, shop: Shop, say: (phrase: string) => string): Block[] {
  switch (mail.template) {
    case 'order_confirmation':
      return [say(phrases.order_confirmation.intro), ...orderBlocks(mail.data.order, phrases, shop)];
    case 'order_updated': {
      const before: readonly [string, string] = [
        phrases.order_updated.totalBefore,
        moneyOf(mail.data.order, shop)(mail.data.total_before_cents),
      ];
      return [say(phrases.order_updated.intro), ...orderBlocks(mail.data.order, phrases, shop), { rows: [before] }];
    }
    case 'order_placed':
      return [
        phrases.order_placed.intro,
        { rows: [[phrases.order_placed.by, personOf(mail.data.order.customer_name, mail.data.order.customer_email)]] },
        ...orderBlocks(mail.data.order, phrases, shop),
      ];
    case 'inquiry_received': {
      const { name, email, subject, body } = mail.data.inquiry;
      const { intro, from, about } = phrases.inquiry_received;
      return [intro, { rows: [[from, personOf(name, email)], ...(subject === '' ? [] : [[about, subject] as const])] }, body];
    }
    case 'inquiry_answer':
      return [mail.data.answer, phrases.inquiry_answer.question, mail.data.inquiry.body];
    case 'task_run_failed':
    case 'task_run_interrupted':
    case 'task_run_stuck':
    case 'task_paused':
    case 'task_missed':
      return [phrases[mail.template].intro, { rows: rowsOfNews(mail.data, phrases) }];
    case 'admin_invitation':
      return [say(phrases.admin_invitation.intro), mail.data.link, say(phrases.admin_invitation.once), phrases.admin_invitation.ignore];
    case 'sign_in_link':
      return [say(phrases.sign_in_link.intro), mail.data.link, phrases.sign_in_link.ignore];
    case 'set_password':
      return [say(phrases.set_password.intro), say(phrases.set_password.choose), say(phrases.set_password.ignore)];
  }
}

function rowsOfNews({ task, run_id, reason, count }: TaskNotice, { task_news: words }: Phrases): (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [[words.task, task]];
  if (count > 1) rows.push([words.times, String(count)]);
  if (run_id !== null) rows.push([words.run, String(run_id)]);
  if (reason !== null) rows.push([words.reason, reason]);
  return rows;
}

function personOf(name: string, email: string): string {
  return email === '' ? name : `${name} <${email}>`.trim();
}

function orderBlocks(order: MailedOrder, phrases: Phrases, shop: Shop): Block[] {
  const money = moneyOf(order, shop);
  const items = order.items.map(
    (item) => [`${item.quantity} × ${[item.product_name, item.variant_label].filter(Boolean).join(', ')}`, money(item.subtotal)] as const,
  );
  const sums: (readonly [string, string])[] = [[phrases.subtotal, money(order.subtotal)]];
  if (order.discount_amount !== 0) sums.push([phrases.discount, money(-order.discount_amount)]);
  if (order.shipping_method !== '' || order.shipping_cost !== 0) sums.push([phrases.shipping, money(order.shipping_cost)]);
  if (!order.prices_include_tax) sums.push([phrases.tax, money(order.tax_amount)]);
  sums.push([phrases.total, money(order.total)]);
  if (order.prices_include_tax) sums.push([phrases.taxIncluded, money(order.tax_amount)]);
  return [{ rows: [[phrases.orderNumber, order.public_id], ...deliveryOf(order, phrases, shop)] }, { rows: items }, { rows: sums }];
}

function deliveryOf(order: MailedOrder, phrases: Phrases, { locale }: Shop): (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [];
  if (order.delivery_date !== null) rows.push([phrases.deliveryDate, longDate(order.delivery_date, locale)]);
  if (order.pickup_location_name !== null) rows.push([phrases.pickUpAt, order.pickup_location_name]);
  else if (order.shipping_line1 !== '') rows.push([phrases.shippedTo, addressOf(order)]);
  if (order.notes !== '') rows.push([phrases.notes, order.notes]);
  return rows;
}

function addressOf(order: MailedOrder): string {
  const town = [order.shipping_postal_code, order.shipping_city].filter(Boolean).join(' ');
  return [order.shipping_line1, order.shipping_line2, town, order.shipping_state, order.shipping_country].filter(Boolean).join(', ');
}

function moneyOf(order: MailedOrder, shop: Shop): (minor: number) => string {
  return moneyFormat({ locale: shop.locale, currency: order.currency, exponent: shop.currency_exponent });
}

function longDate(date: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00.000Z`));
}

function fill(phrase: string, values: Readonly<Record<string, string>>): string {
  return phrase.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function asText(blocks: readonly Block[]): string {
  const parts = blocks.map((block) =>
    typeof block === 'string' ? block : block.rows.map(([label, value]) => `${label}: ${value}`).join('\n'),
  );
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function asHtml(blocks: readonly Block[]): string {
  const parts = blocks.map((block) => {
    if (typeof block === 'string') return `<p>${escaped(block)}</p>`;
    const rows = block.rows.map(([label, value]) => `<tr><td>${escaped(label)}</td><td>${escaped(value)}</td></tr>`);
    return rows.length === 0 ? '' : `<table cellpadding="4">\n${rows.join('\n')}\n</table>`;
  });
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n${parts.filter(Boolean).join('\n')}\n</body></html>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character).replaceAll('\n', '<br>\n');
}
