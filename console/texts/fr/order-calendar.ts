import { counted, isOne } from '../../language/formats.ts';
import type { CalendarText } from '../order-calendar.ts';

export const orderCalendar: CalendarText = {
  title: 'Calendrier des livraisons',
  previous: 'Mois précédent',
  next: 'Mois suivant',
  today: 'Ce mois-ci',
  weekdays: ['lun.', 'mar.', 'mer.', 'jeu.', 'ven.', 'sam.', 'dim.'],
  weekdaysLong: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
  grid: (month) => `Commandes par jour de livraison, ${month}`,
  orders: (count) => (isOne(count) ? 'commande' : 'commandes'),
  noOrders: 'aucune commande',
  leftOut: 'Les commandes annulées et remboursées ne sont pas comptées ; la liste d’un jour les montre aussi.',
  noDate: (count) => `${counted(count, 'commande', 'commandes')} sans date de livraison`,
  status: 'Statut',
  allStatuses: 'Tous les statuts',
  keys: 'Flèches : d’un jour à l’autre ; Page préc. et Page suiv. : d’un mois à l’autre.',
};
