import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { useMay } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { customersText as t } from '../../texts/customers.ts';
import { Rows } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { calls, customerAccess } from './queries.ts';

export function Access({ id }: { id: number }) {
  const access = useQuery(customerAccess(id));
  const may = useMay();
  const reload = useReload();
  return (
    <Section title={t.access.title}>
      <Rows query={access} none={t.access.none}>
        {(one) => (
          <li key={`${one.group_slug} ${one.source} ${one.source_id}`}>
            <div>
              {may('admin_api.access_groups.read') ? (
                <Link to="/access-groups" search={{ q: one.group_name }}>
                  {one.group_name}
                </Link>
              ) : (
                one.group_name
              )}
              <p className="muted">
                {t.access.sources[one.source]} ·{' '}
                {one.expires_at === null ? (
                  t.access.forever
                ) : (
                  <>
                    {t.access.until} <Moment at={one.expires_at} />
                  </>
                )}
              </p>
              {one.note ? <p className="written">{one.note}</p> : null}
            </div>
            {one.source === 'manual_grant' && may('admin_api.access_groups.write') ? (
              <Remove
                name={one.group_name}
                act={t.access.revoke}
                title={t.access.revokeTitle(one.group_name)}
                kind="quiet"
                run={() => calls.revoke_grant(one.source_id)}
                onDone={() => reload('customers', 'access_groups')}
              />
            ) : null}
          </li>
        )}
      </Rows>
    </Section>
  );
}
