import type { JoinText } from '../join.ts';

export const join: JoinText = {
  title: (shop) => `Üdvözöljük! (${shop})`,
  invited: (by, role) =>
    role === null ? `${by} meghívta Önt, hogy itt dolgozzon.` : `${by} meghívta Önt, hogy itt dolgozzon. Szerepkör: ${role}.`,
  owner: 'Tulajdonos',
  name: 'Az Ön neve',
  nameHint: 'A többiek ezt látják a műveletei mellett.',
  missing: 'Adja meg a nevét.',
  address: (email) => `Legközelebb az erre a címre küldött hivatkozással jelentkezhet be: ${email}.`,
  keep: 'Bejelentkezve maradok ezen az eszközön',
  join: 'Csatlakozás',
  instead: 'Ebben a böngészőben már be van jelentkezve valaki. Ha csatlakozik, Ön lép a helyére.',
  refused: 'Ezt a meghívást már felhasználták, visszavonták, vagy túl régi. Kérje meg a meghívóját, hogy küldje el újra.',
};
