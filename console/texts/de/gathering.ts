import { countText } from '../../language/formats.ts';
import type { GatheringText } from '../gathering.ts';

export const gathering: GatheringText = {
  title: 'Wenn viele kommen',
  how: 'Mehrere nacheinander',
  hows: {
    single: 'jedes startet einen Lauf',
    debounce: 'ein Lauf, für das letzte',
    batch: 'ein Lauf, für alle zusammen',
  },
  seconds: { debounce: 'Warten nach dem letzten', batch: 'Sammeln ab dem ersten' },
  second: 's',
  max: 'Höchstens in einem Lauf',
  key: 'Getrennt nach',
  delay: 'Später starten um',
  delayHint: 'Leer: sofort.',
  ttl: 'Nicht mehr starten nach',
  ttlHint: 'Leer: auch noch spät.',
  rate: 'Läufe pro Minute, höchstens',
  rateHint: 'Leer: so viele, wie kommen.',
  overflow: 'Was darüber liegt',
  overflows: { queue: 'wartet, bis es an der Reihe ist', skip: 'wird ausgelassen' },
  rateKey: 'Getrennt gezählt nach',
  eventKey: 'Ein Feld des Ereignisses. Leer: alle zusammen.',
  callKey: 'Zum Beispiel body.order_id oder query.id. Leer: alle zusammen.',
  waiting: 'Noch nicht gestartet',
  items: (items) => `${countText(items)} gesammelt`,
  keyed: (name, value, items) => `${name} ${value}: ${countText(items)} gesammelt`,
  due: (at) => `Start ${at}`,
  behind: 'wartet, bis es an der Reihe ist',
  openNow: 'Jetzt starten',
  drop: 'Auslassen',
};
