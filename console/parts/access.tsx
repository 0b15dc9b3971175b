import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { text } from '../texts/app.ts';
import { Sentence } from '../ui/page.tsx';
import { useReload } from './reload.ts';
import { Remove } from './remove.tsx';
import { useMay } from './shop.ts';
import { Moment } from './values.tsx';

const t = text.access;

type Props = {
  /** Whose access it is, or to what. */
  name: string;
  link: ReactNode;
  access: { source: keyof typeof t.sources; source_id: number; expires_at: string | null; note?: string | null };
  revokeTitle: string;
};

/** Access to a group: by what, until when; access by hand is revoked here. */
export function AccessRow({ name, link, access: { source, source_id, expires_at, note }, revokeTitle }: Props) {
  const mayRevoke = useMay()('admin_api.access_groups.write') && source === 'manual_grant';
  const reload = useReload();
  return (
    <li>
      <div>
        {link}
        <p className="muted">
          {t.sources[source]} ·{' '}
          {expires_at === null ? t.forever : <Sentence words={t.until} parts={[<Moment key="at" at={expires_at} />]} />}
        </p>
        {note ? <p className="written">{note}</p> : null}
      </div>
      {mayRevoke ? (
        <Remove
          name={name}
          act={t.revoke}
          title={revokeTitle}
          kind="quiet"
          run={() => api.access_groups.revoke_grant(source_id)}
          onDone={() => reload('access_groups', 'customers')}
        />
      ) : null}
    </li>
  );
}
