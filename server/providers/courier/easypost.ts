import { z } from 'zod';
import type { ShipmentStatus, TrackingEvent } from '../../../contract/shipments.ts';
import { loadOptional } from '../../process/optional-package.ts';
import { requestIdHeader } from '../../process/request-id.ts';
import { outgoingSpan } from '../outgoing-span.ts';
import { redact, redactCause } from '../redaction.ts';
import {
  type Address,
  type Content,
  type Courier,
  CourierRefused,
  CourierUnavailable,
  type Label,
  type Offer,
  type Parcel,
  type Reference,
} from './courier.ts';

export type EasypostOptions = { apiKey: string; baseUrl: string; timeoutMs: number };

/** The parts of EasyPost's answers that we read (docs.easypost.com: Shipment, Rate, Tracker); other fields are ignored. */
const Rate = z.object({
  id: z.string(),
  carrier: z.string(),
  service: z.string(),
  rate: z.string(),
  currency: z.string().nullish(),
  delivery_days: z.number().nullish(),
  est_delivery_days: z.number().nullish(),
});
const TrackingDetail = z.object({
  message: z.string().nullish(),
  description: z.string().nullish(),
  status: z.string().nullish(),
  datetime: z.string(),
  tracking_location: z.object({ city: z.string().nullish(), state: z.string().nullish(), country: z.string().nullish() }).nullish(),
});
const Shipment = z.object({
  id: z.string(),
  rates: z.array(Rate).default([]),
  selected_rate: Rate.nullish(),
  tracking_code: z.string().nullish(),
  postage_label: z.object({ label_url: z.string().nullish(), label_pdf_url: z.string().nullish() }).nullish(),
  refund_status: z.string().nullish(),
  tracker: z.object({ status: z.string().nullish(), tracking_details: z.array(TrackingDetail).nullish() }).nullish(),
});
type Shipment = z.infer<typeof Shipment>;

/**
 * EasyPost through its own client. Our key is the shipment's `reference`, which the API accepts in place of an id. EasyPost sells one label
 * for each shipment, so buying again finds the first one.
 */
export async function openEasypost(options: EasypostOptions): Promise<Courier> {
  // The package's types describe its CommonJS file, but the import loads the ES module.
  const { default: Client } = (await loadOptional(
    { use: 'labels of EasyPost', name: '@easypost/api', refuse: CourierUnavailable },
    () => import('@easypost/api'),
  )) as unknown as { default: ClientClass };
  const client = new Client(options.apiKey, {
    baseUrl: `${options.baseUrl.replace(/\/+$/, '')}/`,
    requestMiddleware: (request: Request) => request.timeout({ deadline: options.timeoutMs }).redirects(0).set(requestIdHeader()),
  });

  const ask = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    outgoingSpan(`easypost ${operation}`, options.baseUrl, {}, () =>
      work().catch((error: unknown) => Promise.reject(classify(error, options.apiKey))),
    );
  const retrieve = async ({ key, id }: Reference): Promise<Shipment> =>
    ask('retrieve', async () => Shipment.parse(await client.Shipment.retrieve(id ?? key)));

  async function find(reference: Reference): Promise<Label | null> {
    try {
      return labelOf(await retrieve(reference));
    } catch (error) {
      if (isStatus(error, 404)) return null;
      throw error;
    }
  }

  return {
    name: 'easypost',
    async rates(key, parcel, contents) {
      const { from, to, weight_grams, currency, currency_exponent } = parcel;
      if (!from) throw new CourierRefused('the setting courier.sender, the address that parcels come from, is not set');
      const shipment = await ask('create', async () =>
        Shipment.parse(
          await client.Shipment.create({
            reference: key,
            from_address: addressOf(from),
            to_address: addressOf(to),
            parcel: { weight: ounces(weight_grams) },
            options: { currency },
            ...(from.country === to.country ? {} : { customs_info: customsOf(parcel, from, contents) }),
          }),
        ),
      );
      const offers = shipment.rates
        .filter((rate) => (rate.currency ?? 'USD') === currency)
        .map((rate) => offerOf(rate, currency_exponent))
        .sort((a, b) => a.cost - b.cost);
      // Several accounts with one carrier may offer the same service; only the cheapest offer is kept.
      return { id: shipment.id, offers: offers.filter((one, i) => offers.findIndex((o) => o.courier_id === one.courier_id) === i) };
    },
    async buy(reference, { rate_id }) {
      const bought = await ask('buy', async () => Shipment.parse(await client.Shipment.buy(reference.id ?? reference.key, rate_id ?? '')));
      const label = labelOf(bought);
      if (!label) throw new CourierUnavailable('the purchase was answered without a label');
      return label;
    },
    find,
    async track(reference) {
      const { tracker } = await retrieve(reference);
      if (!tracker) return null;
      return {
        status: statuses.get(tracker.status ?? 'unknown') ?? 'label_purchased',
        events: (tracker.tracking_details ?? []).map(eventOf),
      };
    },
    async refund(reference) {
      try {
        const { refund_status: status } = await ask('refund', async () =>
          Shipment.parse(await client.Shipment.refund(reference.id ?? reference.key)),
        );
        if (status === 'rejected') throw new CourierRefused('the refund is rejected');
      } catch (error) {
        if (!(error instanceof CourierRefused)) throw error;
        // The refusal concerns the account, not the label, so the refund may succeed with another key.
        if (isStatus(error, 401, 402, 403)) throw new CourierUnavailable(error.message, { cause: error });
        // An earlier request may have been accepted although its answer was lost.
        if (!isRefunded(await retrieve(reference))) throw error;
      }
    },
  };
}

/** The parts of the client, and of superagent's request below it, that are used here. */
type ClientClass = new (
  apiKey: string,
  options: { baseUrl: string; requestMiddleware: (request: Request) => Request },
) => {
  Shipment: {
    create(shipment: object): Promise<unknown>;
    retrieve(id: string): Promise<unknown>;
    buy(id: string, rateId: string): Promise<unknown>;
    refund(id: string): Promise<unknown>;
  };
};
type Request = {
  timeout(limits: { deadline: number }): Request;
  redirects(count: number): Request;
  set(headers: Record<string, string>): Request;
};

const statuses = new Map<string, ShipmentStatus>(
  Object.entries({
    unknown: 'label_purchased',
    pre_transit: 'label_purchased',
    in_transit: 'in_transit',
    out_for_delivery: 'in_transit',
    available_for_pickup: 'in_transit',
    delivered: 'delivered',
    return_to_sender: 'returned',
    failure: 'failed',
    cancelled: 'failed',
    error: 'failed',
  }),
);

/** Codes of 4xx answers after which a label may nevertheless have been bought. */
const UNCERTAIN = new Set([
  'SHIPMENT.POSTAGE.EXISTS',
  'SHIPMENT.PURCHASE.IN_PROGRESS',
  'SHIPMENT.POSTAGE.TIMED_OUT',
  'SHIPMENT.POSTAGE.NO_RESPONSE',
]);
const TEMPORARY = new Set([408, 425, 429]);
const ApiError = z.object({ statusCode: z.number(), code: z.string().nullish(), message: z.string().default('') });

/** Turns an error of the client into ours: only its message, without the key. Nothing else of the client's error object is kept. */
function classify(error: unknown, apiKey: string): CourierRefused | CourierUnavailable {
  const said = ApiError.safeParse(error);
  const cause = redactCause(error, [apiKey]);
  if (!said.success) return new CourierUnavailable(redact(error instanceof Error ? error.message : 'no answer', [apiKey]), { cause });
  const { statusCode: status, code, message } = said.data;
  const text = redact(`${message || 'error'} (${code ?? status})`, [apiKey]);
  const isRefusal = status >= 400 && status < 500 && !TEMPORARY.has(status) && !UNCERTAIN.has(code ?? '');
  const options = { cause: Object.assign(cause, { statusCode: status }) };
  return isRefusal ? new CourierRefused(text, options) : new CourierUnavailable(text, options);
}

function isStatus(error: unknown, ...statuses: number[]): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'statusCode' in cause && statuses.some((status) => status === cause.statusCode);
}

function labelOf({ postage_label: label, tracking_code: tracking, selected_rate: rate }: Shipment): Label | null {
  if (!label || !tracking) return null;
  return { rate_id: rate?.id ?? null, tracking_number: tracking, label_url: label.label_pdf_url ?? label.label_url ?? null };
}

function isRefunded({ refund_status: status }: Shipment): boolean {
  return status === 'submitted' || status === 'refunded';
}

function addressOf({ line1, line2, postal_code, ...rest }: Address) {
  const { name, city, state, country, phone, email } = rest;
  return { name, street1: line1, street2: line2, city, state, zip: postal_code, country, phone, email };
}

/** Customs data for a parcel that leaves the country; EasyPost takes values in major units. */
function customsOf({ currency, currency_exponent: exponent }: Parcel, from: Address, contents: readonly Content[]) {
  return {
    contents_type: 'merchandise',
    restriction_type: 'none',
    non_delivery_option: 'return',
    customs_certify: true,
    customs_signer: from.name,
    customs_items: contents.map(({ description, quantity, value, weight_grams }) => ({
      description,
      quantity,
      value: (value / 10 ** exponent).toFixed(exponent),
      weight: ounces(weight_grams),
      origin_country: from.country,
      currency,
    })),
  };
}

const GRAMS_AN_OUNCE = 28.349_523_125;

/** EasyPost takes weights in ounces, with one decimal. */
function ounces(grams: number): number {
  return Math.max(0.1, Math.ceil((grams / GRAMS_AN_OUNCE) * 10) / 10);
}

function offerOf(rate: z.infer<typeof Rate>, exponent: number): Offer {
  const days = rate.delivery_days ?? rate.est_delivery_days;
  return {
    courier_id: `${rate.carrier}-${rate.service}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    courier_name: `${rate.carrier} ${rate.service}`,
    cost: minorUnits(rate.rate, exponent),
    delivery_estimate: days == null ? '' : days === 1 ? '1 day' : `${days} days`,
    rate_id: rate.id,
  };
}

/** `"7.58"` as exact minor units; a fraction of a minor unit is rounded up. */
function minorUnits(decimal: string, exponent: number): number {
  const match = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(decimal);
  if (!match) throw new CourierUnavailable(`the price of a rate is "${decimal}", not a decimal number`);
  const [, units = '0', decimals = ''] = match;
  const whole = Number(units + decimals.slice(0, exponent).padEnd(exponent, '0'));
  return /[1-9]/.test(decimals.slice(exponent)) ? whole + 1 : whole;
}

function eventOf({ datetime, status, message, description, tracking_location: place }: z.infer<typeof TrackingDetail>): TrackingEvent {
  const at = new Date(datetime);
  return {
    at: Number.isNaN(at.getTime()) ? datetime : at.toISOString(),
    status: status ?? 'unknown',
    description: message || description || '',
    location: [place?.city, place?.state, place?.country].filter(Boolean).join(', '),
  };
}
