import { countText } from '../../language/formats.ts';
import type { FirstStepsText } from '../first-steps.ts';

export const firstSteps: FirstStepsText = {
  title: 'Első lépések',
  count: (done, all) => `${countText(all)} lépésből ${countText(done)} kész`,
  done: 'Kész',
  hide: 'Lista elrejtése',
  hidden: 'Az első lépések el vannak rejtve.',
  shownAgain: 'Az első lépések újra látszanak.',
  steps: {
    shop: {
      name: 'Név és pénznem',
      why: 'A vásárlók minden levélben olvassák a nevet. A pénznem az első rendeléstől kezdve nem változtatható.',
      act: 'Név megadása',
    },
    product: { name: 'Első termék', why: 'Rendelni csak olyat lehet, ami eladó.', act: 'Új termék' },
    courier: { name: 'Csomagok', why: 'A csomagcímkéhez kell a cím, ahonnan a csomagok indulnak.', act: 'Feladó megadása' },
    mail: { name: 'E-mail', why: 'Levelezőfiók nélkül a vásárlóknak szánt levelek várnak.', act: 'E-mail beállítása' },
    passkey: {
      name: 'Az Ön belépőkulcsa',
      why: 'Lépjen be ujjlenyomattal, arccal vagy képernyőzárral. Nincs jelszó, amelyet ellophatnának.',
      act: 'Belépőkulcs beállítása',
    },
    person: { name: 'Második felhasználó', why: 'Más is jóváhagyhatja, amit Ön ír.', act: 'Felhasználó meghívása' },
    task: {
      name: 'Első feladat',
      why: 'Kezdje egy példával. A próbafutás megmutatja, mit változtatna.',
      act: 'Példák megtekintése',
    },
  },
};
