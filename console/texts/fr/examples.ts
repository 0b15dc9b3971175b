import { counted, countText } from '../../language/formats.ts';
import type { ExamplesText } from '../examples.ts';

export const examples: ExamplesText = {
  title: 'Nouvelle tâche',
  note: 'Partez d’un exemple et modifiez ce que vous voulez, ou commencez à vide.',
  inEmptyShop: 'Partir d’un exemple',
  search: 'Que doit faire la tâche ?',
  all: 'Tous',
  topics: {
    orders: 'Commandes',
    products: 'Produits et stocks',
    customers: 'Clients',
    marketing: 'E-mails et codes promo',
    reports: 'Rapports',
    connections: 'Autres systèmes',
  },
  startEmpty: 'Commencer à vide',
  back: 'Tous les exemples',
  noMatch: 'Aucun exemple ne correspond.',
  drop: 'Tout afficher',
  may: 'Autorisations',
  parameters: 'Paramètres',
  noParameters: 'Aucun',
  required: 'obligatoire',
  plan: 'Ce qui serait modifié',
  planOf: (writes) =>
    writes === 0
      ? 'Une simulation sur une boutique d’exemple ne modifie rien et trouve ceci :'
      : `Une simulation sur une boutique d’exemple : ${counted(writes, 'modification', 'modifications')}.`,
  varies: 'par exemple',
  found: (count, status) => `${countText(count)} × ${status}`,
  andMore: '…',
  files: 'Fichiers à télécharger',
  source: 'Code',
  test: 'Son test, pour la ligne de commande',
  tryIt: 'Essayer',
  tryNote: 'Une simulation sur votre propre boutique : elle lit les données et ne conserve rien. Aucune tâche n’est créée.',
  tryRun: 'Lancer la simulation',
  tryCancel: 'Annuler',
  start: 'Partir de cet exemple',
  startNote: 'Cela crée votre propre tâche. Rien n’est exécuté avant que vous ne la lanciez.',
  from: (title) => `D’après l’exemple « ${title} »`,
};
