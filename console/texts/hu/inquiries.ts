import { countText } from '../../language/formats.ts';
import type { InquiriesText } from '../inquiries.ts';

export const inquiries: InquiriesText = {
  title: 'Megkeresések',
  count: (total) => `${countText(total)} megkeresés`,
  search: 'Név, e-mail vagy szöveg',
  all: 'Mind',
  waiting: 'Megválaszolatlan',
  waits: 'Válaszra vár',
  answered: 'Megválaszolva',
  columns: { subject: 'Tárgy', from: 'Feladó', state: 'Állapot', at: 'Beérkezett' },
  noSubject: 'Tárgy nélkül',
  empty: 'Még senki sem kérdezett. A kérdések a webáruházból érkeznek, vagy itt rögzíthetők.',
  one: 'Megkeresés',
  create: 'Új megkeresés',
  add: 'Hozzáadás',
  fields: { name: 'Név', email: 'E-mail', subject: 'Tárgy', body: 'Kérdés' },
  answer: 'Válasz',
  answerTo: (email) => `Címzett: ${email}`,
  send: 'Válasz küldése',
  answeredAt: (at) => `Megválaszolva: ${at}`,
  mail: (status) => `E-mail: ${status}`,
  correct: 'Javítás…',
  remove: 'Törlés…',
};
