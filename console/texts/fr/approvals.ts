import type { ApprovalsText } from '../approvals.ts';

export const approvals: ApprovalsText = {
  title: 'Approbations',
  note: 'Ce qui attend une décision, toutes tâches confondues',
  nothing: 'Aucune décision en attente.',
  versions: 'Versions',
  prompts: 'Questions',
  oneOff: 'à exécuter une seule fois',
  version: (number) => `version ${number}`,
  by: (name) => `par ${name}`,
  bySomebody: 'par un utilisateur supprimé',
  changesRequested: (who) => `${who} a demandé des modifications :`,
  somebody: 'Quelqu’un',
  addsNothing: 'Aucune autorisation supplémentaire.',
  review: 'Examiner',
  refusals: {
    forbidden: 'Vous n’êtes pas autorisé à approuver des versions.',
    self_approval: 'C’est votre propre version : un autre administrateur doit l’approuver.',
    permission_not_held: 'Vous n’avez pas toutes les autorisations qu’elle demande.',
  },
  question: (run) => `exécution ${run}`,
  dryRun: 'simulation',
  waitsSince: 'en attente depuis le',
  answer: 'Répondre',
  close: 'Fermer',
  withheld: 'Vous ne pouvez pas voir ce que cette exécution a lu, donc pas non plus sa question.',
  answered: 'Réponse envoyée. L’exécution continue.',
};
