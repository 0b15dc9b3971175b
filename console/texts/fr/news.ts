import { counted, countText, isOne } from '../../language/formats.ts';
import type { NewsText } from '../news.ts';

const unsent = (givenUp: number, waiting: number): string =>
  [
    ...(givenUp > 0 ? [counted(givenUp, 'abandonné', 'abandonnés')] : []),
    ...(waiting > 0 ? [`${countText(waiting)} à réessayer`] : []),
  ].join(', ');

export const news: NewsText = {
  smtp_error: {
    title: 'Les e-mails ne peuvent pas être envoyés',
    message: (givenUp, waiting, error) => `E-mails non envoyés : ${unsent(givenUp, waiting)}. Dernière erreur : ${error}`,
    unknown: 'inconnue',
  },
  low_stock: {
    title: (product) => `Stock faible : ${product}`,
    message: (product, stock) => `${product} : plus que ${countText(stock)} en stock.`,
  },
  personal_access_token_created: {
    title: 'Jeton d’accès créé',
    message: (name) => `Le jeton « ${name} » a été créé.`,
  },
  passkey_added: {
    title: 'Clé d’accès ajoutée',
    message: (name, admin) => `${admin} a une nouvelle clé d’accès : « ${name} ».`,
  },
  passkey_copied: {
    title: 'Une clé d’accès a peut-être été copiée',
    message: (name) =>
      `La clé d’accès « ${name} » a été refusée, car son compteur n’a pas augmenté. Quelqu’un en possède peut-être une copie.`,
  },
  recovery_code_used: {
    title: 'Code de récupération utilisé',
    message: (admin, left) =>
      `${admin} a utilisé un code de récupération pour configurer une nouvelle clé d’accès. Codes restants : ${countText(left)}.`,
  },
  runs: {
    ai_task_run_failed: 'Une exécution a échoué',
    ai_task_run_interrupted: 'Une exécution a été interrompue',
    ai_task_run_ended: 'Une exécution s’est terminée sans succès',
    message: (run, task, status, reason) => `Exécution ${run} de « ${task} » : ${status}${reason === undefined ? '' : ` (${reason})`}`,
  },
  ai_task_run_stuck: {
    title: 'Une exécution est peut-être bloquée',
    message: (run, task, minutes) =>
      `L’exécution ${run} de « ${task} » est en cours, mais ne progresse plus depuis ${isOne(minutes) ? 'une minute' : `${countText(minutes)} minutes`}`,
  },
  ai_task_not_started: {
    title: 'Une tâche n’a pas démarré',
    message: (task, opener, reason) => `« ${task} », ${opener} : aucune exécution n’a été lancée. ${reason}`,
    openers: {
      schedule: (id) => `planification ${id}`,
      trigger: (id) => `déclencheur ${id}`,
      hook: (id) => `hook ${id}`,
      handler: (run) => `fin de l’exécution ${run}`,
    },
    reasons: {
      not_entitled: 'L’administrateur pour qui elle agit est désactivé ou n’a plus le droit de lancer des tâches.',
      queue_full: 'L’exécution ouverte n’est pas terminée, et le nombre maximal d’échéances est déjà en attente.',
      task_paused: 'La tâche est suspendue, car sa nouvelle version a donné de moins bons résultats que la précédente.',
      task_deleted: 'La tâche est supprimée.',
      version_not_approved: 'Aucune version de la tâche n’est approuvée.',
      required: 'Un paramètre n’a pas de valeur.',
      forbidden: 'Une autorisation manque.',
      missed: 'Aucun serveur ne fonctionnait à ce moment, et l’échéance est trop ancienne pour être rattrapée.',
    },
  },
  ai_task_paused: {
    title: 'Une tâche a été suspendue',
    message: (task, before) =>
      `La nouvelle version de « ${task} » a donné de moins bons résultats que la version ${before}. La tâche ne lance plus d’exécution tant que personne n’a décidé.`,
  },
  ai_task_prompt: {
    title: 'Une exécution attend une réponse',
    dryTitle: 'Une simulation attend une réponse',
    message: (run, task) => `L’exécution ${run} de « ${task} » pose une question`,
  },
  ai_task_version_pending: {
    title: 'Une version attend une approbation',
    message: (version, task, by) => `Version ${version} de « ${task} », par ${by}`,
    onceTitle: 'Une proposition attend une décision',
    onceMessage: (task) => `La simulation de « ${task} » est terminée : son plan s’applique ou se décline depuis son examen`,
  },
  ai_task_version_commented: {
    title: 'Un commentaire sur une version',
    answerTitle: 'Une réponse à un commentaire sur une version',
    message: (by, line, version, task) => `${by} : ligne ${line} de la version ${version} de « ${task} »`,
  },
  ai_task_changes_requested: {
    title: 'Des modifications sont demandées sur une version',
    message: (by, version, task) => `${by} demande des modifications sur la version ${version} de « ${task} »`,
  },
  ai_task_plan_pending: {
    title: 'Un plan attend une deuxième personne',
    message: (by, run, task) => `${by} demande à un autre administrateur d’appliquer le plan de la simulation ${run} de « ${task} »`,
  },
  ai_task_plan_declined: {
    title: 'Un plan a été refusé',
    message: (by, run, task, reason) => `${by} a refusé le plan de la simulation ${run} de « ${task} » : ${reason}`,
  },
  policy_change_proposed: {
    title: 'Une modification des règles vous attend',
    message: (by) => `${by} propose une modification qui demande deux propriétaires`,
  },
  label_refund_failed: {
    title: 'Une étiquette n’a pas été remboursée',
    message: (order, shipment, label, error) =>
      `Commande ${order} : le transporteur n’a pas repris l’étiquette ${label} de l’expédition supprimée ${shipment} : ${error}`,
  },
  webhook_endpoint_disabled: {
    title: 'Adresse de webhook désactivée',
    gone: (url) => `${url} a été désactivée : elle a répondu 410 Gone`,
    failed: (url, attempts, error) =>
      `${url} a été désactivée : ${counted(attempts, 'tentative a échoué', 'tentatives ont échoué')}, dernière erreur : ${error}`,
  },
  storage_nearly_full: {
    title: 'Espace de stockage presque plein',
    message: (used, limit) => `Les fichiers occupent ${used} sur ${limit}.`,
  },
  mentioned: {
    title: (by) => `${by} vous a mentionné`,
    inOrder: (number) => `Dans un commentaire sur la commande ${number}.`,
    inCustomer: (id) => `Dans un commentaire sur le client ${id}.`,
  },
  mails: {
    order_placed: 'Nouvelle commande',
    inquiry_received: 'Nouvelle demande',
    task_run_failed: 'L’exécution d’une tâche a échoué',
    task_run_interrupted: 'L’exécution d’une tâche a été interrompue',
    task_run_stuck: 'L’exécution d’une tâche est peut-être bloquée',
    task_paused: 'Une tâche a été suspendue pendant l’essai de sa nouvelle version',
    task_missed: 'Une tâche n’a pas démarré comme prévu',
  },
};
