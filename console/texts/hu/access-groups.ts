import { countText } from '../../language/formats.ts';
import { az } from '../../language/hungarian-article.ts';
import type { AccessGroupsText } from '../access-groups.ts';

export const accessGroups: AccessGroupsText = {
  title: 'Hozzáférési csoportok',
  count: (total) => `${countText(total)} hozzáférési csoport`,
  search: 'Név',
  empty:
    'Még nincs hozzáférési csoport. A csoport fájlokat és oldalakat nyit meg a tagjainak, akik vásárlással vagy kézi felvétellel kerülnek bele.',
  create: 'Új hozzáférési csoport',
  add: 'Hozzáadás',
  back: 'Összes hozzáférési csoport',
  details: 'Adatok',
  slugHint: 'Ezen a néven hivatkoznak a csoportra a webáruház sablonjai.',
  fields: { name: 'Név', slug: 'Rövid név', description: 'Leírás' },
  remove: 'Törlés…',
  removal: (members) =>
    members === 0
      ? 'A fájljai és az oldalai megmaradnak, de ezen a csoporton keresztül többé semmi sem ad hozzáférést.'
      : `${members === 1 ? 'Egyetlen tagja' : `Mind ${az(countText(members))} tagja`} azonnal elveszíti a hozzáférését. A fájljai és az oldalai megmaradnak.`,
  forever: 'lejárat nélkül',
  files: { title: 'Fájlok', none: 'Még nincs fájl.', find: 'Meglévő fájl hozzáadása' },
  pages: { title: 'Oldalak', none: 'Még nincs oldal.', find: 'Oldal hozzáadása' },
  products: {
    title: 'Termékek',
    none: 'Egyik termék sem ad hozzáférést. Ez a terméknél állítható be.',
    subscription: 'amíg az előfizetés él',
    days: (days) => `${countText(days)} nap`,
  },
  members: {
    title: 'Tagok',
    none: 'Még senkinek sincs hozzáférése.',
    grant: 'Hozzáférés megadása…',
    give: 'Hozzáférés megadása',
    customer: 'Vásárló',
    expires: 'Lejárat',
    expiresHint: 'Üresen: nem jár le.',
    note: 'Megjegyzés',
    revokeTitle: (name) => `Visszavonja ${name} hozzáférését?`,
  },
};
