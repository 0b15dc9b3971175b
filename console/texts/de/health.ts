import { countText } from '../../language/formats.ts';
import type { HealthText } from '../health.ts';

export const health: HealthText = {
  title: (days) => `Zustand in den letzten ${countText(days)} Tagen`,
  byVersion: 'Nach Version',
  byDay: 'Nach Tag',
  version: (version) => (version === null ? 'Entwurf' : `Version ${version}`),
  mark: (version) => `v${version}`,
  columns: {
    version: 'Version',
    day: 'Tag',
    runs: 'Läufe',
    success: 'Erfolgreich',
    duration: 'Dauer, p50 / p95',
    waiting: 'Warten, p50 / p95',
    effects: 'Auswirkungen',
    tokens: 'Token',
  },
  charts: {
    success: 'Erfolgreich',
    duration: 'Dauer',
    waiting: 'Warten auf einen Runner',
    effects: 'Auswirkungen je Lauf',
    tokens: 'Token je Lauf',
  },
  median: 'Die Hälfte in',
  most: (share) => `${countText(share)} von ${countText(100)} in`,
  from: (first, last) => `von ${first} bis ${last}. Die Zahlen stehen in der Tabelle darunter.`,
};
