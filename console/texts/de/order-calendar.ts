import { counted } from '../../language/formats.ts';
import type { CalendarText } from '../order-calendar.ts';

export const orderCalendar: CalendarText = {
  title: 'Lieferkalender',
  previous: 'Vorheriger Monat',
  next: 'Nächster Monat',
  today: 'Dieser Monat',
  weekdays: ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
  weekdaysLong: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'],
  grid: (month) => `Bestellungen nach Liefertag, ${month}`,
  orders: (count) => (count === 1 ? 'Bestellung' : 'Bestellungen'),
  noOrders: 'keine Bestellungen',
  leftOut: 'Stornierte und erstattete Bestellungen zählen nicht mit; die Liste eines Tages enthält sie.',
  noDate: (count) => `${counted(count, 'Bestellung hat', 'Bestellungen haben')} kein Lieferdatum`,
  status: 'Status',
  allStatuses: 'Alle Status',
  keys: 'Mit den Pfeiltasten von Tag zu Tag, mit Bild auf und Bild ab von Monat zu Monat.',
};
