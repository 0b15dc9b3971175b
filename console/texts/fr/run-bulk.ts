import type { BulkAction } from '../../../contract/run-bulk.ts';
import { counted, countText, isOne } from '../../language/formats.ts';
import type { RunBulkText } from '../run-bulk.ts';

const details: Record<BulkAction, (count: number) => string> = {
  cancel: (count) => counted(count, 'exécution sera annulée', 'exécutions seront annulées'),
  resume: (count) => counted(count, 'exécution sera reprise', 'exécutions seront reprises'),
  retry: (count) =>
    `${counted(count, 'exécution sera relancée', 'exécutions seront relancées')} avec la même version et les mêmes paramètres`,
  replay: (count) => counted(count, 'exécution sera rejouée', 'exécutions seront rejouées'),
};
const others: Record<BulkAction, (count: number) => string> = {
  cancel: (count) => (isOne(count) ? 'est déjà terminée' : 'sont déjà terminées'),
  resume: (count) => (isOne(count) ? 'n’est pas interrompue' : 'ne sont pas interrompues'),
  retry: (count) => (isOne(count) ? 'est en cours, a été reprise ou est un rejeu' : 'sont en cours, ont été reprises ou sont des rejeux'),
  replay: (count) => (isOne(count) ? 'est en cours ou n’a pas été enregistrée' : 'sont en cours ou n’ont pas été enregistrées'),
};
const ends: Record<BulkAction, string> = {
  cancel: ' Ce qui a déjà été écrit est conservé.',
  resume: '',
  retry: ' Ce qui avait déjà été écrit le sera une seconde fois.',
  replay: ' Un rejeu ne modifie rien dans la boutique.',
};

export const runBulk: RunBulkText = {
  selected: (count) => counted(count, 'sélectionnée', 'sélectionnées'),
  clear: 'Désélectionner',
  close: 'Fermer',
  back: 'Ne rien changer',
  open: 'Agir sur toutes…',
  all: 'Toutes les exécutions correspondantes',
  everything: 'Toutes les exécutions de toutes les tâches',
  action: 'Action',
  tooMany: 'Plus de 1 000 correspondent, ou tous les journaux n’ont pas pu être parcourus. Précisez d’abord les filtres.',
  acts: {
    cancel: {
      name: 'Annuler',
      act: (count) => `Annuler ${counted(count, 'exécution', 'exécutions')}`,
      preview: (count) => `${counted(count, 'exécution est', 'exécutions sont')} encore en cours.`,
      none: 'Aucune n’est encore en cours.',
      done: (count) => `${counted(count, 'exécution a été annulée', 'exécutions ont été annulées')}.`,
    },
    resume: {
      name: 'Reprendre',
      act: (count) => `Reprendre ${counted(count, 'exécution', 'exécutions')}`,
      preview: (count) => `${counted(count, 'exécution est interrompue', 'exécutions sont interrompues')}.`,
      none: 'Aucune n’est interrompue.',
      done: (count) => `${counted(count, 'exécution a été reprise', 'exécutions ont été reprises')}.`,
    },
    retry: {
      name: 'Relancer',
      act: (count) => `Relancer ${counted(count, 'exécution', 'exécutions')}`,
      preview: (count) =>
        `${counted(count, 'exécution est terminée', 'exécutions sont terminées')} ; chacune est relancée avec sa version et ses paramètres.`,
      none: 'Aucune n’est terminée.',
      done: (count) => `${counted(count, 'exécution a été relancée', 'exécutions ont été relancées')}.`,
    },
    replay: {
      name: 'Rejouer',
      act: (count) => `Rejouer ${counted(count, 'exécution', 'exécutions')}`,
      preview: (count) => `${counted(count, 'exécution a été enregistrée', 'exécutions ont été enregistrées')}.`,
      none: 'Aucune n’a été enregistrée.',
      done: (count) => `${counted(count, 'rejeu a été lancé', 'rejeux ont été lancés')}.`,
    },
  },
  detail: (act, count, rest) =>
    `${details[act](count)}${rest === 0 ? '' : ` ; dans la sélection, ${countText(rest)} ${others[act](rest)}`}.${ends[act]}`,
  ends,
  more: (count) => `et ${counted(count, 'autre', 'autres')}`,
  refused: (count) => `Impossible pour ${counted(count, 'exécution', 'exécutions')} :`,
};
