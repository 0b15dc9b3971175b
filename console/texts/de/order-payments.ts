import type { PaymentsText } from '../order-payments.ts';

export const orderPayments: PaymentsText = {
  title: 'Zahlungen',
  notManual: (provider) =>
    provider === ''
      ? 'Für diese Bestellung ist nichts manuell zu bezahlen; es gibt daher keine Zahlungseinträge.'
      : `Diese Bestellung wird über ${provider} bezahlt. Zahlungen werden nur bei manueller Zahlung erfasst.`,
  none: 'Noch keine Zahlung erfasst.',
  paidWithoutRecords:
    'Diese Bestellung wurde ohne Zahlungseintrag als bezahlt angelegt. Sobald ein erster Eintrag unter dem Gesamtbetrag liegt, gilt die Zahlung als ausstehend, bis die Einträge den Gesamtbetrag erreichen.',
  progress: 'Zahlungsstand',
  total: 'Gesamt',
  paid: 'Bezahlt',
  open: 'Noch offen',
  tooMuch: 'Zu viel bezahlt',
  paidOn: 'bezahlt',
  notPaid: 'noch nicht bezahlt',
  markPaid: 'Als bezahlt markieren',
  markUnpaid: 'Als unbezahlt markieren',
  edit: 'Bearbeiten',
  up: (label) => `${label} nach oben`,
  down: (label) => `${label} nach unten`,
  acts: (label) => `Zahlung ${label}`,
  add: 'Zahlung hinzufügen',
  addSubmit: 'Hinzufügen',
  save: 'Zahlung speichern',
  label: 'Bezeichnung',
  labelHint: 'Zum Beispiel Anzahlung, Überweisung, bar',
  amount: 'Betrag',
  isPaid: 'Ist bezahlt',
  note: 'Notiz',
  deleteTitle: (label) => `Zahlung „${label}“ löschen?`,
  deleteDetail: (money) => `${money}. Der Zahlungsstatus der Bestellung wird neu berechnet. Das kann nicht rückgängig gemacht werden.`,
};
