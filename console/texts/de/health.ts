import type { HealthText } from '../health.ts';

export const health: HealthText = {
  title: 'Zustand in den letzten 30 Tagen',
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
  most: '95 von 100 in',
  from: (first, last) => `von ${first} bis ${last}. Die Zahlen stehen in der Tabelle darunter.`,
};
