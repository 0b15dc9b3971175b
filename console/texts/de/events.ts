import type { EventsText } from '../events.ts';

export const events: EventsText = {
  'order.created': 'Bestellung angelegt',
  'order.paid': 'Bestellung bezahlt',
  'order.refunded': 'Zahlung einer Bestellung erstattet',
  'order.cancelled': 'Bestellung storniert',
  'order.status_changed': 'Status einer Bestellung geändert',
  'order.edited': 'Bestellung bearbeitet',
  'shipment.label_purchased': 'Versandetikett gekauft',
  'customer.created': 'Kunde angelegt',
  'stock.low': 'Bestand eines Produkts niedrig',
  'subscription.created': 'Abonnement begonnen',
  'subscription.canceled': 'Abonnement beendet',
  'inquiry.received': 'Anfrage eingegangen',
  'file.uploaded': 'Digitale Datei hochgeladen',
  'task.run_failed': 'Lauf einer Aufgabe fehlgeschlagen',
  'task.run_interrupted': 'Lauf einer Aufgabe unterbrochen',
  'task.run_stuck': 'Lauf einer Aufgabe ohne Fortschritt',
  'task.run_succeeded': 'Lauf einer Aufgabe erfolgreich',
  'task.paused': 'Aufgabe in der Probe ihrer neuen Version angehalten',
  'task.missed': 'Aufgabe nicht planmäßig gestartet',
};
