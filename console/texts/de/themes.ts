import { counted } from '../../language/formats.ts';
import type { ThemesText } from '../themes.ts';

export const themes: ThemesText = {
  title: 'Themes',
  count: (total) => counted(total, 'Theme', 'Themes'),
  name: 'Name',
  state: 'Status',
  made: 'Erstellt',
  active: 'Aktiv',
  inactive: 'Inaktiv',
  empty: 'Noch keine Themes.',
  create: 'Neues Theme',
  add: 'Hinzufügen',
  back: 'Alle Themes',
  activate: 'Theme aktivieren',
  remove: 'Löschen …',
  removal: 'Seine Vorlagen werden endgültig gelöscht.',
  templates: 'Vorlagen',
  newTemplate: 'Neue Vorlage',
  noTemplates: 'Noch keine Vorlagen. Die der Seiten kommen hinzu, sobald das Theme aktiviert wird.',
  choose: 'Wählen Sie eine Vorlage, um sie anzusehen und zu bearbeiten.',
  source: 'Quelltext',
  path: 'Pfad',
  pathHint: 'Zum Beispiel layouts/shop oder parts/menu.',
  preview: 'Vorschau',
  showIn: 'Anzeigen in',
  alone: 'keiner Seite',
};
