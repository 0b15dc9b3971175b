import { countText } from '../../language/formats.ts';
import { az } from '../../language/hungarian-article.ts';
import type { UndoEntryText } from '../undo-entry.ts';

export const undoEntry: UndoEntryText = {
  title: (what) => `Visszavonja ezt: „${what}”?`,
  detail: 'Amit kijelöl, az az Ön módosításával visszakapja a korábbi értékét.',
  label: 'Ami módosult',
  columns: { field: 'Mező', before: 'Előtte', after: 'A módosítás után', now: 'Most' },
  choose: (field) => `Visszavonás: ${field}`,
  states: {
    ready: 'A módosítás óta változatlan',
    conflict: 'Azóta megváltozott',
    same: 'Már a régi',
    closed: 'Nem vonható vissza',
  },
  act: (count) => `${countText(count)} érték visszavonása`,
  acknowledge: 'A rendelést már elküldték: módosítás mégis',
  lacking: (permissions) => `Ehhez még ezek kellenek: ${permissions}.`,
  outdated: 'Amióta megnézte, valami megváltozott. Nem történt írás; most így áll.',
  takenBack: 'Egyszer már visszavonták.',
  undoOf: 'Ez a módosítás egy korábbit vont vissza.',
  run: (id) => `${az(`${id}.`)} futás megtekintése`,
  closed: {
    by_run: 'Egy futás tette. Azt a futást vonja vissza.',
    by_system: 'A webáruház, egy vásárló vagy egy fizetési szolgáltató tette.',
    created: 'Ezzel jött létre a rekord. Inkább törölje a rekordot.',
    deleted: 'Ezzel törlődött a rekord. Hozza létre újra.',
    not_an_edit: 'Nem változtatott semmin, ami szerkesztéssel beállítható.',
    irreversible: 'Már elhagyta a házat, nem hívható vissza.',
    ledger: 'Le van könyvelve, és a könyvelés megmarad. Könyvelje le az ellenkezőjét.',
    follows: 'Más értékekből következik.',
    not_kept: 'Nem őrizzük, milyen volt.',
    forgotten: 'Olyan személyről szólt, akinek törölték az adatait.',
    gone: 'A rekord már nincs meg.',
  },
};
