import type { Courier, Label, Reference } from './courier.ts';

/** The shop's own price list and labels. Nobody outside is asked, so shipping works without credentials. */
export const manual: Courier = {
  name: 'manual',
  rates: async (_key, { to, weight_grams: grams }, _contents, { rate_card: card }) => ({
    id: null,
    offers: card
      .filter(({ countries }) => countries.length === 0 || countries.includes(to.country))
      .filter(({ max_weight_grams: most }) => most === null || grams <= most)
      .map(({ courier_id, courier_name, cost_cents, per_kg_cents, delivery_estimate }) => ({
        courier_id,
        courier_name,
        cost: cost_cents + per_kg_cents * Math.ceil(grams / 1000),
        delivery_estimate,
        rate_id: null,
      })),
  }),
  buy: labelOf,
  // The shop's own labels cost nothing, so a label that is to be bought counts as bought.
  find: labelOf,
  track: async () => null,
  refund: async () => undefined,
};

async function labelOf({ key }: Reference): Promise<Label> {
  return { rate_id: null, tracking_number: trackingNumber(key), label_url: null };
}

/** Derived from the key alone, so that it is the same each time. */
function trackingNumber(key: string): string {
  return `BR${key
    .replaceAll(/[^0-9a-z]/gi, '')
    .slice(-12)
    .toUpperCase()}`;
}
