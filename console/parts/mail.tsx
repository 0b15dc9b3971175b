import type { Mail } from '../../contract/mails.ts';
import { mailText as t } from '../texts/mail.ts';
import { PathLink } from '../ui/path-link.tsx';
import { Status, type Tone } from '../ui/status.tsx';
import { useMay, useShop } from './shop.ts';

const tones: Record<Mail['status'], Tone> = { queued: 'move', sent: 'rest', failed: 'fail' };

/** How it stands with a mail, in the words of the list of mails. */
export function MailStatus({ status }: { status: Mail['status'] }) {
  return <Status tone={tones[status]}>{t.statuses[status]}</Status>;
}

/** Where mails are written: that nobody sends them, with the way to the setting; nothing in a shop that sends. */
export function NoMailServer() {
  const { sends_mail } = useShop();
  const may = useMay();
  if (sends_mail) return null;
  return (
    <p className="muted">
      {t.noServer} {may('admin_api.settings.read') ? <PathLink to="/settings/mail">{t.toSettings}</PathLink> : null}
    </p>
  );
}
