import type { EventsText } from '../events.ts';

export const events: EventsText = {
  'order.created': 'Új rendelés érkezett',
  'order.paid': 'Egy rendelést kifizettek',
  'order.refunded': 'Egy rendelés árát visszatérítették',
  'order.cancelled': 'Egy rendelést sztornóztak',
  'order.status_changed': 'Megváltozott egy rendelés állapota',
  'order.edited': 'Egy rendelést szerkesztettek',
  'shipment.label_purchased': 'Csomagcímkét vásároltak',
  'customer.created': 'Új vásárlót vettek fel',
  'stock.low': 'Fogyóban van egy termék készlete',
  'subscription.created': 'Elindult egy előfizetés',
  'subscription.canceled': 'Véget ért egy előfizetés',
  'inquiry.received': 'Megkeresés érkezett',
  'file.uploaded': 'Digitális fájlt töltöttek fel',
  'task.run_failed': 'Egy feladat futása sikertelen',
  'task.run_interrupted': 'Egy feladat futása megszakadt',
  'task.run_stuck': 'Egy feladat futása nem halad',
  'task.run_succeeded': 'Egy feladat futása sikerült',
  'task.paused': 'Egy feladat szünetel, mert új verziója nem vált be a próbán',
  'task.missed': 'Egy feladat nem indult el a kellő időben',
};
