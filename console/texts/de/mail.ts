import type { MailText } from '../mail.ts';

export const mail: MailText = {
  statuses: { queued: 'wartend', sent: 'gesendet', failed: 'fehlgeschlagen' },
  noServer: 'Es ist kein Mailserver eingerichtet. E-Mails warten, bis es einen gibt.',
  toSettings: 'Mailserver einrichten',
};
