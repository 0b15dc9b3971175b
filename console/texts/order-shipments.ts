import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Shipments',
  none: 'Nothing was sent yet.',
  fetch: 'Fetch rates',
  fetching: 'Asking the couriers …',
  status: {
    created: 'Created',
    rates_fetched: 'Rates fetched',
    label_purchased: 'Label bought',
    in_transit: 'In transit',
    delivered: 'Delivered',
    returned: 'Returned',
    failed: 'Failed',
  },
  offers: 'Choose a courier',
  noOffers: 'No courier offers to take it.',
  lostOffers: 'Its offers are gone from the screen. Fetch the rates anew.',
  buy: (money: string) => `Buy the label for ${money}`,
  buyTitle: (courier: string, money: string) => `Buy a label of ${courier} for ${money}?`,
  buyDetail: 'The courier charges it at once. If you remove the shipment later, a refund is asked for.',
  label: 'Open the label',
  refresh: 'Refresh tracking',
  parcel: (number: number) => `Parcel ${number}`,
  remove: 'Remove',
  removeTitle: 'Remove the shipment?',
  removeDetail: 'This cannot be undone.',
  removeBought: (money: string) => `Its label cost ${money}. The courier is asked to refund it; you are told if that fails.`,
  tracking: 'Tracking number',
  cost: 'Cost',
  events: 'Where it was',
  locker: 'Record a shipment by a locker network',
  lockerWhy: 'For a parcel that was posted outside this shop, at a locker.',
  network: 'Locker network',
  networkHint: 'Its short name, such as packeta',
  networkWrong: 'Lower-case letters, digits, hyphens and underscores, at most 32.',
  number: 'Number of the shipment there',
  lockerSubmit: 'Record',
  failures: {
    order_cancelled: 'A cancelled order cannot be sent. Change its status first.',
    not_shippable: 'The order has no shipping address to send it to.',
    courier_unavailable: 'The courier does not answer. Nothing was bought; try again.',
    label_already_purchased: 'The label is bought already, or its purchase is still being settled. Refresh in a moment.',
    label_letters_missing:
      'No font of the server has these letters of the label. Install a font that has them in a folder of LABEL_FONT_FOLDERS, name one in LABEL_FONT, or write the address in other letters.',
    courier_not_offered: 'The courier does not offer this any more. Fetch the rates anew.',
    no_label: 'The shipment has no label yet.',
    shipment_exists: 'The order has a shipment already.',
  } as Record<string, string>,
} as const;

export type ShipmentsText = Words<typeof english>;
export const shipmentsText = translated('orderShipments', english);
