import type { PaymentsText } from '../order-payments.ts';

export const orderPayments: PaymentsText = {
  title: 'Paiements',
  notManual: (provider) =>
    provider === ''
      ? 'Cette commande n’a rien à encaisser manuellement : elle n’a donc pas de paiements saisis.'
      : `Cette commande est payée via ${provider}. Les paiements ne sont saisis que pour les commandes encaissées manuellement.`,
  none: 'Aucun paiement saisi pour le moment.',
  paidWithoutRecords:
    'Cette commande a été créée comme payée, sans paiement saisi. Dès le premier paiement inférieur au total, elle repasse en attente, jusqu’à ce que les paiements atteignent le total.',
  progress: 'Avancement',
  total: 'Total',
  paid: 'Payé',
  open: 'Reste à payer',
  tooMuch: 'Trop-perçu',
  paidOn: 'payé le',
  notPaid: 'pas encore payé',
  markPaid: 'Marquer comme payé',
  markUnpaid: 'Marquer comme non payé',
  edit: 'Modifier',
  up: (label) => `Monter ${label}`,
  down: (label) => `Descendre ${label}`,
  acts: (label) => `Paiement ${label}`,
  add: 'Ajouter un paiement',
  addSubmit: 'Ajouter',
  save: 'Enregistrer le paiement',
  label: 'Libellé',
  labelHint: 'Par exemple acompte, virement, espèces',
  amount: 'Montant',
  isPaid: 'Ce paiement est effectué',
  note: 'Note',
  deleteTitle: (label) => `Supprimer le paiement « ${label} » ?`,
  deleteDetail: (money) => `${money}. Le statut de paiement de la commande est recalculé. Cette action est irréversible.`,
};
