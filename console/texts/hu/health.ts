import { countText } from '../../language/formats.ts';
import type { HealthText } from '../health.ts';

export const health: HealthText = {
  title: (days) => `Állapot az elmúlt ${countText(days)} napban`,
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
  most: (share) => `${countText(100)}-ból ${countText(share)} ennyi időn belül`,
  from: (first, last) => `${first} és ${last} között. A számok az alatta lévő táblázatban vannak.`,
};
