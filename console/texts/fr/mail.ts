import type { MailText } from '../mail.ts';

export const mail: MailText = {
  statuses: { queued: 'en attente', sent: 'envoyé', failed: 'échoué' },
  noServer: 'Aucun serveur de messagerie n’est configuré. Les e-mails attendent qu’il y en ait un.',
  toSettings: 'Configurer un serveur de messagerie',
};
