import type { HealthText } from '../health.ts';

export const health: HealthText = {
  title: 'Állapot az elmúlt 30 napban',
  byVersion: 'Verziónként',
  byDay: 'Naponként',
  version: (version) => (version === null ? 'Vázlat' : `${version}. verzió`),
  mark: (version) => `v${version}`,
  columns: {
    version: 'Verzió',
    day: 'Nap',
    runs: 'Futások',
    success: 'Sikeres',
    duration: 'Időtartam, p50 / p95',
    waiting: 'Várakozás, p50 / p95',
    effects: 'Módosítás',
    tokens: 'Token',
  },
  charts: {
    success: 'Sikeres',
    duration: 'Időtartam',
    waiting: 'Várakozás futtatóra',
    effects: 'Módosítás futásonként',
    tokens: 'Token futásonként',
  },
  median: 'A fele ennyi időn belül',
  most: '100-ból 95 ennyi időn belül',
  from: (first, last) => `${first} és ${last} között. A számok az alatta lévő táblázatban vannak.`,
};
