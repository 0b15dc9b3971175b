import { countText } from '../../language/formats.ts';
import type { FirstStepsText } from '../first-steps.ts';

export const firstSteps: FirstStepsText = {
  title: 'Erste Schritte',
  count: (done, all) => `${countText(done)} von ${countText(all)} erledigt`,
  done: 'Erledigt',
  hide: 'Liste ausblenden',
  hidden: 'Die ersten Schritte sind ausgeblendet.',
  shownAgain: 'Die ersten Schritte sind wieder da.',
  steps: {
    shop: {
      name: 'Name und Währung',
      why: 'Den Namen lesen Kunden in jeder E-Mail. Die Währung steht ab der ersten Bestellung fest.',
      act: 'Shop benennen',
    },
    product: { name: 'Erstes Produkt', why: 'Eine Bestellung braucht etwas, das verkauft wird.', act: 'Neues Produkt' },
    courier: { name: 'Pakete', why: 'Ein Versandetikett braucht die Adresse, von der die Pakete abgehen.', act: 'Absender angeben' },
    mail: { name: 'E-Mail', why: 'Ohne Mailkonto bleiben E-Mails an Kunden liegen.', act: 'E-Mail einrichten' },
    passkey: {
      name: 'Ihr Passkey',
      why: 'Melden Sie sich mit Fingerabdruck, Gesicht oder Bildschirmsperre an. Kein Passwort kann gestohlen werden.',
      act: 'Passkey einrichten',
    },
    person: { name: 'Eine zweite Person', why: 'Jemand anderes kann freigeben, was Sie schreiben.', act: 'Benutzer einladen' },
    task: {
      name: 'Erste Aufgabe',
      why: 'Beginnen Sie mit einem Beispiel. Ein Probelauf zeigt, was es ändern würde.',
      act: 'Beispiele ansehen',
    },
  },
};
