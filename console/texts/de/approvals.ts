import type { ApprovalsText } from '../approvals.ts';

export const approvals: ApprovalsText = {
  title: 'Freigaben',
  note: 'Alles, was auf eine Entscheidung wartet – über alle Aufgaben hinweg',
  nothing: 'Es gibt nichts zu entscheiden.',
  versions: 'Versionen',
  prompts: 'Rückfragen',
  oneOff: 'zum einmaligen Ausführen',
  version: (number) => `Version ${number}`,
  by: (name) => `von ${name}`,
  bySomebody: 'von einem gelöschten Benutzer',
  changesRequested: (who) => `Änderungen angefordert von ${who}:`,
  somebody: 'einem gelöschten Benutzer',
  addsNothing: 'Sie darf nicht mehr als bisher.',
  review: 'Prüfen',
  refusals: {
    forbidden: 'Sie dürfen keine Versionen freigeben.',
    self_approval: 'Sie stammt von Ihnen: Ein anderer Admin muss sie freigeben.',
    permission_not_held: 'Ihnen fehlen Berechtigungen, die sie nutzt.',
  },
  question: (run) => `Lauf ${run}`,
  dryRun: 'Probelauf',
  waitsSince: 'wartet seit',
  answer: 'Antworten',
  close: 'Schließen',
  withheld: 'Was dieser Lauf gelesen hat, dürfen Sie nicht sehen, und damit auch nicht seine Rückfrage.',
  answered: 'Beantwortet. Der Lauf geht weiter.',
};
