import type { MailText } from '../mail.ts';

export const mail: MailText = {
  statuses: { queued: 'várakozik', sent: 'elküldve', failed: 'sikertelen' },
  noServer: 'Nincs beállítva levelezőkiszolgáló. Az e-mailek addig várakoznak.',
  toSettings: 'Levelezőkiszolgáló beállítása',
};
