import { countText } from '../../language/formats.ts';
import type { SubscriptionsText } from '../subscriptions.ts';

const intervals = { day: 'naponta', week: 'hetente', month: 'havonta', year: 'évente' };

export const subscriptions: SubscriptionsText = {
  title: 'Előfizetések',
  count: (total) => `${countText(total)} előfizetés`,
  search: 'Vásárló, termék vagy szám',
  all: 'Mind',
  anyStatus: 'Bármely állapot',
  empty: 'Még nincs előfizetés. Akkor indul egy, ha előfizetéses terméket rendelnek.',
  status: {
    active: 'Aktív',
    trialing: 'Próbaidőszak',
    past_due: 'Sikertelen fizetés',
    unpaid: 'Kifizetetlen',
    incomplete: 'Hiányzik az első fizetés',
    incomplete_expired: 'Sosem fizették ki',
    canceled: 'Lemondva',
  },
  ending: 'Az időszak végéig',
  columns: { number: 'Szám', customer: 'Vásárló', product: 'Termék', status: 'Állapot', until: 'Kifizetve eddig', price: 'Ár' },
  only: {
    customer: (id) => `${id}. vásárló`,
    product: (id) => `${id}. termék`,
    order: (id) => `${id}. rendelés`,
  },
  dropOnly: {
    customer: 'Minden vásárló előfizetései',
    product: 'Minden termék előfizetései',
    order: 'Minden rendelés előfizetései',
  },
  every: (count, interval) => (count === 1 ? intervals[interval] : `${countText(count)} ${intervals[interval]}`),
  period: 'Időszak',
  policy: 'Lemondás esetén véget ér',
  policies: { immediate: 'azonnal', period_end: 'az időszak végén' },
  cycles: 'Magától véget ér',
  after: (count) => `${countText(count)} fizetés után`,
  unlimited: 'soha',
  atProvider: 'A fizetési szolgáltatónál',
  keep: 'Megtartás',
  order: 'Első rendelés',
  began: 'Kezdete',
  canceled: 'Lemondva',
  ended: 'Vége',
  cancel: 'Előfizetés lemondása…',
  cancelTitle: (customer) => `Lemondja ${customer} előfizetését?`,
  cancelAtOnce: 'Azonnal véget ér, és vele az általa adott hozzáférés is. Pénz nem jár vissza. Ez nem vonható vissza.',
  cancelThoughPaid: (at) =>
    `A feltételei szerint a lemondás az időszak végén szüntetné meg, de ez most nem várja meg. Ki van fizetve eddig: ${at}.`,
  cancelAtProvider: 'A fizetési szolgáltatónál is megszűnik, és többé nem terhelik.',
  cancelHereOnly:
    'Ezen a kiszolgálón nincs beállítva fizetési szolgáltató: ott az előfizetés tovább fut, és terhelik is, amíg ott is le nem mondják.',
  invoices: 'Számlák',
  noInvoices: 'Még nincs számla.',
  openInvoice: 'Számla megnyitása',
  invoiceStatus: { draft: 'piszkozat', open: 'nyitott', paid: 'kifizetve', void: 'érvénytelen', uncollectible: 'behajthatatlan' },
};
