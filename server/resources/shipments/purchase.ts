import { setTimeout as delay } from 'node:timers/promises';
import type { Shipment } from '../../../contract/shipments.ts';
import {
  type Courier,
  CourierRefused,
  type CourierSettings,
  type Label,
  type Offer,
  type Parcel,
  type Reference,
} from '../../providers/courier/courier.ts';
import type { Couriers } from '../../providers/courier/couriers.ts';
import { linesOf } from '../../providers/courier/label-pdf.ts';
import { manual } from '../../providers/courier/manual.ts';
import type { Ctx, Steps } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { changeOrder, lockOrder, touchOrder } from '../orders/domain.ts';
import { courierUnavailable, shipmentOf } from './domain.ts';
import * as store from './store.ts';

export type Purchase = {
  orderId: number;
  shipmentId: number;
  provider: string;
  settings: CourierSettings;
  reference: Reference;
  wanted: Offer;
  offers: readonly Offer[];
  /** An earlier attempt may have bought the label, so the courier is asked about it before anything is bought. */
  isRepeat: boolean;
};

type Outcome = { label: Label } | { refused: unknown } | { unknown: unknown };

/**
 * Buys a label. The status `purchasing` is stored before the courier is asked to sell, and replaced when the courier answers.
 * If the outcome is lost in between, it is found out by asking the courier for the shop's own key, under which it sells only
 * once (spec SH4).
 */
export async function buyLabel(
  couriers: Couriers,
  steps: Steps,
  { id: orderId, sid: shipmentId }: { id: number; sid: number },
  courierId: string,
): Promise<(ctx: Ctx) => Promise<Shipment>> {
  await loadFonts(steps, orderId, shipmentId);
  const purchase = await begin(() => steps.step((ctx) => beginPurchase(steps, ctx, orderId, shipmentId, courierId)));
  if (purchase === 'bought') return (ctx) => alreadyBought(ctx, orderId, shipmentId);
  const outcome = await buy(couriers, purchase);
  if ('unknown' in outcome)
    throw courierUnavailable(outcome.unknown, 'did not say whether the label was bought; the server will ask again');
  if ('refused' in outcome) {
    await steps.step((ctx) => abandonPurchase(ctx, purchase));
    throw courierUnavailable(outcome.refused, 'sold nothing');
  }
  const sold = soldOffer(purchase, outcome.label);
  if (sold.courier_id === courierId) return (ctx) => settlePurchase(ctx, purchase, outcome.label);
  await steps.step((ctx) => settlePurchase(ctx, purchase, outcome.label));
  throw new Refusal('label_already_purchased', `The label was bought earlier, from ${sold.courier_id}.`);
}

const WAIT_MS = 5000;
const LOOK_EVERY_MS = 100;

/** Begins a purchase. If a server is just settling what an earlier attempt of this same request began, this waits for the outcome. */
async function begin(attempt: () => Promise<Begun>): Promise<Exclude<Begun, 'being settled'>> {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const begun = await attempt();
    if (begun !== 'being settled') return begun;
    if (performance.now() > until)
      throw new Refusal(
        'idempotency_in_progress',
        'The purchase that this request began is being settled; repeat the request with the same key.',
      );
    await delay(LOOK_EVERY_MS);
  }
}

/** `bought`: this same request has bought the label before. */
type Begun = Purchase | 'bought' | 'being settled';

/** Sets the status to `purchasing` if the label is not bought, and holds a lease on the shipment while this call is under way. */
export async function beginPurchase(
  steps: Pick<Steps, 'scope' | 'hold'>,
  ctx: Ctx,
  orderId: number,
  shipmentId: number,
  courierId: string,
): Promise<Begun> {
  await lockOrder(ctx, orderId);
  const shipment = await shipmentOf(ctx, orderId, shipmentId);
  const { status, options, provider, provider_key: key } = shipment;
  if (status === 'created' || key === null) throw alreadyPurchased('The parcel was handed to its network; there is no label to buy.');
  const wanted = offerOf(options, courierId);
  const isOurs = steps.scope !== null && steps.scope === shipment.purchase_scope;
  if (status !== 'rates_fetched' && status !== 'purchasing') {
    if (isOurs) return 'bought';
    throw alreadyPurchased(`The label was bought from ${shipment.courier_id}.`);
  }
  if (status === 'rates_fetched' && provider === manual.name) await refuseLetters(ctx, shipment.parcel, wanted.courier_name);
  if (!(await steps.hold(ctx, `shipment/${shipmentId}`))) {
    if (isOurs) return 'being settled';
    throw alreadyPurchased('A purchase of this label is under way.');
  }
  const changes = {
    status: 'purchasing' as const,
    wanted_courier_id: courierId,
    purchase_scope: steps.scope,
    purchase_started_at: ctx.now,
  };
  await store.updateShipment(ctx.db, shipmentId, changes, ctx.now);
  const reference = { key, id: shipment.provider_shipment_id };
  const settings = ctx.settings.courier;
  return { orderId, shipmentId, provider, settings, reference, wanted, offers: options, isRepeat: status === 'purchasing' };
}

/** The shop prints this label itself. What its fonts lack is told before the label is bought, not by question marks on the parcel. */
async function refuseLetters({ services, settings }: Ctx, parcel: Parcel | null, courierName: string): Promise<void> {
  if (parcel === null) return;
  const missing = await services.labelFonts.missing([...textsOf(parcel), settings.shop_name, courierName]);
  if (missing.length === 0) return;
  const named = missing.slice(0, LETTERS_NAMED).join(' ') + (missing.length > LETTERS_NAMED ? ' …' : '');
  throw new Refusal(
    'label_letters_missing',
    `No font here can print these letters of the label: ${named}. Install a font that has them in a folder of LABEL_FONT_FOLDERS, name one in LABEL_FONT, or write the address in other letters.`,
    { extra: { letters: missing.slice(0, LETTERS_NAMED) } },
  );
}

/** Looks for fonts before the transaction that needs them: the first label in new letters reads files. */
async function loadFonts({ services }: Steps, orderId: number, shipmentId: number): Promise<void> {
  const shipment = await services.store.snapshot((db) => store.selectShipment(db, orderId, shipmentId));
  if (shipment?.provider === manual.name && shipment.parcel) await services.labelFonts.of(textsOf(shipment.parcel));
}

const textsOf = ({ to, from }: Parcel): string[] =>
  [to, ...(from ? [from] : [])].flatMap((address) => [...linesOf(address), address.phone]);

const LETTERS_NAMED = 40;

export function offerOf<T extends { courier_id: string }>(options: readonly T[], courierId: string): T {
  const wanted = options.find((option) => option.courier_id === courierId);
  if (wanted) return wanted;
  const offered = options.map((option) => option.courier_id).join(', ') || 'none';
  throw refuseValue('courier_not_offered', '/courier_id', `must be one of the couriers offered for this shipment: ${offered}`);
}

export function alreadyPurchased(detail: string): Refusal {
  return new Refusal('label_already_purchased', detail);
}

async function buy(couriers: Couriers, { provider, settings, reference, wanted, isRepeat }: Purchase): Promise<Outcome> {
  let courier: Courier;
  try {
    courier = await couriers.of(provider, settings);
    const bought = isRepeat ? await courier.find(reference) : null;
    if (bought) return { label: bought };
  } catch (cause) {
    return isRepeat ? { unknown: cause } : { refused: cause };
  }
  try {
    return { label: await courier.buy(reference, wanted) };
  } catch (cause) {
    // If this is a repeat, the courier may still be processing an earlier attempt's request, so a refusal does not mean that
    // nothing was bought.
    if (cause instanceof CourierRefused && !isRepeat) return { refused: cause };
    const bought = await courier.find(reference).catch(() => null);
    return bought ? { label: bought } : { unknown: cause };
  }
}

/** The offer that the courier says it sold; the wanted one if it does not say. */
function soldOffer({ offers, wanted }: Purchase, { rate_id: sold }: Label): Offer {
  return (sold === null ? undefined : offers.find(({ rate_id }) => rate_id === sold)) ?? wanted;
}

/** Ends a purchase that bought nothing; the offers are valid again. */
export async function abandonPurchase(ctx: Ctx, { orderId, shipmentId }: Purchase): Promise<void> {
  await lockOrder(ctx, orderId);
  const shipment = await store.selectShipment(ctx.db, orderId, shipmentId);
  if (shipment?.status !== 'purchasing') return;
  const changes = { status: 'rates_fetched' as const, wanted_courier_id: null, purchase_scope: null, purchase_started_at: null };
  await store.updateShipment(ctx.db, shipmentId, changes, ctx.now);
  ctx.audit({
    resource: { type: 'shipment', id: shipmentId },
    orderId,
    changes: {},
    summary: `Order ${orderId}: label of shipment ${shipmentId} was not bought`,
  });
}

/** Stores the label that was bought, with the price and courier name of the offer (spec SH3, SH5). */
export async function settlePurchase(ctx: Ctx, purchase: Purchase, label: Label): Promise<Shipment> {
  const { orderId, shipmentId, reference } = purchase;
  const order = await lockOrder(ctx, orderId);
  const before = await shipmentOf(ctx, orderId, shipmentId);
  if (before.status !== 'purchasing') return alreadyBought(ctx, orderId, shipmentId);
  const { courier_id, courier_name, cost } = soldOffer(purchase, label);
  const changes = {
    status: 'label_purchased' as const,
    courier_id,
    courier_name,
    cost_cents: cost,
    tracking_number: label.tracking_number,
    label_url: label.label_url ?? `/labels/${reference.key}.pdf`,
  };
  await store.updateShipment(ctx.db, shipmentId, changes, ctx.now);
  ctx.audit({
    resource: { type: 'shipment', id: shipmentId },
    orderId,
    changes: {
      status: ['rates_fetched', 'label_purchased'],
      courier_id: [null, courier_id],
      cost_cents: [null, cost],
      tracking_number: [null, label.tracking_number],
    },
    summary: `Order ${orderId}: label of shipment ${shipmentId} bought of ${courier_name} for ${cost}`,
  });
  ctx.emit({ type: 'shipment.label_purchased', data: { order_id: orderId, shipment_id: shipmentId, courier_id, cost_cents: cost } });
  if (order.tracking_number === '' && label.tracking_number !== '')
    await changeOrder(ctx, order, { tracking_number: label.tracking_number });
  else await touchOrder(ctx, orderId);
  return store.toWire({ ...before, ...changes });
}

async function alreadyBought(ctx: Ctx, orderId: number, shipmentId: number): Promise<Shipment> {
  const shipment = await shipmentOf(ctx, orderId, shipmentId);
  ctx.audit({
    resource: { type: 'shipment', id: shipmentId },
    orderId,
    changes: {},
    summary: `Order ${orderId}: label of shipment ${shipmentId} was bought before`,
  });
  return store.toWire(shipment);
}
