import type { JoinText } from '../join.ts';

export const join: JoinText = {
  title: (shop) => `Bienvenue chez ${shop}`,
  invited: (by, role) =>
    role === null ? `${by} vous invite à travailler ici.` : `${by} vous invite à travailler ici avec le rôle « ${role} ».`,
  owner: 'Propriétaire',
  name: 'Votre nom',
  nameHint: 'Les autres le voient à côté de ce que vous faites.',
  missing: 'Saisissez votre nom.',
  address: (email) => `Vous reviendrez grâce à un lien envoyé à ${email}.`,
  keep: 'Rester connecté sur cet appareil',
  join: 'Rejoindre',
  instead: 'Une autre personne est connectée ici. Si vous acceptez, vous prenez sa place dans ce navigateur.',
  refused: 'Cette invitation a été utilisée, a été retirée ou a expiré. Demandez à la personne qui vous a invité de la renvoyer.',
};
