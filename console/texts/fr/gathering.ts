import { counted } from '../../language/formats.ts';
import type { GatheringText } from '../gathering.ts';

export const gathering: GatheringText = {
  title: 'Quand il y en a beaucoup',
  how: 'Plusieurs à la suite',
  hows: {
    single: 'chacun lance une exécution',
    debounce: 'une exécution, pour le dernier',
    batch: 'une exécution, pour tous',
  },
  seconds: { debounce: 'Attendre après le dernier', batch: 'Regrouper à partir du premier' },
  second: 's',
  max: 'Par exécution, au plus',
  key: 'Séparément pour chaque',
  delay: 'Lancer plus tard de',
  delayHint: 'Vide : tout de suite.',
  ttl: 'Ne plus lancer après',
  ttlHint: 'Vide : même en retard.',
  rate: 'Exécutions par minute, au plus',
  rateHint: 'Vide : autant qu’il en vient.',
  overflow: 'Ce qui dépasse',
  overflows: { queue: 'attend son tour', skip: 'est laissé de côté' },
  rateKey: 'Compter séparément pour chaque',
  eventKey: 'Un champ de l’événement. Vide : tous ensemble.',
  callKey: 'Par exemple body.order_id ou query.id. Vide : tous ensemble.',
  waiting: 'Pas encore lancé',
  items: (items) => counted(items, 'regroupé', 'regroupés'),
  keyed: (name, value, items) => `${name} ${value} : ${counted(items, 'regroupé', 'regroupés')}`,
  due: (at) => `lancement ${at}`,
  behind: 'attend son tour',
  openNow: 'Lancer maintenant',
  drop: 'Laisser de côté',
};
