import { counted } from '../../language/formats.ts';
import type { OrderStatusText } from '../order-status.ts';

export const orderStatus: OrderStatusText = {
  cancelTitle: (count, shown) => (count === 1 ? 'Diese Bestellung stornieren?' : `${shown} Bestellungen stornieren?`),
  cancelAct: (count, shown) => (count === 1 ? 'Bestellung stornieren' : `${shown} Bestellungen stornieren`),
  deliverTitle: 'Bestellung auf „Zugestellt“ setzen?',
  deliverAct: 'Auf „Zugestellt“ setzen',
  keep: () => 'Unverändert lassen',
  pieces: (count) => `${counted(count, 'Stück kommt', 'Stück kommen')} zurück in den Bestand.`,
  noPieces: 'Es kommt nichts zurück in den Bestand.',
  sent: (count) =>
    `${counted(count, 'Bestellung wurde', 'Bestellungen wurden')} bereits versendet: ${count === 1 ? 'Ihre' : 'Deren'} Ware kommt nicht zurück in den Bestand.`,
  vouchers: (count) => `Der Gutschein von ${counted(count, 'Bestellung', 'Bestellungen')} kann wieder eingelöst werden.`,
  paid: (count) =>
    `${counted(count, 'Bestellung ist', 'Bestellungen sind')} ganz oder teilweise bezahlt: Eine Erstattung erfolgt dadurch nicht.`,
  paidOfOne: (money) => `Dafür wurden ${money} bezahlt: Eine Erstattung erfolgt dadurch nicht.`,
  labels: (count) =>
    `${counted(count, 'gekauftes Versandetikett wird', 'gekaufte Versandetiketten werden')} dadurch nicht erstattet. Entfernen Sie die Sendung, um eine Erstattung zu beantragen.`,
  downloads: (count) => `${counted(count, 'Download-Link wird', 'Download-Links werden')} ungültig.`,
  accesses: (count) => `${counted(count, 'Zugang zu einer Gruppe endet', 'Zugänge zu Gruppen enden')}.`,
  newDownloads: (count) =>
    `${counted(count, 'Download-Link geht', 'Download-Links gehen')} an die Käufer; den Status zurückzusetzen macht sie nicht ungültig.`,
  noMail: (count) => `Der Shop sendet ${count === 1 ? 'dem Kunden' : 'den Kunden'} dazu keine E-Mail.`,
  tasks: (count) => `${counted(count, 'Aufgabe reagiert darauf und startet', 'Aufgaben reagieren darauf und starten')} möglicherweise.`,
  reopening: 'Wird die Bestellung wieder geöffnet, werden Bestand und Gutschein erneut beansprucht, sofern noch vorhanden.',
  already: (count, status) => `${counted(count, 'Bestellung hat', 'Bestellungen haben')} bereits den Status „${status}“.`,
  wasAlready: (count, status) => `${counted(count, 'Bestellung hatte', 'Bestellungen hatten')} den Status „${status}“ bereits.`,
  undone: (count) => `Rückgängig gemacht: ${counted(count, 'Bestellung hat', 'Bestellungen haben')} wieder den vorherigen Status.`,
  notUndone: (count) =>
    counted(
      count,
      'Bestellung wurde seitdem geändert und bleibt, wie sie ist.',
      'Bestellungen wurden seitdem geändert und bleiben, wie sie sind.',
    ),
  notUndoneFor: (count, why) => `${counted(count, 'Bestellung bleibt', 'Bestellungen bleiben')} unverändert: ${why}.`,
};
