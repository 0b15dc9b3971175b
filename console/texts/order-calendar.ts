import { counted } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Delivery calendar',
  previous: 'Previous month',
  next: 'Next month',
  today: 'This month',
  weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  weekdaysLong: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  grid: (month: string) => `Orders by delivery day, ${month}`,
  orders: (count: number) => (count === 1 ? 'order' : 'orders'),
  noOrders: 'no orders',
  leftOut: 'Cancelled and refunded orders are not counted; the list of a day has them, too.',
  noDate: (count: number) => `${counted(count, 'order has', 'orders have')} no delivery date`,
  status: 'Status',
  allStatuses: 'All statuses',
  keys: 'Arrows go from day to day, Page Up and Page Down from month to month.',
} as const;

export type CalendarText = Words<typeof english>;
export const calendarText = translated('orderCalendar', english);
