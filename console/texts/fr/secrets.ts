import { counted } from '../../language/formats.ts';
import type { SecretsText } from '../secrets.ts';

const count = (one: string, many: string) => (total: number) => counted(total, one, many);

const shared = {
  shop: 'Toutes les tâches',
  find: 'Seulement pour la tâche',
  by: 'Créé par',
  changed: 'Modifié',
  namePlaceHint: 'Minuscules, chiffres et _, en commençant par une lettre.',
};

export const secrets: SecretsText = {
  secrets: {
    title: 'Secrets',
    count: count('secret', 'secrets'),
    search: 'Nom ou hôte',
    empty:
      'Aucun secret pour le moment. Le serveur insère les secrets dans les requêtes des tâches ; aucun script, administrateur ni journal ne les voit jamais.',
    create: 'Nouveau secret',
    removal: 'Les exécutions qui en ont besoin seront désormais refusées.',
    ...shared,
    nameHint: shared.namePlaceHint,
    valueHint: 'Enregistrée de manière chiffrée et plus jamais affichée.',
    replaceHint:
      'Personne ne peut lire la valeur enregistrée. Laissée vide, elle est conservée ; pour ajouter un hôte, il faut ressaisir la valeur.',
    hostsHint: 'Où le serveur peut l’envoyer, par exemple api.example.com ou hôte:port ; séparez-les par des virgules.',
    use: 'Dans un script',
    used: 'Dernière utilisation',
    neverUsed: 'jamais',
    fields: { name: 'Nom', task_id: 'Pour', value: 'Valeur', newValue: 'Nouvelle valeur', hosts: 'Hôtes', note: 'Note' },
  },
  variables: {
    title: 'Variables',
    count: count('variable', 'variables'),
    search: 'Nom ou note',
    empty: 'Aucune variable pour le moment. Une variable est une valeur définie par les administrateurs et lue par les scripts des tâches.',
    create: 'Nouvelle variable',
    removal: 'Les scripts qui la lisent recevront celle de toutes les tâches, ou rien.',
    ...shared,
    by: 'Créée par',
    changed: 'Modifiée',
    nameHint: shared.namePlaceHint,
    valueHint:
      'JSON : un texte entre guillemets, un nombre, true, une liste ou un objet. Toute personne qui voit le résultat des exécutions peut la voir.',
    use: 'Dans un script',
    fields: { name: 'Nom', task_id: 'Pour', value: 'Valeur', note: 'Note' },
  },
};
