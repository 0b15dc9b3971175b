import type { ConnectText } from '../connect.ts';

export const connect: ConnectText = {
  title: 'Connecter un agent',
  asks: 'Un client demande à agir pour vous',
  client: 'Se présente comme',
  host: 'Garanti par',
  noHost: 'personne : n’importe qui peut se présenter ainsi. Ne continuez que si vous venez vous-même de lancer cette demande.',
  redirect: 'La réponse est envoyée à',
  actsFor: 'Agit pour',
  choose: 'Choisissez ce qui lui est permis. L’agent propose ; tout ce qui modifierait la boutique attend une décision humaine.',
  chooseAsked:
    'L’agent demande les autorisations proposées ici. Il propose ; tout ce qui modifierait la boutique attend une décision humaine.',
  allow: 'Autoriser',
  deny: 'Refuser',
  gone: 'Cette demande a déjà reçu une réponse ou a expiré. Recommencez dans le client.',
  goesOn: 'Réponse enregistrée. Le navigateur retourne au client.',
};
