import { counted } from '../../language/formats.ts';
import type { AccessGroupsText } from '../access-groups.ts';

export const accessGroups: AccessGroupsText = {
  title: 'Groupes d’accès',
  count: (total) => counted(total, 'groupe d’accès', 'groupes d’accès'),
  search: 'Nom',
  empty: 'Aucun groupe d’accès pour le moment. Un groupe ouvre des fichiers et des pages à ses membres, ajoutés par un achat ou à la main.',
  create: 'Nouveau groupe d’accès',
  add: 'Ajouter',
  back: 'Tous les groupes d’accès',
  details: 'Détails',
  slugHint: 'Utilisé par les modèles de la boutique pour désigner le groupe.',
  fields: { name: 'Nom', slug: 'Nom court', description: 'Description' },
  remove: 'Supprimer…',
  removal: (members) =>
    members === 0
      ? 'Ses fichiers et ses pages sont conservés ; ce groupe ne donnera plus accès à rien.'
      : `${counted(members, 'membre perd', 'membres perdent')} immédiatement l’accès. Les fichiers et les pages du groupe sont conservés.`,
  forever: 'sans limite de durée',
  files: { title: 'Fichiers', none: 'Aucun fichier pour le moment.', find: 'Ajouter un fichier de la bibliothèque' },
  pages: { title: 'Pages', none: 'Aucune page pour le moment.', find: 'Ajouter une page' },
  products: {
    title: 'Produits',
    none: 'Aucun produit ne donne accès à ce groupe. Cela se règle dans la fiche du produit.',
    subscription: 'tant que l’abonnement est actif',
    days: (days) => counted(days, 'jour', 'jours'),
  },
  members: {
    title: 'Membres',
    none: 'Personne n’a encore accès.',
    grant: 'Donner l’accès…',
    give: 'Donner l’accès',
    customer: 'Client',
    expires: 'Jusqu’au',
    expiresHint: 'Vide : sans limite de durée.',
    note: 'Note',
    revokeTitle: (name) => `Révoquer l’accès accordé à ${name} ?`,
  },
};
