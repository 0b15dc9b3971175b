import { countText } from '../../language/formats.ts';
import type { OrderStatusText } from '../order-status.ts';

export const orderStatus: OrderStatusText = {
  cancelTitle: (count, shown) => (count === 1 ? 'Sztornózza ezt a rendelést?' : `Sztornóz ${shown} rendelést?`),
  cancelAct: (count, shown) => (count === 1 ? 'Rendelés sztornózása' : `${shown} rendelés sztornózása`),
  deliverTitle: 'Kézbesítettnek jelöli a rendelést?',
  deliverAct: 'Megjelölés kézbesítettként',
  keep: (count) => (count === 1 ? 'Rendelés megtartása' : 'Rendelések megtartása'),
  pieces: (count) => `${countText(count)} darab kerül vissza a készletbe.`,
  noPieces: 'Semmi sem kerül vissza a készletbe.',
  sent: (count) => `${countText(count)} már feladott rendelés készlete nem kerül vissza.`,
  vouchers: (count) => `${countText(count)} rendelés kuponja újra felhasználható.`,
  paid: (count) => `${countText(count)} rendelés részben vagy egészben ki van fizetve: ezzel nem jár vissza pénz.`,
  paidOfOne: (money) => `Erre már befolyt ${money}: ezzel nem jár vissza pénz.`,
  labels: (count) => `${countText(count)} megvett csomagcímke megmarad. Az ára visszakéréséhez távolítsa el a küldeményt.`,
  downloads: (count) => `${countText(count)} letöltési hivatkozás megszűnik.`,
  accesses: (count) => `${countText(count)} csoporthozzáférés megszűnik.`,
  newDownloads: (count) => `A vásárlók ${countText(count)} letöltési hivatkozást kapnak; az állapot visszaállítása nem szünteti meg őket.`,
  noMail: (count) => `A webáruház erről nem küld e-mailt ${count === 1 ? 'a vásárlónak' : 'a vásárlóknak'}.`,
  tasks: (count) => `${countText(count)} feladat figyeli ezt az eseményt, és elindulhat.`,
  reopening: 'Az újranyitás ismét lefoglalja a készletet és a kupont, ha még rendelkezésre állnak.',
  already: (count, status) => `${countText(count)} rendelés állapota már most is ez: ${status.toLowerCase()}.`,
  wasAlready: (count, status) => `${countText(count)} rendelés állapota már korábban is ez volt: ${status.toLowerCase()}.`,
  undone: (count) => `Visszavonva: ${countText(count)} rendelés ismét a korábbi állapotában van.`,
  notUndone: (count) => `${countText(count)} azóta módosított rendelés változatlan marad.`,
  notUndoneFor: (count, why) => `${countText(count)} rendelés nem változik: ${why}.`,
};
