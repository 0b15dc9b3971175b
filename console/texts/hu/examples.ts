import { countText } from '../../language/formats.ts';
import type { ExamplesText } from '../examples.ts';

export const examples: ExamplesText = {
  title: 'Új feladat',
  note: 'Induljon ki egy példából, és módosítsa kedve szerint; vagy kezdje üresen.',
  inEmptyShop: 'Induljon ki egy példából',
  search: 'Mit tegyen?',
  all: 'Mind',
  topics: {
    orders: 'Rendelések',
    products: 'Termékek és készlet',
    customers: 'Vásárlók',
    marketing: 'E-mailek és kuponok',
    reports: 'Kimutatások',
    connections: 'Más rendszerek',
  },
  startEmpty: 'Kezdés üresen',
  back: 'Összes példa',
  noMatch: 'Nincs ilyen példa.',
  drop: 'Összes megjelenítése',
  may: 'Jogosultságok',
  parameters: 'Paraméterek',
  noParameters: 'Nincs',
  required: 'kötelező',
  plan: 'Mit módosítana',
  planOf: (writes) =>
    writes === 0
      ? 'Egy minta-webáruházban a próbafutás semmit sem módosít, és ezt találja:'
      : `Próbafutás egy minta-webáruházban: ${writes} módosítás.`,
  varies: 'például',
  found: (count, status) => `${countText(count)} × ${status}`,
  andMore: '…',
  files: 'Letölthető fájlok',
  source: 'Forráskód',
  test: 'A tesztje, parancssorhoz',
  tryIt: 'Kipróbálás',
  tryNote: 'Próbafutás a saját webáruházában: olvas, de semmit sem őriz meg. Feladat nem jön létre.',
  tryRun: 'Próbafutás indítása',
  tryCancel: 'Mégse',
  start: 'Kezdés ezzel a példával',
  startNote: 'Saját feladatot hoz létre belőle. Semmi sem fut, amíg el nem indítja.',
  from: (title) => `Ebből a példából: „${title}”`,
};
