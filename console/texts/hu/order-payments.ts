import type { PaymentsText } from '../order-payments.ts';

export const orderPayments: PaymentsText = {
  title: 'Fizetések',
  notManual: (provider) =>
    provider === ''
      ? 'Ennél a rendelésnél nincs kézzel rendezendő fizetés, ezért fizetési bejegyzései sincsenek.'
      : `Ezt a rendelést ezen keresztül fizetik: ${provider}. Fizetés csak a kézzel rendezett rendeléseknél rögzíthető.`,
  none: 'Még nincs rögzített fizetés.',
  paidWithoutRecords:
    'Ez a rendelés kifizetettként jött létre, bejegyzés nélkül. Az első, végösszeg alatti bejegyzéssel függőbe kerül, amíg a bejegyzések el nem érik a végösszeget.',
  progress: 'Befizetve',
  total: 'Végösszeg',
  paid: 'Kifizetve',
  open: 'Hátralék',
  tooMuch: 'Túlfizetés',
  paidOn: 'kifizetve',
  notPaid: 'még nincs kifizetve',
  markPaid: 'Kifizetettnek jelölés',
  markUnpaid: 'Kifizetetlennek jelölés',
  edit: 'Szerkesztés',
  up: (label) => `Feljebb: ${label}`,
  down: (label) => `Lejjebb: ${label}`,
  acts: (label) => `Fizetés: ${label}`,
  add: 'Fizetés hozzáadása',
  addSubmit: 'Hozzáadás',
  save: 'Fizetés mentése',
  label: 'Megnevezés',
  labelHint: 'Például előleg, átutalás, készpénz',
  amount: 'Összeg',
  isPaid: 'Ki van fizetve',
  note: 'Megjegyzés',
  deleteTitle: (label) => `Törli ezt a fizetést: „${label}”?`,
  deleteDetail: (money) => `${money}. A rendelés fizetési állapota újraszámítódik. A törlés nem vonható vissza.`,
};
