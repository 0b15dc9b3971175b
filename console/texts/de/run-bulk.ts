import type { BulkAction } from '../../../contract/run-bulk.ts';
import { counted, countText, isOne } from '../../language/formats.ts';
import type { RunBulkText } from '../run-bulk.ts';

const details: Record<BulkAction, (count: number) => string> = {
  cancel: (count) => `${counted(count, 'Lauf wird', 'Läufe werden')} abgebrochen`,
  resume: (count) => `${counted(count, 'Lauf wird', 'Läufe werden')} fortgesetzt`,
  retry: (count) => `${counted(count, 'Lauf wird', 'Läufe werden')} mit derselben Version und denselben Parametern erneut gestartet`,
  replay: (count) => `${counted(count, 'Lauf wird', 'Läufe werden')} wiedergegeben`,
};
const others: Record<BulkAction, (count: number) => string> = {
  cancel: (count) => (isOne(count) ? 'ist bereits beendet' : 'sind bereits beendet'),
  resume: (count) => (isOne(count) ? 'ist nicht unterbrochen' : 'sind nicht unterbrochen'),
  retry: (count) =>
    isOne(count) ? 'läuft noch, wurde fortgesetzt oder ist eine Wiedergabe' : 'laufen noch, wurden fortgesetzt oder sind Wiedergaben',
  replay: (count) => (isOne(count) ? 'läuft noch oder wurde nicht aufgezeichnet' : 'laufen noch oder wurden nicht aufgezeichnet'),
};
const ends: Record<BulkAction, string> = {
  cancel: ' Was bisher geschrieben wurde, bleibt erhalten.',
  resume: '',
  retry: ' Was dabei schon geschrieben wurde, wird noch einmal geschrieben.',
  replay: ' Eine Wiedergabe ändert nichts im Shop.',
};

export const runBulk: RunBulkText = {
  selected: (count) => `${countText(count)} ausgewählt`,
  clear: 'Auswahl aufheben',
  close: 'Schließen',
  back: 'Unverändert lassen',
  open: 'Aktion für alle …',
  all: 'Alle passenden Läufe',
  everything: 'Alle Läufe aller Aufgaben',
  action: 'Aktion',
  tooMany: 'Es sind mehr als 1.000 Treffer, oder nicht alle Protokolle konnten durchsucht werden. Schränken Sie zuerst die Filter ein.',
  acts: {
    cancel: {
      name: 'Abbrechen',
      act: (count) => `${counted(count, 'Lauf', 'Läufe')} abbrechen`,
      preview: (count) => `${counted(count, 'Lauf ist', 'Läufe sind')} noch nicht beendet.`,
      none: 'Alle davon sind bereits beendet.',
      done: (count) => `${counted(count, 'Lauf wurde', 'Läufe wurden')} abgebrochen.`,
    },
    resume: {
      name: 'Fortsetzen',
      act: (count) => `${counted(count, 'Lauf', 'Läufe')} fortsetzen`,
      preview: (count) => `${counted(count, 'Lauf ist', 'Läufe sind')} unterbrochen.`,
      none: 'Keiner davon ist unterbrochen.',
      done: (count) => `${counted(count, 'Lauf wurde', 'Läufe wurden')} fortgesetzt.`,
    },
    retry: {
      name: 'Erneut starten',
      act: (count) => `${counted(count, 'Lauf', 'Läufe')} erneut starten`,
      preview: (count) =>
        isOne(count)
          ? '1 Lauf ist beendet; er wird mit seiner Version und seinen Parametern erneut gestartet.'
          : `${countText(count)} Läufe sind beendet; jeder wird mit seiner Version und seinen Parametern erneut gestartet.`,
      none: 'Keiner davon ist beendet.',
      done: (count) => `${counted(count, 'Lauf wurde', 'Läufe wurden')} erneut gestartet.`,
    },
    replay: {
      name: 'Wiedergeben',
      act: (count) => `${counted(count, 'Lauf', 'Läufe')} wiedergeben`,
      preview: (count) => `${counted(count, 'Lauf wurde', 'Läufe wurden')} aufgezeichnet.`,
      none: 'Keiner davon wurde aufgezeichnet.',
      done: (count) => `${counted(count, 'Wiedergabe wurde', 'Wiedergaben wurden')} gestartet.`,
    },
  },
  detail: (act, count, rest) =>
    `${details[act](count)}${rest === 0 ? '' : `; ${countText(rest)} der ausgewählten ${others[act](rest)}`}.${ends[act]}`,
  ends,
  more: (count) => `und ${counted(count, 'weiterer Lauf', 'weitere Läufe')}`,
  refused: (count) => `Bei ${countText(count)} war es nicht möglich:`,
};
