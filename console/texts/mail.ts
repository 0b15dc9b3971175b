import { translated, type Words } from '../language/translated.ts';

const english = {
  statuses: { queued: 'waiting', sent: 'sent', failed: 'failed' },
  noServer: 'No mail server is set up. Mails wait until there is one.',
  toSettings: 'Set up a mail server',
} as const;

export type MailText = Words<typeof english>;
export const mailText = translated('mail', english);
