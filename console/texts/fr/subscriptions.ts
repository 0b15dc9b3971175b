import { counted, countText } from '../../language/formats.ts';
import type { SubscriptionsText } from '../subscriptions.ts';

const intervals = {
  day: { one: 'tous les jours', many: (count: number) => `tous les ${countText(count)} jours` },
  week: { one: 'toutes les semaines', many: (count: number) => `toutes les ${countText(count)} semaines` },
  month: { one: 'tous les mois', many: (count: number) => `tous les ${countText(count)} mois` },
  year: { one: 'tous les ans', many: (count: number) => `tous les ${countText(count)} ans` },
};

export const subscriptions: SubscriptionsText = {
  title: 'Abonnements',
  count: (total) => counted(total, 'abonnement', 'abonnements'),
  search: 'Client, produit ou numéro',
  all: 'Tous',
  anyStatus: 'Tous les statuts',
  empty: 'Aucun abonnement pour le moment. Un abonnement commence avec la commande d’un produit qui en est un.',
  status: {
    active: 'Actif',
    trialing: 'En période d’essai',
    past_due: 'Paiement échoué',
    unpaid: 'Impayé',
    incomplete: 'Premier paiement manquant',
    incomplete_expired: 'Jamais payé',
    canceled: 'Résilié',
  },
  ending: 'Prend fin avec la période',
  columns: { number: 'Numéro', customer: 'Client', product: 'Produit', status: 'Statut', until: 'Payé jusqu’au', price: 'Prix' },
  only: {
    customer: (id) => `Client ${id}`,
    product: (id) => `Produit ${id}`,
    order: (id) => `Commande ${id}`,
  },
  dropOnly: {
    customer: 'Afficher ceux de tous les clients',
    product: 'Afficher ceux de tous les produits',
    order: 'Afficher ceux de toutes les commandes',
  },
  every: (count, interval) => (count === 1 ? intervals[interval].one : intervals[interval].many(count)),
  period: 'Période',
  policy: 'Effet d’une résiliation',
  policies: { immediate: 'immédiat', period_end: 'à la fin de la période' },
  cycles: 'Prend fin de lui-même',
  after: (count) => `après ${counted(count, 'paiement', 'paiements')}`,
  unlimited: 'jamais',
  atProvider: 'Chez le prestataire de paiement',
  keep: 'Le conserver',
  order: 'Première commande',
  began: 'Début',
  canceled: 'Résilié',
  ended: 'Fin',
  cancel: 'Résilier l’abonnement…',
  cancelTitle: (customer) => `Résilier l’abonnement souscrit par ${customer} ?`,
  cancelAtOnce: 'L’abonnement prend fin immédiatement, ainsi que l’accès qu’il donne. Rien n’est remboursé. Cette action est irréversible.',
  cancelThoughPaid: (at) =>
    `Selon ses conditions, une résiliation prend effet à la fin de la période, mais celle-ci est immédiate. L’abonnement est payé jusqu’au ${at}.`,
  cancelAtProvider: 'L’abonnement est aussi résilié chez le prestataire de paiement et n’est plus facturé.',
  cancelHereOnly:
    'Aucun prestataire de paiement n’est configuré sur ce serveur : chez lui, l’abonnement continue d’être facturé tant qu’il n’y est pas également résilié.',
  invoices: 'Factures',
  noInvoices: 'Aucune facture pour le moment.',
  openInvoice: 'Ouvrir la facture',
  invoiceStatus: { draft: 'brouillon', open: 'ouverte', paid: 'payée', void: 'annulée', uncollectible: 'irrécouvrable' },
};
