import { counted, countText } from '../../language/formats.ts';
import type { UndoText } from '../undo.ts';

const file = 'Le contenu du fichier a été supprimé avec lui. Importez de nouveau le fichier.';
const signal = 'Une exécution qui attendait le signal a continué grâce à lui. Défaites ce que cette exécution a fait.';

export const undo: UndoText = {
  act: 'Défaire…',
  selected: (count) => counted(count, 'effet sélectionné', 'effets sélectionnés'),
  clear: 'Effacer la sélection',
  ask: {
    title: (run) => `Défaire ce que l’exécution ${run} a fait ?`,
    titleSome: (count, run) => `Défaire ${counted(count, 'effet', 'effets')} de l’exécution ${run} ?`,
    detail: 'Un plan est d’abord établi, qui ne change rien. Il montre ce qui serait rétabli et ce que d’autres ont modifié depuis.',
    together: 'Ce qu’un même appel a écrit est défait ensemble.',
    what: 'Ce qui est défait',
    run: (run) => `Ce que l’exécution ${run} a fait`,
    lineage: 'Également ce qu’ont fait les exécutions qu’elle reprend et celles qui la reprennent',
    make: 'Établir le plan',
  },
  plan: {
    of: (run) => `Ce plan déferait ce qu’a fait l’exécution ${run}.`,
    chosen: (count, all) => `${counted(count, 'écriture choisie', 'écritures choisies')} sur ${countText(all)}.`,
    nothing: 'Rien de tout cela ne peut être défait pour le moment.',
    apply: 'Appliquer…',
    rows: 'Ce qui serait défait',
    filter: 'Afficher',
    all: 'Tout',
    more: 'Afficher plus',
    choose: (call) => `Défaire ${call}`,
    chooseReady: 'Choisir toutes celles qui sont prêtes',
    chooseNone: 'N’en choisir aucune',
    ofRun: (run) => `de l’exécution ${run}`,
    fresh: 'Établir un nouveau plan',
    outdated: 'La boutique a changé depuis que ce plan a été établi. Rien n’a été écrit.',
    notApplicable: 'Le plan ne peut pas être appliqué.',
  },
  confirm: {
    title: (count, run) => `Défaire ${counted(count, 'écriture', 'écritures')} de l’exécution ${run} ?`,
    detail: 'Elles sont toutes défaites, ou aucune ne l’est. Cela donne une exécution à part, que l’on peut défaire à son tour.',
    conflicts: (count) =>
      `${counted(count, 'd’entre elles a été modifiée', 'd’entre elles ont été modifiées')} depuis : ce que d’autres y ont écrit est perdu.`,
    left: (count) => `${counted(count, 'autre écriture reste telle quelle', 'autres écritures restent telles quelles')}.`,
    act: 'Défaire',
  },
  states: {
    ready: 'Prête',
    conflict: 'Modifiée depuis',
    irreversible: 'Ne peut pas être défaite',
    already_as_before: 'Déjà comme avant',
  },
  conflict: {
    label: 'Ce qui a été modifié depuis',
    field: 'Champ',
    before: 'Avant',
    run: 'Par l’exécution',
    now: 'Maintenant',
    whole: 'l’élément',
    choosable: 'Elle est laissée de côté, sauf si vous la choisissez ; la valeur d’avant est alors rétablie malgré tout.',
    made: 'Des éléments créés depuis par d’autres seraient supprimés avec elle. Elle est laissée de côté, sauf si vous la choisissez.',
    referred: 'Un élément créé depuis s’y rapporte, ou ce à quoi elle se rapporte n’existe plus. Elle ne peut pas être choisie.',
    taken: 'Un autre élément a désormais une valeur qu’un seul peut avoir. Elle ne peut pas être choisie.',
    gone: 'L’élément n’existe plus. Elle ne peut pas être choisie.',
    less: 'Il reste moins que ce qui serait retiré. Elle ne peut pas être choisie.',
  },
  notKept:
    'L’état antérieur de ses éléments n’est pas conservé : c’est trop ancien, il y en avait trop, ou il s’agissait d’une personne dont les données ont été effacées. Modifiez-les à la main.',
  stays: 'Un e-mail a également été envoyé et le reste. Écrivez de nouveau à ses destinataires.',
  instead: {
    'subscriptions.activate': 'L’abonnement court chez le prestataire de paiement, quoi qu’en sache la boutique. Résiliez-le.',
    'subscriptions.cancel':
      'Le prestataire de paiement a mis fin à l’abonnement, et son accès a pris fin avec lui. Le client peut s’abonner de nouveau.',
    'orders.create_shipment':
      'Des tarifs ont été demandés aux transporteurs, et une étiquette a peut-être été achetée depuis. Supprimez l’expédition : le prix de cette étiquette est alors redemandé.',
    'orders.buy_label': 'Le transporteur a vendu l’étiquette. Supprimez l’expédition : son prix est alors redemandé.',
    'orders.refresh_shipment': 'Cet appel enregistre ce que le transporteur a indiqué, ce qui reste vrai quoi que fasse la boutique.',
    'orders.delete_shipment':
      'Il a été demandé au transporteur de reprendre une étiquette achetée. Créez de nouveau l’expédition, ou saisissez-la de nouveau si un réseau de consignes l’a prise en charge.',
    'orders.create':
      'Une commande reste dans les comptes sous son numéro, et son client en a peut-être été informé. Annulez-la : son stock et son bon sont alors rendus.',
    'customers.delete_file': file,
    'customers.delete':
      'Les données effacées d’une personne ne peuvent pas être rétablies. Créez de nouveau le client avec ce qu’il vous indique.',
    'notifications.create': 'Des administrateurs l’ont peut-être lue. Créez une autre notification qui la corrige.',
    'media.delete': file,
    'files.delete': file,
    'inquiries.answer': 'La réponse a été envoyée par e-mail. Écrivez de nouveau à la personne.',
    'http.send': 'Un autre système a reçu la requête. Demandez-lui de l’annuler.',
    'task_runs.start': 'L’exécution qu’elle a lancée a ses propres effets. Défaites cette exécution.',
    'ai_tasks.signal_run': signal,
    'ai_tasks.signal': signal,
    'task_runs.signal': signal,
    'mails.send': 'Un e-mail ne peut pas être rappelé. Écrivez de nouveau à ses destinataires.',
  },
};
