import { countText } from '../../language/formats.ts';
import type { CalendarText } from '../order-calendar.ts';

export const orderCalendar: CalendarText = {
  title: 'Kézbesítési naptár',
  previous: 'Előző hónap',
  next: 'Következő hónap',
  today: 'Aktuális hónap',
  weekdays: ['H', 'K', 'Sze', 'Cs', 'P', 'Szo', 'V'],
  weekdaysLong: ['Hétfő', 'Kedd', 'Szerda', 'Csütörtök', 'Péntek', 'Szombat', 'Vasárnap'],
  grid: (month) => `Rendelések a kézbesítés napja szerint, ${month}`,
  orders: () => 'rendelés',
  noOrders: 'nincs rendelés',
  leftOut: 'A sztornózott és a visszatérített rendelések nincsenek beleszámolva; a nap listája ezeket is tartalmazza.',
  noDate: (count) => `${countText(count)} rendelésnek nincs kézbesítési dátuma`,
  status: 'Állapot',
  allStatuses: 'Minden állapot',
  keys: 'A nyílbillentyűk napról napra, a Page Up és a Page Down hónapról hónapra lép.',
};
