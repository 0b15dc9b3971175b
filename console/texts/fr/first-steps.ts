import { countText } from '../../language/formats.ts';
import type { FirstStepsText } from '../first-steps.ts';

export const firstSteps: FirstStepsText = {
  title: 'Premiers pas',
  count: (done, all) => `${countText(done)} sur ${countText(all)} terminés`,
  done: 'Terminé',
  hide: 'Masquer la liste',
  hidden: 'Les premiers pas sont masqués.',
  shownAgain: 'Les premiers pas sont de nouveau affichés.',
  steps: {
    shop: {
      name: 'Nom et devise',
      why: 'Les clients lisent le nom dans chaque e-mail. La devise est fixée dès la première commande.',
      act: 'Nommer la boutique',
    },
    product: { name: 'Premier produit', why: 'Pour une commande, il faut quelque chose à vendre.', act: 'Nouveau produit' },
    courier: { name: 'Colis', why: 'Une étiquette a besoin de l’adresse d’où partent les colis.', act: 'Indiquer l’expéditeur' },
    mail: { name: 'E-mail', why: 'Sans compte de messagerie, les e-mails aux clients restent en attente.', act: 'Configurer l’e-mail' },
    passkey: {
      name: 'Votre clé d’accès',
      why: 'Connectez-vous avec votre empreinte, votre visage ou le verrouillage de l’écran. Aucun mot de passe à voler.',
      act: 'Configurer une clé d’accès',
    },
    person: { name: 'Une deuxième personne', why: 'Quelqu’un d’autre peut approuver ce que vous écrivez.', act: 'Inviter un utilisateur' },
    task: {
      name: 'Première tâche',
      why: 'Partez d’un exemple. Une simulation montre ce qu’il changerait.',
      act: 'Voir les exemples',
    },
  },
};
