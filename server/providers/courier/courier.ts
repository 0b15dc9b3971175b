import type { courierProviders } from '../../../contract/settings.ts';
import type { ShipmentStatus, TrackingEvent } from '../../../contract/shipments.ts';
import type { Settings } from '../../values/settings.ts';

export type CourierSettings = Settings['courier'];

export type CourierName = (typeof courierProviders)[number];

export type Address = {
  name: string;
  line1: string;
  line2: string;
  city: string;
  state: string;
  postal_code: string;
  country: string;
  phone: string;
  email: string;
};

export type Parcel = { from: Address | null; to: Address; weight_grams: number; currency: string; currency_exponent: number };

/** One line of a customs declaration: `value` and `weight_grams` are for all its pieces together. */
export type Content = { description: string; quantity: number; value: number; weight_grams: number };

/** `rate_id`: the courier's own name of the rate, if it has one. */
export type Offer = { courier_id: string; courier_name: string; cost: number; delivery_estimate: string; rate_id: string | null };

/** Names a shipment at the courier: `key` is our own key, `id` the courier's, if it gave one. */
export type Reference = { key: string; id: string | null };

export type Rates = { id: string | null; offers: Offer[] };

/** `rate_id`: the rate that was bought, if the courier tells it. `label_url` null: the shop prints the label itself. */
export type Label = { rate_id: string | null; tracking_number: string; label_url: string | null };

export type Tracking = { status: ShipmentStatus; events: TrackingEvent[] };

export type Courier = {
  name: CourierName;
  rates(key: string, parcel: Parcel, contents: readonly Content[], settings: CourierSettings): Promise<Rates>;
  /** Buying again under the same key buys nothing more. */
  buy(reference: Reference, offer: Offer): Promise<Label>;
  /** The label that was bought under the key; null if none was, as far as the courier knows yet. */
  find(reference: Reference): Promise<Label | null>;
  /** Null: the courier does not track its parcels. */
  track(reference: Reference): Promise<Tracking | null>;
  /** A repeated request for the same refund has no further effect. */
  refund(reference: Reference): Promise<void>;
};

/** The courier refused; nothing was done. */
export class CourierRefused extends Error {}

/** There was no answer, or the answer does not say whether the request was carried out. */
export class CourierUnavailable extends Error {}
