import type { courierProviders } from '../../../contract/settings.ts';
import type { ShipmentStatus, TrackingEvent } from '../../../contract/shipments.ts';
import type { Settings } from '../../resources/settings/domain.ts';

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

/** What a customs office wants to know of one line: `value` and `weight_grams` of all its pieces. */
export type Content = { description: string; quantity: number; value: number; weight_grams: number };

/** `rate_id`: the courier's own name of the rate, where it has one. */
export type Offer = { courier_id: string; courier_name: string; cost: number; delivery_estimate: string; rate_id: string | null };

/** What is asked for is under our own `key`; `id` is the courier's, as far as it gave one. */
export type Reference = { key: string; id: string | null };

export type Rates = { id: string | null; offers: Offer[] };

/** `rate_id`: what was bought, where the courier tells; `label_url` null: the shop prints the label itself. */
export type Label = { rate_id: string | null; tracking_number: string; label_url: string | null };

export type Tracking = { status: ShipmentStatus; events: TrackingEvent[] };

export type Courier = {
  name: CourierName;
  rates(key: string, parcel: Parcel, contents: readonly Content[], settings: CourierSettings): Promise<Rates>;
  /** Buying again under the same key buys nothing more. */
  buy(reference: Reference, offer: Offer): Promise<Label>;
  /** What was bought under the key; null where nothing was, as far as the courier knows by now. */
  find(reference: Reference): Promise<Label | null>;
  /** Null: the courier does not follow its parcels. */
  track(reference: Reference): Promise<Tracking | null>;
  /** Asking again for the same is as good as once. */
  refund(reference: Reference): Promise<void>;
};

/** The courier said no: nothing was done. */
export class CourierRefused extends Error {}

/** No answer, or none that says whether it was done. */
export class CourierUnavailable extends Error {}
