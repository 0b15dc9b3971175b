import type { Phrases } from './phrases.ts';

export const hu: Phrases = {
  hello: 'Kedves {name}!',
  helloUnnamed: 'Jó napot kívánunk!',
  bye: 'Üdvözlettel\n{shop}',
  order_confirmation: {
    subject: 'Rendelés visszaigazolása: {order} – {shop}',
    intro: 'Köszönjük a rendelését. Ezt jegyeztük fel:',
  },
  order_updated: {
    subject: 'Módosult a rendelése: {order} – {shop}',
    intro: 'A rendelése módosult. Jelenleg így áll:',
    totalBefore: 'Végösszeg a módosítás előtt',
  },
  order_placed: {
    subject: 'Új rendelés: {order} – {shop}',
    intro: 'Rendelés érkezett:',
    by: 'Megrendelő',
  },
  inquiry_received: {
    subject: 'Új megkeresés – {shop}',
    intro: 'Megkeresés érkezett:',
    from: 'Feladó',
    about: 'Tárgy',
  },
  inquiry_answer: {
    subject: 'Válasz a megkeresésére – {shop}',
    question: 'Ezt kérdezte:',
  },
  task_run_failed: {
    subject: 'A(z) „{task}” feladat sikertelen – {shop}',
    intro: 'Egy feladat futása sikertelenül ért véget:',
  },
  task_run_interrupted: {
    subject: 'A(z) „{task}” feladat megszakadt – {shop}',
    intro: 'Egy feladat futása megszakadt:',
  },
  task_run_stuck: {
    subject: 'A(z) „{task}” feladat talán elakadt – {shop}',
    intro: 'Egy feladat fut, de nem ad jelet arról, hogy haladna:',
  },
  task_paused: {
    subject: '{shop}: a(z) „{task}” feladat szünetel',
    intro: 'Egy feladat új verziója rosszabbul teljesített, mint az előző. A feladat nem indít futást, amíg valaki nem dönt:',
  },
  task_missed: {
    subject: 'A(z) „{task}” feladat nem indult el – {shop}',
    intro: 'Egy feladat nem indult el, amikor kellett volna:',
  },
  task_news: { task: 'Feladat', times: 'Hányszor az utolsó levél óta', run: 'Legutóbbi futás', reason: 'Ok' },
  set_password: {
    subject: 'Fiókja itt: {shop}',
    intro: 'Fiókot hoztunk létre a(z) {address} címhez. Üzlet: {shop}.',
    choose: 'Jelszava még nincs. Ha megadna egyet, kérjen új jelszót a bejelentkezési oldalunkon ezzel a címmel.',
    ignore: 'Ha nem kért fiókot, nincs teendője.',
  },
  admin_invitation: {
    subject: '{by} meghívja Önt ide: {shop}',
    intro: '{by} meghívja Önt, hogy dolgozzon a(z) {shop} kezelőfelületén. A csatlakozáshoz nyissa meg ezt a linket:',
    once: 'Egyszer használható, eddig: {until}.',
    ignore: 'Ha nem számított erre, nincs teendője.',
  },
  sign_in_link: {
    subject: 'Bejelentkezési link: {shop}',
    intro: 'A(z) {shop} kezelőfelületére ezzel a linkkel jelentkezhet be. Egyszer használható, {minutes} percen belül:',
    ignore: 'Ha nem Ön kérte, nincs teendője: e levél nélkül senki sem tud bejelentkezni.',
  },
  unsubscribe: {
    link: 'Nem szeretne több ilyen levelet? Leiratkozás:',
    question: 'Nem szeretne több hírt és ajánlatot kapni e-mailben a következő bolttól: {shop}?',
    button: 'Leiratkozás',
    done: 'Nem kap több hírt és ajánlatot a következő bolttól: {shop}.',
    unknown: 'Ez a hivatkozás már nem érvényes.',
  },
  orderNumber: 'Rendelésszám',
  deliveryDate: 'Várható kiszállítás',
  pickUpAt: 'Átvétel helye',
  shippedTo: 'Szállítási cím',
  notes: 'Megjegyzése',
  subtotal: 'Részösszeg',
  discount: 'Kedvezmény',
  shipping: 'Szállítás',
  tax: 'Adó',
  taxIncluded: 'Tartalmazott adó',
  total: 'Végösszeg',
};
