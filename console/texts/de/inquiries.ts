import { counted } from '../../language/formats.ts';
import type { InquiriesText } from '../inquiries.ts';

export const inquiries: InquiriesText = {
  title: 'Anfragen',
  count: (total) => counted(total, 'Anfrage', 'Anfragen'),
  search: 'Name, E-Mail oder Text',
  all: 'Alle',
  waiting: 'Unbeantwortet',
  waits: 'Offen',
  answered: 'Beantwortet',
  columns: { subject: 'Betreff', from: 'Von', state: 'Status', at: 'Eingegangen' },
  noSubject: 'Ohne Betreff',
  empty: 'Noch keine Anfragen. Sie kommen aus dem Shop oder werden hier erfasst.',
  one: 'Anfrage',
  create: 'Neue Anfrage',
  add: 'Hinzufügen',
  fields: { name: 'Name', email: 'E-Mail', subject: 'Betreff', body: 'Frage' },
  answer: 'Antwort',
  answerTo: (email) => `Wird an ${email} gesendet`,
  send: 'Antwort senden',
  answeredAt: (at) => `Beantwortet am ${at}`,
  mail: (status) => `E-Mail: ${status}`,
  correct: 'Korrigieren …',
  remove: 'Löschen …',
};
