import { counted, isOne } from '../../language/formats.ts';
import type { OrderStatusText } from '../order-status.ts';

export const orderStatus: OrderStatusText = {
  cancelTitle: (count, shown) =>
    count === 1 ? 'Annuler cette commande ?' : `Annuler ${shown} ${isOne(count) ? 'commande' : 'commandes'} ?`,
  cancelAct: (count, shown) => (count === 1 ? 'Annuler la commande' : `Annuler ${shown} ${isOne(count) ? 'commande' : 'commandes'}`),
  deliverTitle: 'Passer la commande au statut « Livrée » ?',
  deliverAct: 'Passer à « Livrée »',
  keep: (count) => (isOne(count) ? 'La conserver' : 'Les conserver'),
  pieces: (count) => `${counted(count, 'unité est remise', 'unités sont remises')} en stock.`,
  noPieces: 'Rien n’est remis en stock.',
  sent: (count) =>
    `${counted(count, 'commande est déjà expédiée : ses articles ne sont pas remis', 'commandes sont déjà expédiées : leurs articles ne sont pas remis')} en stock.`,
  vouchers: (count) => `Le code promo de ${counted(count, 'commande', 'commandes')} redevient utilisable.`,
  paid: (count) =>
    `${counted(count, 'commande est payée', 'commandes sont payées')}, en totalité ou en partie : cette action ne rembourse rien.`,
  paidOfOne: (money) => `${money} ont été payés : cette action ne rembourse rien.`,
  labels: (count) =>
    `${counted(count, 'étiquette achetée le reste', 'étiquettes achetées le restent')}. Supprimez l’expédition pour demander le remboursement.`,
  downloads: (count) => `${counted(count, 'lien de téléchargement expire', 'liens de téléchargement expirent')}.`,
  accesses: (count) => `${counted(count, 'accès à un groupe prend fin', 'accès à des groupes prennent fin')}.`,
  newDownloads: (count) =>
    `${counted(count, 'lien de téléchargement est envoyé', 'liens de téléchargement sont envoyés')} aux acheteurs ; revenir au statut précédent ne ${isOne(count) ? 'le' : 'les'} désactive pas.`,
  noMail: (count) => `La boutique n’envoie pas d’e-mail ${isOne(count) ? 'au client' : 'aux clients'} à ce sujet.`,
  tasks: (count) =>
    `${counted(count, 'tâche réagit à cet événement et peut démarrer', 'tâches réagissent à cet événement et peuvent démarrer')}.`,
  reopening: 'La rouvrir reprendra le stock et le code promo, s’ils sont encore disponibles.',
  already: (count, status) => `${counted(count, 'commande a', 'commandes ont')} déjà le statut « ${status} ».`,
  wasAlready: (count, status) => `${counted(count, 'commande avait', 'commandes avaient')} déjà le statut « ${status} ».`,
  undone: (count) => `Annulé : ${counted(count, 'commande a retrouvé son', 'commandes ont retrouvé leur')} statut précédent.`,
  notUndone: (count) =>
    `${counted(count, 'commande a été modifiée depuis et reste telle quelle', 'commandes ont été modifiées depuis et restent telles quelles')}.`,
  notUndoneFor: (count, why) => `${counted(count, 'commande reste telle quelle', 'commandes restent telles quelles')} : ${why}.`,
};
