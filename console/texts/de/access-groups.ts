import { counted, countText } from '../../language/formats.ts';
import type { AccessGroupsText } from '../access-groups.ts';

export const accessGroups: AccessGroupsText = {
  title: 'Zugangsgruppen',
  count: (total) => counted(total, 'Zugangsgruppe', 'Zugangsgruppen'),
  search: 'Name',
  empty:
    'Noch keine Zugangsgruppen. Eine Gruppe gibt ihren Mitgliedern Zugang zu Dateien und Seiten. Mitglied wird man durch einen Kauf, oder Sie erteilen den Zugang selbst.',
  create: 'Neue Zugangsgruppe',
  add: 'Hinzufügen',
  back: 'Alle Zugangsgruppen',
  details: 'Details',
  slugHint: 'Unter diesem Namen kennen die Vorlagen des Shops die Gruppe.',
  fields: { name: 'Name', slug: 'Kurzname', description: 'Beschreibung' },
  remove: 'Löschen …',
  removal: (members) =>
    members === 0
      ? 'Dateien und Seiten bleiben erhalten; über diese Gruppe erhält niemand mehr Zugang.'
      : `${members === 1 ? 'Das Mitglied verliert' : `Die ${countText(members)} Mitglieder verlieren`} den Zugang sofort. Dateien und Seiten bleiben erhalten.`,
  forever: 'unbefristet',
  files: { title: 'Dateien', none: 'Noch keine Dateien.', find: 'Datei aus der Bibliothek hinzufügen' },
  pages: { title: 'Seiten', none: 'Noch keine Seiten.', find: 'Seite hinzufügen' },
  products: {
    title: 'Produkte',
    none: 'Kein Produkt gewährt diesen Zugang. Das wird beim Produkt eingestellt.',
    subscription: 'solange das Abonnement läuft',
    days: (days) => counted(days, 'Tag', 'Tage'),
  },
  members: {
    title: 'Mitglieder',
    none: 'Noch hat niemand Zugang.',
    grant: 'Zugang erteilen …',
    give: 'Zugang erteilen',
    customer: 'Kunde',
    expires: 'Gültig bis',
    expiresHint: 'Leer: unbefristet.',
    note: 'Notiz',
    revokeTitle: (name) => `${name} den Zugang entziehen?`,
  },
};
