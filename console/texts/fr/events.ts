import type { EventsText } from '../events.ts';

export const events: EventsText = {
  'order.created': 'Commande créée',
  'order.paid': 'Commande payée',
  'order.refunded': 'Commande remboursée',
  'order.cancelled': 'Commande annulée',
  'order.status_changed': 'Statut de commande modifié',
  'order.edited': 'Commande modifiée',
  'shipment.label_purchased': 'Étiquette d’expédition achetée',
  'customer.created': 'Client ajouté',
  'stock.low': 'Stock de produit faible',
  'subscription.created': 'Abonnement commencé',
  'subscription.canceled': 'Abonnement terminé',
  'inquiry.received': 'Demande reçue',
  'file.uploaded': 'Fichier numérique importé',
  'task.run_failed': 'Échec d’une exécution de tâche',
  'task.run_interrupted': 'Interruption d’une exécution de tâche',
  'task.run_stuck': 'Exécution de tâche sans signe de progression',
  'task.run_succeeded': 'Réussite d’une exécution de tâche',
  'task.paused': 'Tâche suspendue pendant l’essai de sa nouvelle version',
  'task.missed': 'Tâche non démarrée à l’heure prévue',
};
