import { counted } from '../../language/formats.ts';
import type { UndoEntryText } from '../undo-entry.ts';

export const undoEntry: UndoEntryText = {
  title: (what) => `Défaire « ${what} » ?`,
  detail: 'Ce qui est coché retrouve sa valeur d’avant, par une modification de votre part.',
  label: 'Ce qui a été modifié',
  columns: { field: 'Champ', before: 'Avant', after: 'Par la modification', now: 'Maintenant' },
  choose: (field) => `Défaire ${field}`,
  states: {
    ready: 'Inchangé depuis',
    conflict: 'Modifié depuis',
    same: 'Déjà comme avant',
    closed: 'Ne peut pas être défait',
  },
  act: (count) => `Défaire ${counted(count, 'valeur', 'valeurs')}`,
  acknowledge: 'La commande est déjà expédiée : la modifier malgré tout',
  lacking: (permissions) => `Il vous faut en outre : ${permissions}.`,
  outdated: 'Quelque chose a changé depuis que vous l’avez consulté. Rien n’a été écrit ; voici l’état actuel.',
  takenBack: 'Cela a déjà été défait.',
  undoOf: 'Cette modification en a défait une précédente.',
  run: (id) => `Afficher l’exécution ${id}`,
  closed: {
    by_run: 'Une exécution l’a fait. Défaites cette exécution.',
    by_system: 'La boutique, un client ou un prestataire de paiement l’a fait.',
    created: 'Cela a créé l’élément. Supprimez plutôt l’élément.',
    deleted: 'Cela a supprimé l’élément. Créez-le de nouveau.',
    not_an_edit: 'Elle n’a rien changé qu’une modification puisse rétablir.',
    irreversible: 'C’est sorti de la boutique et ne peut pas être rappelé.',
    ledger: 'C’est comptabilisé, et ce qui est comptabilisé reste. Passez plutôt l’écriture inverse.',
    follows: 'Cela découle d’autres valeurs.',
    not_kept: 'L’état antérieur n’est pas conservé.',
    forgotten: 'Il s’agissait d’une personne dont les données ont été effacées.',
    gone: 'L’élément n’existe plus.',
  },
};
