import { counted, countText } from '../../language/formats.ts';
import type { SubscriptionsText } from '../subscriptions.ts';

const intervals = {
  day: { one: 'pro Tag', many: 'Tage' },
  week: { one: 'pro Woche', many: 'Wochen' },
  month: { one: 'pro Monat', many: 'Monate' },
  year: { one: 'pro Jahr', many: 'Jahre' },
};

export const subscriptions: SubscriptionsText = {
  title: 'Abonnements',
  count: (total) => counted(total, 'Abonnement', 'Abonnements'),
  search: 'Kunde, Produkt oder Nummer',
  all: 'Alle',
  anyStatus: 'Alle Status',
  empty: 'Noch keine Abonnements. Sie beginnen mit der Bestellung eines Produkts, das ein Abonnement ist.',
  status: {
    active: 'Aktiv',
    trialing: 'Testphase',
    past_due: 'Zahlung fehlgeschlagen',
    unpaid: 'Unbezahlt',
    incomplete: 'Erste Zahlung fehlt',
    incomplete_expired: 'Nie bezahlt',
    canceled: 'Gekündigt',
  },
  ending: 'Endet mit dem Abrechnungszeitraum',
  columns: { number: 'Nummer', customer: 'Kunde', product: 'Produkt', status: 'Status', until: 'Bezahlt bis', price: 'Preis' },
  only: {
    customer: (id) => `Kunde ${id}`,
    product: (id) => `Produkt ${id}`,
    order: (id) => `Bestellung ${id}`,
  },
  dropOnly: {
    customer: 'Alle Kunden anzeigen',
    product: 'Alle Produkte anzeigen',
    order: 'Alle Bestellungen anzeigen',
  },
  every: (count, interval) => (count === 1 ? intervals[interval].one : `alle ${countText(count)} ${intervals[interval].many}`),
  period: 'Abrechnungszeitraum',
  policy: 'Kündigung wirkt',
  policies: { immediate: 'sofort', period_end: 'zum Ende des Abrechnungszeitraums' },
  cycles: 'Endet von selbst',
  after: (count) => `nach ${counted(count, 'Zahlung', 'Zahlungen')}`,
  unlimited: 'nie',
  atProvider: 'Beim Zahlungsanbieter',
  keep: 'Beibehalten',
  order: 'Erste Bestellung',
  began: 'Begonnen',
  canceled: 'Gekündigt',
  ended: 'Beendet',
  cancel: 'Abonnement kündigen …',
  cancelTitle: (customer) => `Abonnement von ${customer} kündigen?`,
  cancelAtOnce:
    'Es endet sofort, und mit ihm der Zugang, den es gewährt. Es wird nichts erstattet. Das kann nicht rückgängig gemacht werden.',
  cancelThoughPaid: (at) =>
    `Laut Bedingungen endet es sonst erst zum Ende des Abrechnungszeitraums; diese Kündigung wirkt sofort. Bezahlt ist es bis ${at}.`,
  cancelAtProvider: 'Es wird auch beim Zahlungsanbieter gekündigt und nicht mehr abgerechnet.',
  cancelHereOnly:
    'Auf diesem Server ist kein Zahlungsanbieter eingerichtet: Beim Anbieter läuft es weiter und wird abgerechnet, bis es auch dort gekündigt wird.',
  invoices: 'Rechnungen',
  noInvoices: 'Noch keine Rechnungen.',
  openInvoice: 'Rechnung öffnen',
  invoiceStatus: { draft: 'Entwurf', open: 'offen', paid: 'bezahlt', void: 'ungültig', uncollectible: 'uneinbringlich' },
};
