import { counted } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Inquiries',
  count: (total: number) => counted(total, 'inquiry', 'inquiries'),
  search: 'Name, email or text',
  all: 'All',
  waiting: 'Unanswered',
  waits: 'Waits',
  answered: 'Answered',
  columns: { subject: 'Subject', from: 'From', state: 'State', at: 'Received' },
  noSubject: 'Without a subject',
  empty: 'Nobody has asked anything yet. Questions come from the shop, or are noted here.',
  one: 'Inquiry',
  create: 'New inquiry',
  add: 'Add',
  fields: { name: 'Name', email: 'Email', subject: 'Subject', body: 'Question' },
  answer: 'Answer',
  answerTo: (email: string) => `Is sent to ${email}`,
  send: 'Send answer',
  answeredAt: (at: string) => `Answered ${at}`,
  mail: (status: string) => `Mail: ${status}`,
  correct: 'Correct…',
  remove: 'Delete…',
} as const;

export type InquiriesText = Words<typeof english>;
export const inquiriesText = translated('inquiries', english);
