import { assistantText as t } from '../../texts/assistant.ts';
import { PathLink } from '../../ui/path-link.tsx';
import { useMay } from '../shop.ts';

/** What must be set before the assistant can be asked, with the way there for who may go it. */
export function Missing({ sentence }: { sentence: string }) {
  const may = useMay();
  return (
    <p className="muted">
      {sentence} {may('admin_api.settings.read') ? <PathLink to="/settings/model">{t.settings}</PathLink> : null}
    </p>
  );
}
