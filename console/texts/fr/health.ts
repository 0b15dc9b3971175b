import { countText } from '../../language/formats.ts';
import type { HealthText } from '../health.ts';

export const health: HealthText = {
  title: (days) => `Santé sur les ${countText(days)} derniers jours`,
  byVersion: 'Par version',
  byDay: 'Par jour',
  version: (version) => (version === null ? 'Brouillon' : `Version ${version}`),
  mark: (version) => `v${version}`,
  columns: {
    version: 'Version',
    day: 'Jour',
    runs: 'Exécutions',
    success: 'Réussies',
    duration: 'Durée, p50 / p95',
    waiting: 'Attente, p50 / p95',
    effects: 'Effets',
    tokens: 'Tokens',
  },
  charts: {
    success: 'Réussies',
    duration: 'Durée',
    waiting: 'Attente d’un runner',
    effects: 'Effets par exécution',
    tokens: 'Tokens par exécution',
  },
  median: 'La moitié en',
  most: (share) => `${countText(share)} sur ${countText(100)} en`,
  from: (first, last) => `du ${first} au ${last}. Le tableau ci-dessous donne les chiffres.`,
};
