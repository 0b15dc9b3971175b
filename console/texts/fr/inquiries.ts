import { counted } from '../../language/formats.ts';
import type { InquiriesText } from '../inquiries.ts';

export const inquiries: InquiriesText = {
  title: 'Demandes',
  count: (total) => counted(total, 'demande', 'demandes'),
  search: 'Nom, e-mail ou texte',
  all: 'Toutes',
  waiting: 'Sans réponse',
  waits: 'En attente',
  answered: 'Traitée',
  columns: { subject: 'Objet', from: 'De', state: 'État', at: 'Reçue' },
  noSubject: 'Sans objet',
  empty: 'Aucune demande pour le moment. Les questions viennent de la boutique ou sont saisies ici.',
  one: 'Demande',
  create: 'Nouvelle demande',
  add: 'Ajouter',
  fields: { name: 'Nom', email: 'E-mail', subject: 'Objet', body: 'Question' },
  answer: 'Réponse',
  answerTo: (email) => `Sera envoyée à ${email}`,
  send: 'Envoyer la réponse',
  answeredAt: (at) => `Traitée le ${at}`,
  mail: (status) => `E-mail : ${status}`,
  correct: 'Corriger…',
  remove: 'Supprimer…',
};
