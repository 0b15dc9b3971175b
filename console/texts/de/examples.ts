import { counted, countText } from '../../language/formats.ts';
import type { ExamplesText } from '../examples.ts';

export const examples: ExamplesText = {
  title: 'Neue Aufgabe',
  note: 'Beginnen Sie mit einem Beispiel und passen Sie es an, oder beginnen Sie mit einer leeren Aufgabe.',
  inEmptyShop: 'Mit einem Beispiel beginnen',
  search: 'Was soll die Aufgabe tun?',
  all: 'Alle',
  topics: {
    orders: 'Bestellungen',
    products: 'Produkte und Bestand',
    customers: 'Kunden',
    marketing: 'E-Mails und Gutscheine',
    reports: 'Berichte',
    connections: 'Andere Systeme',
  },
  startEmpty: 'Leer beginnen',
  back: 'Alle Beispiele',
  noMatch: 'Kein passendes Beispiel.',
  drop: 'Alle anzeigen',
  may: 'Darf',
  parameters: 'Parameter',
  noParameters: 'Keine',
  required: 'erforderlich',
  plan: 'Was sich ändern würde',
  planOf: (writes) =>
    writes === 0
      ? 'Ein Probelauf in einem Beispielshop ändert nichts und findet Folgendes:'
      : `Ein Probelauf in einem Beispielshop: ${counted(writes, 'Änderung', 'Änderungen')}.`,
  varies: 'zum Beispiel',
  found: (count, status) => `${countText(count)} × ${status}`,
  andMore: '…',
  files: 'Dateien zum Herunterladen',
  source: 'Quelltext',
  test: 'Zugehöriger Test, für die Kommandozeile',
  tryIt: 'Ausprobieren',
  tryNote: 'Ein Probelauf in Ihrem eigenen Shop: Er liest nur und speichert nichts. Es wird keine Aufgabe angelegt.',
  tryRun: 'Probelauf starten',
  tryCancel: 'Abbrechen',
  start: 'Damit beginnen',
  startNote: 'Daraus wird Ihre eigene Aufgabe. Nichts wird ausgeführt, bevor Sie sie starten.',
  from: (title) => `Nach dem Beispiel „${title}“`,
};
