import { az } from '../../language/hungarian-article.ts';
import type { ListActsText } from '../list-acts.ts';

export const listActs: ListActsText = {
  views: {
    shared: 'megosztott',
    save: 'Mentés nézetként',
    saveSubmit: 'Nézet mentése',
    name: 'Név',
    share: 'Minden admin lássa',
    update: (name) => `Módosítások mentése ide: „${name}”`,
    remove: 'Nézet törlése',
    removeTitle: (name) => `Törli ezt a nézetet: „${name}”?`,
    removeShared: 'Minden admin elől eltűnik. A benne felsoroltak változatlanok maradnak.',
    removeOwn: 'A benne felsoroltak változatlanok maradnak.',
  },
  columns: 'Oszlopok',
  usualColumns: 'Alapértelmezett oszlopok',
  selected: (count) => `${count} kijelölve`,
  selectAll: (total, words) => `Mind ${az(total)} kijelölése${words === '' ? '' : ` (${words})`}`,
  clear: 'Kijelölés törlése',
  working: (done, total) => `${done} / ${total}…`,
  failed: (count) => `${count} nem módosítható:`,
  more: (count) => `és még ${count}`,
  export: 'Exportálás CSV-be',
  exportMax: (most) => `Egy fájlban legfeljebb ${most} sor lehet. Szűkítse a szűrőket.`,
  runTask: 'Feladat futtatása rajtuk…',
  run: {
    title: (count) => `Feladat futtatása ${count} kijelölt elemen`,
    find: 'Feladat keresése',
    none: (kind) => `Nincs feladat, amely fogadná őket. Ehhez egy feladatnak ${kind} típusú paramétert kell deklarálnia.`,
    noneFound: 'Nincs ilyen nevű feladat, amely fogadná őket.',
    chosen: (name, count) => `${name}, ${count} kijelölt elemen.`,
    dryFirst: 'Előbb próbafutás: megmutatja, mi módosulna, de semmit sem módosít',
    dry: 'Próbafutás indítása',
    live: 'Futtatás most',
    other: 'Másik feladat',
  },
};
