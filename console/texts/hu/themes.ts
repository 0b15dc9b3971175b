import { countText } from '../../language/formats.ts';
import type { ThemesText } from '../themes.ts';

export const themes: ThemesText = {
  title: 'Témák',
  count: (total) => `${countText(total)} téma`,
  name: 'Név',
  state: 'Állapot',
  made: 'Létrehozva',
  active: 'Használatban',
  inactive: 'Nincs használatban',
  empty: 'Még nincs téma.',
  create: 'Új téma',
  add: 'Hozzáadás',
  back: 'Összes téma',
  activate: 'Téma használata',
  remove: 'Törlés…',
  removal: 'A sablonjai véglegesen törlődnek.',
  templates: 'Sablonok',
  newTemplate: 'Új sablon',
  noTemplates: 'Még nincs sablon. Az oldalak sablonjai a téma használatba vételekor jönnek létre.',
  choose: 'A megtekintéshez és módosításhoz válasszon egy sablont.',
  source: 'Forráskód',
  path: 'Útvonal',
  pathHint: 'Például layouts/shop vagy parts/menu.',
  preview: 'Előnézet',
  showIn: 'Megjelenítés ezen',
  alone: 'oldal nélkül',
};
