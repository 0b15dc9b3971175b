import { counted } from '../../language/formats.ts';
import type { ThemesText } from '../themes.ts';

export const themes: ThemesText = {
  title: 'Thèmes',
  count: (total) => counted(total, 'thème', 'thèmes'),
  name: 'Nom',
  state: 'État',
  made: 'Créé',
  active: 'Utilisé',
  inactive: 'Non utilisé',
  empty: 'Aucun thème pour le moment.',
  create: 'Nouveau thème',
  add: 'Ajouter',
  back: 'Tous les thèmes',
  activate: 'Utiliser ce thème',
  remove: 'Supprimer…',
  removal: 'Ses modèles sont supprimés définitivement.',
  templates: 'Modèles',
  newTemplate: 'Nouveau modèle',
  noTemplates: 'Aucun modèle pour le moment. Ceux des pages arrivent quand le thème est utilisé.',
  choose: 'Choisissez un modèle pour le voir et le modifier.',
  source: 'Code',
  path: 'Chemin',
  pathHint: 'Par exemple layouts/shop ou parts/menu.',
  preview: 'Aperçu',
  showIn: 'Afficher dans',
  alone: 'aucune page',
};
