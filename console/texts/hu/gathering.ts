import { countText } from '../../language/formats.ts';
import type { GatheringText } from '../gathering.ts';

export const gathering: GatheringText = {
  title: 'Ha sok érkezik',
  how: 'Több egymás után',
  hows: {
    single: 'mindegyik elindít egy futást',
    debounce: 'egy futás, az utolsóra',
    batch: 'egy futás, mindegyikre együtt',
  },
  seconds: { debounce: 'Várakozás az utolsó után', batch: 'Gyűjtés az elsőtől kezdve' },
  second: 's',
  max: 'Egy futásban legfeljebb',
  key: 'Külön ezek szerint',
  delay: 'Később induljon ennyivel',
  delayHint: 'Üresen: azonnal.',
  ttl: 'Ennyi idő után már ne induljon',
  ttlHint: 'Üresen: késve is.',
  rate: 'Futás percenként, legfeljebb',
  rateHint: 'Üresen: ahány érkezik.',
  overflow: 'Ami ezen felül van',
  overflows: { queue: 'megvárja a sorát', skip: 'kimarad' },
  rateKey: 'Külön számolva ezek szerint',
  eventKey: 'Az esemény egyik mezője. Üresen: mind együtt.',
  callKey: 'Például body.order_id vagy query.id. Üresen: mind együtt.',
  waiting: 'Még nem indult el',
  items: (items) => `${countText(items)} összegyűjtve`,
  keyed: (name, value, items) => `${name} ${value}: ${countText(items)} összegyűjtve`,
  due: (at) => `indulás: ${at}`,
  behind: 'a sorára vár',
  openNow: 'Indítás most',
  drop: 'Kihagyás',
};
