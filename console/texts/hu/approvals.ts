import type { ApprovalsText } from '../approvals.ts';

export const approvals: ApprovalsText = {
  title: 'Jóváhagyások',
  note: 'Az összes feladat elintézésre váró ügyei',
  nothing: 'Nincs elintézésre váró ügy.',
  versions: 'Verziók',
  prompts: 'Kérdések',
  oneOff: 'egyszeri futtatásra',
  version: (number) => `${number}. verzió`,
  by: (name) => `készítette: ${name}`,
  bySomebody: 'egy már törölt felhasználó készítette',
  changesRequested: (who) => `${who} módosítást kért:`,
  somebody: 'Egy már törölt felhasználó',
  addsNothing: 'Nem kap új jogosultságot.',
  review: 'Ellenőrzés',
  refusals: {
    forbidden: 'Önnek nincs joga verziókat jóváhagyni.',
    self_approval: 'Ez a saját verziója: egy másik adminnak kell jóváhagynia.',
    permission_not_held: 'Ön nem rendelkezik minden szükséges jogosultsággal.',
  },
  question: (run) => `${run}. futás`,
  dryRun: 'próbafutás',
  waitsSince: 'várakozás kezdete:',
  answer: 'Válaszadás',
  close: 'Bezárás',
  withheld: 'Nem láthatja, amit ez a futás olvasott, ezért a kérdését sem.',
  answered: 'Megválaszolva. A futás folytatódik.',
};
