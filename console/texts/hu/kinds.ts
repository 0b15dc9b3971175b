import type { KindsText } from '../kinds.ts';

/** After a number the word stays in the singular. */
const same = (word: string) => ({ one: word, many: word });

export const kinds: KindsText = {
  access_grant: same('kézzel megadott hozzáférés'),
  access_group: same('hozzáférési csoport'),
  credit_bucket: same('kredit'),
  customer: same('vásárló'),
  customer_address: same('vásárlói cím'),
  customer_file: same('vásárlói fájl'),
  customer_note: same('vásárlói megjegyzés'),
  discount_group: same('kedvezménycsoport'),
  file: same('fájl'),
  http_request: same('másik rendszernek küldött kérés'),
  llm_completion: same('nyelvi modelltől kapott válasz'),
  inquiry: same('megkeresés'),
  mail: same('e-mail'),
  media: same('kép'),
  notification: same('értesítés'),
  order: same('rendelés'),
  order_status: same('belső állapot'),
  page: same('oldal'),
  payment: same('fizetés'),
  pickup_location: same('átvételi pont'),
  product: same('termék'),
  run: same('futás'),
  shipment: same('küldemény'),
  shipping_method: same('szállítási mód'),
  subscription: same('előfizetés'),
  tax_rate: same('adókulcs'),
  theme: same('téma'),
  variant: same('változat'),
  voucher: same('kupon'),
  other: same('rekord'),
};
